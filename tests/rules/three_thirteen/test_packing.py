"""Cards as numbers, and the table of short runs."""

from itertools import combinations
from random import Random

import pytest

from rules.cards import DECK, Card, Rank
from rules.three_thirteen.arrangement import Meld
from rules.three_thirteen.options import Options
from rules.three_thirteen.packing import GUARD, LEVELS_AT, WORTH_AT, Groups, codes, tables
from rules.three_thirteen.ranks import RANKS, ROUNDS, wild_rank
from tests.rules.three_thirteen.exhaustive import wilds_needed
from tests.rules.three_thirteen.melding import points
from tests.rules.three_thirteen.positions import cards, texts

ACES = ("low", "low_or_high")


def packed(hand: tuple[Card, ...], aces: str) -> int:
    """The cards and their guards as one number."""
    return GUARD + sum(tables(aces).ones[one] for one in hand)


def present(hand: tuple[Card, ...], aces: str) -> int:
    """The mask of the cards."""
    mask = 0
    for one in hand:
        mask |= tables(aces).masks[one]
    return mask


@pytest.mark.parametrize("aces", ACES)
def test_taking_away_cards_that_are_there_leaves_every_guard_and_no_other_does(aces: str) -> None:
    random = Random(aces)
    for _ in range(500):
        held = random.choices(DECK[:8], k=6)
        taken = random.choices(DECK[:8], k=random.randint(1, 3))
        left = packed(tuple(held), aces) - sum(tables(aces).ones[one] for one in taken)
        there = all(taken.count(one) <= held.count(one) for one in taken)
        assert (left & GUARD == GUARD) == there


@pytest.mark.parametrize("aces", ACES)
def test_r1_eight_copies_of_a_card_fit_in_a_packed_number(aces: str) -> None:
    for one in DECK:
        hand = packed((one,) * 8, aces)
        assert hand & GUARD == GUARD
        assert hand - 8 * tables(aces).ones[one] == GUARD
        assert (hand - 9 * tables(aces).ones[one]) & GUARD != GUARD


@pytest.mark.parametrize("aces", ACES)
def test_r11_packed_cards_know_what_they_count_and_how_many_a_level_has(aces: str) -> None:
    random = Random(aces)
    for _ in range(200):
        hand = tuple(random.choices(DECK, k=14))
        number = packed(hand, aces)
        assert number >> WORTH_AT == sum(points(one.text, 0, Options(aces=aces)) for one in hand)
        for rank in RANKS:
            level = 14 if rank == "A" and aces == "low_or_high" else RANKS.index(rank) + 1
            _, at, value, without = tables(aces).levels[level]
            assert number >> at & 31 == sum(one.rank is rank for one in hand)
            assert value == points(rank + "S", 0, Options(aces=aces))
            others = tuple(one for one in hand if one.rank is not rank)
            bare = (1 << WORTH_AT) - 1
            assert (number & without) & bare == packed(others, aces) & bare


@pytest.mark.parametrize("round_", ROUNDS)
def test_r8_wilds_are_counted_apart_and_masked_by_nothing(round_: int) -> None:
    for aces in ACES:
        known = codes(aces, round_)
        for one in DECK:
            natural = (tables(aces).masks[one], tables(aces).ones[one])
            assert known[one] == ((0, 1 << LEVELS_AT) if one.rank is wild_rank(round_) else natural)


@pytest.mark.parametrize("aces", ACES)
@pytest.mark.parametrize("wilds", [0, 1, 2, 3, 5])
def test_r7_r8_r12_the_runs_found_are_all_short_runs_there_are(aces: str, wilds: int) -> None:
    random = Random(f"{aces} {wilds}")
    for _ in range(60):
        hand = tuple(random.sample(DECK, random.randint(2, 14)))
        groups, useful = tables(aces).find_runs(present(hand, aces), wilds)
        found = [run for here in groups.values() for group in here for run in group.runs]
        assert sorted(texts(run.cards) for *_, run in found) == short_runs(hand, wilds, aces)
        assert useful == present(tuple(one for *_, run in found for one in run.cards), aces)
        for number, need, worth, run in found:
            assert need == wilds_needed(texts(run.cards), Options(aces=aces))
            assert worth == sum(points(one.text, 0, Options(aces=aces)) for one in run.cards)
            assert GUARD + number == GUARD + run.packed == packed(run.cards, aces)


def short_runs(hand: tuple[Card, ...], wilds: int, aces: str) -> list[tuple[str, ...]]:
    """All two to five cards of the hand that are a run of at most five places with so many wilds."""
    found = []
    rules = Options(aces=aces)
    for size in range(2, 6):
        for chosen in combinations(sorted(hand, key=DECK.index), size):
            need = wilds_needed(texts(chosen), rules)
            if need is not None and need <= wilds and size + need <= 5 and len({c.suit for c in chosen}) == 1:
                found.append(low_to_high(chosen, need))
    return sorted(found)


def low_to_high(chosen: tuple[Card, ...], need: int) -> tuple[str, ...]:
    """The cards in the order of the run, where an ace may have to be the last."""
    first, *others = texts(chosen)
    stretched = RANKS.index(chosen[-1].rank) >= len(chosen) + need
    return (*others, first) if first[0] == "A" and stretched else (first, *others)


@pytest.mark.parametrize(("aces", "count"), [("low", 4 * 146), ("low_or_high", 4 * 161)])
def test_r8_each_run_is_laid_out_in_order_with_room_for_its_wilds(aces: str, count: int) -> None:
    groups, _ = tables(aces).find_runs(present(DECK, aces), 3)
    runs = [run for here in groups.values() for group in here for *_, run in group.runs]
    assert len(runs) == count
    for run in runs:
        assert 3 <= len(run.line) <= 5
        laid = zip(run.line, run.represents, strict=True)
        assert all(one is None or one.text == place for one, place in laid)
        assert tuple(one for one in run.line if one) == run.cards
        assert run.meld == (None if None in run.line else Meld("run", run.cards, run.represents))


@pytest.mark.parametrize(
    ("aces", "text", "told"),
    [
        ("low", "5H 6H", "5H 6H 7H"),
        ("low", "QH KH", "JH QH KH"),
        ("low_or_high", "QH KH", "QH KH AH"),
        ("low_or_high", "KH AH", "QH KH AH"),
    ],
)
def test_r8_two_neighbours_take_a_wild_above_them_or_below_the_highest(
    aces: str, text: str, told: str
) -> None:
    groups, _ = tables(aces).find_runs(present(cards(text), aces), 1)
    ((_, need, _, run),) = [run for here in groups.values() for group in here for run in group.runs]
    assert (need, " ".join(run.represents)) == (1, told)


@pytest.mark.parametrize(("wilds", "ranks"), [(0, "7"), (1, "79"), (2, "79J"), (4, "79J")])
def test_r7_r8_a_rank_with_wilds_enough_may_be_a_set(wilds: int, ranks: str) -> None:
    hand = cards("7S 7C 7D 9S 9H JD")
    groups: Groups = {}
    useful = tables("low").find_sets(packed(hand, "low"), wilds, groups)
    assert groups == {RANKS.index(Rank(rank)) + 1: [] for rank in ranks}
    assert useful & present(hand, "low") == present(tuple(c for c in hand if c.rank in ranks), "low")
