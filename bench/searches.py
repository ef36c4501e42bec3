"""The searches of the rules: melding, the best discard, legal plays."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from typing import Any

from bench import plain
from bench.melds import DEFAULT_RULES, score
from bench.row import RUNS, Row, in_turn
from rules.cards import DECK, SPELLINGS, Card
from rules.thirteen.combinations import ORDER, classify, describe
from rules.thirteen.options import Options
from rules.thirteen.plays import legal_plays
from rules.three_thirteen.melds import best_discard
from rules.three_thirteen.search import Search

Hand = tuple[list[str], int]
"""Cards of Three Thirteen, and the round."""

PACK = [card.text for card in DECK]
CLIMBS, STEPS = 8, 400
"""Climbs to a worst hand, and the cards tried on each."""


def rows() -> Iterator[Row]:
    """All rows about searches."""
    yield from melding()
    yield worst_hand()
    yield from best_discards()
    yield listing_plays()


def corpora(rng: random.Random, cards: int = 13) -> dict[str, list[Hand]]:
    """Hands of the last round: from two decks, with many wilds, and of few ranks and suits."""
    return {
        "random": [(rng.sample(PACK * 2, cards), 11) for _ in range(300)],
        "many wilds": [(_wilds(rng, cards), 11) for _ in range(200)],
        "dense": [(_dense(rng, cards), 11) for _ in range(200)],
    }


def _wilds(rng: random.Random, cards: int) -> list[str]:
    wilds = rng.choices([text for text in PACK if text[0] == "K"], k=rng.randint(2, 8))
    return wilds + rng.sample([text for text in PACK * 2 if text[0] != "K"], cards - len(wilds))


def _dense(rng: random.Random, cards: int) -> list[str]:
    low, suits = rng.randint(0, 6), rng.sample("SCDH", rng.randint(1, 4))
    pool = [rank + suit for rank in "A23456789TJQ"[low : low + 6] for suit in suits] * 4
    wilds = rng.choices(["KS", "KH"], k=rng.randint(0, 3))
    return wilds + rng.sample(pool, cards - len(wilds))


def timed(call: Callable[[Any], object], hands: Sequence[Any]) -> list[float]:
    """Microseconds for each hand, sorted."""
    took = []
    for hand in hands:
        started = time.perf_counter()
        call(hand)
        took.append((time.perf_counter() - started) * 1e6)
    return sorted(took)


def melding() -> Iterator[Row]:
    """From the cards' texts to the arrangement, beside a plain exact search; the answers are compared."""
    hands = corpora(random.Random(13)) | {"random, 7 cards": _random_sevens(random.Random(7))}
    for name, corpus in hands.items():
        assert [score(*hand) for hand in corpus] == [plain.score(*hand) for hand in corpus]
        runs = [
            (timed(lambda hand: score(*hand), corpus), timed(lambda hand: plain.score(*hand), corpus))
            for _ in range(RUNS)
        ]
        for label, at, asked in (("median", 0.5, 3), ("99th percentile", 0.99, 4)):
            ours, theirs = (median(run[who][int(len(corpus) * at)] for run in runs) for who in (0, 1))
            cells = f"{ours:.0f} µs", f"{theirs:.0f} µs, plain search"
            yield Row(f"melding, {name}: {label}", *cells, theirs / ours, asked)


def _random_sevens(rng: random.Random) -> list[Hand]:
    return [(rng.sample(PACK, 7), 5) for _ in range(300)]


def worst_hand() -> Row:
    """The slowest hand that is found by climbing, beside the median of random ones of its size."""
    rng = random.Random(25)
    worst = max((_climb(rng) for _ in range(CLIMBS)), key=_visits), 11
    ordinary = corpora(rng)["random"]
    ours, theirs, ratio = in_turn(
        lambda: timed(lambda hand: score(*hand), [worst] * 50)[25],
        lambda: median(timed(lambda hand: score(*hand), ordinary)),
    )
    return Row(
        "the worst hand found", f"{ours:.0f} µs", f"{theirs:.0f} µs, the median hand", ratio, 25, False
    )


def _visits(hand: list[str]) -> int:
    return Search([SPELLINGS[text] for text in hand], 11, "low").visits


def _climb(rng: random.Random) -> list[str]:
    """A hand from which changing single cards found none that is more work."""
    hand = _dense(rng, 13)
    most = _visits(hand)
    for _ in range(STEPS):
        near = hand[:]
        near[rng.randrange(len(near))] = rng.choice(PACK)
        if (visits := _visits(near)) >= most:
            hand, most = near, visits
    return hand


def mean(call: Callable[[Any], object], hands: Sequence[Any]) -> float:
    """Microseconds for a hand."""
    return sum(timed(call, hands)) / len(hands)


def _discard(hand: tuple[list[Card], int]) -> object:
    return best_discard(*hand, DEFAULT_RULES)


def _score_thirteen(hand: Hand) -> int:
    return score(hand[0][:13], hand[1])


def best_discards() -> Iterator[Row]:
    """Everything that best-discard needs for 14 cards, beside a score of 13 of them."""
    for name, corpus in corpora(random.Random(14), 14).items():
        hands = [([SPELLINGS[text] for text in hand], round_) for hand, round_ in corpus]

        mine, plainly, ratio = in_turn(partial(mean, _discard, hands), partial(mean, _score_thirteen, corpus))
        cells = f"{mine:.0f} µs", f"{plainly:.0f} µs, one score"
        yield Row(f"best discard of 14, {name}", *cells, ratio, 3, False)


def listing_plays() -> Row:
    """From the texts of 13 cards to the list of plays, beside trying all subsets; both answer the same."""
    rng, rules = random.Random(30), Options()
    hands = [rng.sample([card.text for card in ORDER], 13) for _ in range(20)]
    tables = [None if number % 2 else classify([rng.choice(ORDER)]) for number in range(20)]
    asked = list(zip(hands, tables, strict=True))

    def ours() -> list[list[object]]:
        return [
            [describe(play) for play in legal_plays(map(SPELLINGS.__getitem__, hand), table, rules)]
            for hand, table in asked
        ]

    def theirs() -> list[list[object]]:
        return [
            [describe(play) for play in plain.legal_plays([SPELLINGS[text] for text in hand], table, rules)]
            for hand, table in asked
        ]

    assert [sorted(map(str, one)) for one in ours()] == [sorted(map(str, one)) for one in theirs()]
    mine, plainly, ratio = in_turn(lambda: _seconds(theirs), lambda: _seconds(ours))
    cells = f"{plainly / 20 * 1e6:.0f} µs", f"{mine / 20 * 1e3:.1f} ms, all subsets"
    return Row("legal plays of 13 cards", *cells, ratio, 30)


def _seconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started
