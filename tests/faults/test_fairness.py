"""Nobody can know a deal beforehand, nobody can change it afterwards, and anybody can check both.

The deal is worked out once more here, from the published description of the shuffle alone (the docstring of
rules/shuffle.py): no code of the service is used for it.
"""

import os
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import permutations

import pytest

from rules.cards import DECK
from rules.shuffle import shuffle
from service.app import create_app
from service.settings import Settings
from tests.driver import Table
from tests.faults.effort import builtins_called, cpu_seconds
from tests.faults.servers import Service, eventually

CRITICAL = {23: 49.728, 51: 87.968}
"""By degrees of freedom: what chi-square exceeds by chance once in a thousand (its 0.999 quantile)."""


def deck(decks):
    """The order that the shuffle starts from."""
    return [rank + suit for _ in range(decks) for suit in "SCDH" for rank in "A23456789TJQK"]


class Numbers:
    """The random numbers of a seed under a label."""

    def __init__(self, seed, label):
        self._head, self._blocks, self._words = seed + label.encode(), 0, []

    def below(self, m):
        while True:
            if not self._words:
                block = sha256(self._head + self._blocks.to_bytes(8, "big")).hexdigest()
                self._words = [int(block[at : at + 8], 16) for at in range(0, 64, 8)]
                self._blocks += 1
            word = self._words.pop(0)
            if word < 2**32 - 2**32 % m:
                return word % m


def mixed(seed, label, cards):
    """The cards shuffled."""
    numbers, cards = Numbers(seed, label), list(cards)
    for i in reversed(range(1, len(cards))):
        j = numbers.below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def dealt(pile, players, each, first):
    """The hands by seat, the first card to seat `first`; they are taken off the pile."""
    hands = [[] for _ in range(players)]
    for number in range(players * each):
        hands[(first + number) % players].append(pile.pop(0))
    return hands


def histories(table):
    """By seat, every event of the game as that seat saw it."""
    seen = []
    for seat in range(len(table.tokens)):
        events, after = [], 0
        while page := table.get(f"/events?after={after}&limit=1000", seat)["events"]:
            events += page
            after = page[-1]["version"]
        seen.append(events)
    return seen


def check_thirteen(seed, seen):
    """Every seat was dealt the hand that the seed says."""
    hands = dealt(mixed(seed, "thirteen/deal/1", deck(1)), len(seen), 13, 0)
    for seat, (started, *_) in enumerate(seen):
        assert sorted(started["hand"]) == sorted(hands[seat])


def check_three_thirteen(seed, seen):
    """Every hand, every card turned up and every card drawn in eleven rounds is what the seed says."""
    players, rounds = len(seen), 0
    dealer = Numbers(seed, "three_thirteen/dealer").below(players)
    stock, discards, refills = [], [], 0
    for events in zip(*seen, strict=True):
        event = events[0]
        match event["type"]:
            case "round_started":
                rounds, refills = rounds + 1, 0
                assert (event["round"], event["dealer"]) == (rounds, dealer)
                stock = mixed(seed, f"three_thirteen/round/{rounds}", deck((players + 1) // 2))
                hands = dealt(stock, players, rounds + 2, (dealer + 1) % players)
                assert [sorted(one["hand"]) for one in events] == [sorted(hand) for hand in hands]
                discards = [stock.pop(0)]
                assert (event["discard_top"], event["stock"]) == (discards[0], len(stock))
                dealer = (dealer + 1) % players
            case "stock_refilled":
                refills += 1
                stock = mixed(seed, f"three_thirteen/round/{rounds}/refill/{refills}", discards[:-1])
                discards = discards[-1:]
            case "drew":
                card = stock.pop(0) if event["from"] == "stock" else discards.pop()
                assert events[event["seat"]]["card"] == card
            case "discarded":
                discards.append(event["card"])
            case "went_out":
                discards.append(event["discard"])
    assert rounds == 11


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A service with four workers, which the tests here share."""
    with Service(tmp_path_factory.mktemp("service"), WEB_CONCURRENCY="4") as running:
        yield running


CHECKS = {"thirteen": check_thirteen, "three_thirteen": check_three_thirteen}


@pytest.mark.parametrize(("game", "players"), [("thirteen", 2), ("thirteen", 4), ("three_thirteen", 3)])
def test_a_third_party_can_redo_the_deal_from_the_seed(running, times, tried, game, players):
    """The commitment is there before the first move and stays; the seed comes at the end and fits it."""
    games = times(1, 4)
    with running.client() as client:
        for number in range(games):
            table = Table(client, game, players)
            commitment = table.created["commitment"]
            assert table.created["version"] == 1 or table.created["state"]["status"] == "finished"
            assert table.get()["commitment"] == commitment
            for _, _, body in table.play(random.Random(number)):
                state = body["state"]
                assert state["commitment"] == commitment
                assert ("seed" in state) == (state["status"] == "finished")
            seed = bytes.fromhex(table.get()["seed"])
            assert sha256(seed).hexdigest() == commitment
            CHECKS[game](seed, histories(table))
    tried("games whose deal was redone from the seed", games, 0)


def test_the_seed_that_is_asked_for_is_the_one_that_is_used(running):
    seed = sha256(b"fairness").digest()
    with running.client() as client:
        deal = client.post("/v1/deals", json={"game": "thirteen", "players": 4, "seed": seed.hex()}).json()
    assert deal["hands"] == dealt(mixed(seed, "thirteen/deal/1", deck(1)), 4, 13, 0)


def test_no_seed_comes_twice_from_any_worker(running, times, tried):
    """Workers are forked: a generator of random numbers seeded before would be the same in all."""
    deals = times(400, 10_000)
    workers = {pid: cpu_seconds(pid) for pid in running.workers()}
    with ThreadPoolExecutor(8) as pool:
        seeds = [
            seed for part in pool.map(lambda _: seeds_of(running, deals // 40), range(40)) for seed in part
        ]

    def all_had_a_part():
        seeds.extend(seeds_of(running, 10))
        return min(cpu_seconds(pid) - before for pid, before in workers.items()) > 0.01

    eventually(all_had_a_part)
    assert len(workers) == 4
    assert len(set(seeds)) == len(seeds) >= deals
    tried("fresh seeds compared", len(seeds), 0)


def seeds_of(running, count):
    """Seeds of fresh deals, over a connection of their own, which some worker takes."""
    with running.client() as client:
        asked = {"game": "thirteen", "players": 2}
        return [client.post("/v1/deals", json=asked).json()["seed"] for _ in range(count)]


def test_no_id_commitment_or_token_comes_twice(running, times, tried):
    games = times(100, 1_000)
    with running.client() as client:
        made = [Table(client, "thirteen", 2).created for _ in range(games)]
    parts = [[game["id"], game["commitment"], game["host_token"]] for game in made]
    parts += [[seat["token"] for seat in game["seats"]] for game in made]
    secrets = [word for part in parts for word in part]
    assert len(set(secrets)) == len(secrets) == 5 * games
    tried("games whose ids, commitments and tokens were compared", games, 0)


def calls_of(body):
    """The built-in functions that were called while a service in this process answered a deal."""
    settings = Settings.from_env({"REDIS_URL": "unix:///nowhere.sock", "LOG_LEVEL": "error"})
    client = create_app(settings).test_client()
    with builtins_called() as called:
        assert client.post("/v1/deals", json=body).status_code == 200
    return called


def test_a_fresh_seed_is_the_operating_systems_and_nothing_else_is_random():
    """One more call of `os.urandom` than with a seed given (the request's id needs the other)."""
    asked = {"game": "thirteen", "players": 2}
    fresh, given = calls_of(asked), calls_of({**asked, "seed": "5a" * 32})
    assert fresh[os.urandom] == given[os.urandom] + 1 == 2
    assert not [function for function in fresh if isinstance(function.__self__, random.Random)]


def chi_square(counts, categories, total):
    """The statistic of the counts against equal chances."""
    due = total / len(categories)
    return sum((counts[one] - due) ** 2 / due for one in categories)


def test_every_order_of_four_cards_is_equally_likely():
    """24,000 shuffles with seeds that are fixed: 24 orders, so 23 degrees of freedom."""
    cards, total = DECK[:4], 24_000
    counts = Counter(
        shuffle(sha256(b"chi-square %d" % n).digest(), "thirteen/deal/1", cards) for n in range(total)
    )
    assert chi_square(counts, list(permutations(cards)), total) < CRITICAL[23]


@pytest.mark.parametrize("place", [0, 13, 51])
def test_every_card_is_equally_likely_at_a_place_of_the_deck(place):
    """5,200 shuffles with seeds that are fixed: 52 cards, so 51 degrees of freedom."""
    seeds = (sha256(b"chi-square %d" % n).digest() for n in range(5_200))
    counts = Counter(shuffle(seed, "three_thirteen/round/1", DECK)[place] for seed in seeds)
    assert chi_square(counts, DECK, 5_200) < CRITICAL[51]


def test_an_unfair_shuffle_would_be_found():
    """The usual mistake (swapping with any place) fails the same test."""
    counts, total = Counter(), 24_000
    for n in range(total):
        numbers, cards = Numbers(sha256(b"unfair %d" % n).digest(), ""), list(DECK[:4])
        for i in range(4):
            j = numbers.below(4)
            cards[i], cards[j] = cards[j], cards[i]
        counts[tuple(cards)] += 1
    assert chi_square(counts, list(permutations(DECK[:4])), total) > CRITICAL[23]
