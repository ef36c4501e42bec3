"""The hands that are the most work, by what is counted as work: no clock, so the same on every machine.

The hands of Three Thirteen were found by climbing: hundreds of thousands of hands, each a card away from the
one before and more work. For Thirteen the most plays that 13 cards can have are counted here.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import comb, prod

import pytest

from rules.cards import DECK, Card, parse_card
from rules.thirteen.combinations import SHAPES, Combination, classify
from rules.thirteen.options import Options
from rules.thirteen.plays import _Held, legal_plays
from rules.three_thirteen.melds import discards
from rules.three_thirteen.options import Options as ThreeThirteenOptions
from rules.three_thirteen.search import Search

MOST_VISITS = 300
"""Of the melding search, for a hand of 13 cards."""

MOST_VISITS_DISCARDING = 2_500
"""For all discards of a hand of 14."""

MOST_PLAYS = 486
MOST_GROUPS = 600
"""Groups of cards on consecutive ranks that are put together on the way to the plays."""

MELDING = (
    *("6S KS 7C 4D 6D 7D 8D 4H 5H 6H 7H 8H KH", "9S 3C 7C 8C 8C 9C TC JC JC QC KC KC KH"),
    *("7S 8S 8S 9S TS JS JS QS KS KS 4C KC 9H", "7D 8D 8D 9D TD JD JD QD KD KD KD 5H 9H"),
    *("8S TS JS QS KS TC JD 8H 9H TH JH QH KH", "7S KC KC 8D KD 5H 6H 6H 7H 8H 9H 9H TH"),
    *("7S 8S 9S TS 8C 7D 8D 9D 9D TD KD 6H KH", "KS 8C 9C TC JC JC QC TD KD 6H 9H TH JH"),
)
DISCARDING = (
    *("5S 8C 9C TC JC QC KC 8D 9D TD JD QD TH KH", "9S KS 5C KC 7D 8D 9D TD JD 7H 8H 9H TH JH"),
    *("TS 7C 8C 9C TC JC 7D 8D 9D TD JD KD KD 9H", "5S 6C 7C 8C 9C 9C TC JC QC KC 7D KD 8H KH"),
    *("7S 8S 9S TS JS KS 9C 7D 8D 9D TD JD TH KH", "7S 4C 5C 6C 7C 8C 4D 5D 6D 7D 8D KD KD 6H"),
)
EXTREME = (
    *(
        " ".join(["KS"] * 8 + ["KC"] * 6),
        " ".join(["7S"] * 8 + ["8S"] * 6),
        "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
    ),
    *("7S 7C 7D 7H 8S 8C 8D 8H 9S 9C 9D 9H KS KC", "7S 7S 7C 7C 8S 8S 8C 8C 9S 9S 9C 9C KS KS"),
    *("AS 2S 3S AC 2C 3C QS KS QC KC QD KD JS JC", "AS 3C 5D 7H 9S JC KD 2H 4S 6C 8D TH QS AH"),
)
"""Of one kind as much as can be: wilds, copies, a whole suit, sets, runs, both, nothing."""

ACES = pytest.mark.parametrize("aces", ["low", "low_or_high"])


def cards(texts: str) -> list[Card]:
    """The cards written in a line."""
    return [parse_card(text) for text in texts.split()]


def discarding(hand: list[Card], aces: str) -> int:
    """The work for all discards of a hand."""
    search = Search(hand, 11, aces)
    search.without_each(hand)
    return search.visits


@ACES
@pytest.mark.parametrize("hand", MELDING)
def test_r11_melding_the_worst_hands_and_all_that_are_one_card_away(hand: str, aces: str) -> None:
    worst = cards(hand)
    assert Search(worst, 11, aces).visits <= MOST_VISITS
    for place in range(len(worst)):
        for card in DECK:
            near = [*worst[:place], card, *worst[place + 1 :]]
            assert Search(near, 11, aces).visits <= MOST_VISITS, near


@ACES
@pytest.mark.parametrize("hand", [*DISCARDING, *EXTREME])
def test_r9_discarding_from_the_worst_hands(hand: str, aces: str) -> None:
    worst = cards(hand)
    assert Search(worst[:13], 11, aces).visits <= MOST_VISITS
    assert discarding(worst, aces) <= MOST_VISITS_DISCARDING
    assert len(discards(worst, 11, ThreeThirteenOptions(aces=aces))) == len(set(worst))


def test_r9_the_worst_hands_are_as_bad_as_it_says() -> None:
    """The bounds are near what is reached, so that a search which does more work is noticed."""
    assert max(Search(cards(hand), 11, "low").visits for hand in MELDING) > 0.8 * MOST_VISITS
    assert max(discarding(cards(hand), "low") for hand in DISCARDING) > 0.8 * MOST_VISITS_DISCARDING


def blocks(size: int, most: int = 12) -> Iterator[tuple[int, ...]]:
    """All ways to hold so many cards of neighbouring ranks, by the number held of each."""
    if size == 0:
        yield ()
    elif most:
        for first in range(1, min(4, size) + 1):
            yield from ((first, *rest) for rest in blocks(size - first, most - 1))


def counted(held: tuple[int, ...]) -> int:
    """The combinations of a block below the 2s: of one rank, sequences, double sequences (T6, T7)."""
    spans = [held[low:high] for low in range(len(held)) for high in range(low + 3, len(held) + 1)]
    of_one_rank = sum(2**count - 1 for count in held)
    return of_one_rank + sum(prod(span) + prod(comb(count, 2) for count in span) for span in spans)


@cache
def most_plays(size: int) -> int:
    """The most combinations that so many cards can hold, the 2s among them being a block of their own."""
    if size == 0:
        return 0
    return max(max(map(counted, blocks(part))) + most_plays(size - part) for part in range(1, size + 1))


def held_as(counts: tuple[int, ...]) -> list[Card]:
    """Cards from the 3s up, so many of each rank."""
    return [
        parse_card(rank + suit)
        for rank, count in zip("3456789TJQKA", counts, strict=False)
        for suit in "SCDH"[:count]
    ]


def test_t8_no_thirteen_cards_have_more_plays_than_the_worst() -> None:
    assert most_plays(13) == MOST_PLAYS
    assert len(legal_plays(held_as((3, 4, 3, 3)), None, Options())) == MOST_PLAYS


@pytest.mark.parametrize(
    "counts", [*((1,) * 12, (4, 4, 4, 1), (3, 4, 3, 3), (2,) * 6, (2, 3, 2, 3, 3), (1, 3, 1, 4, 4))]
)
def test_t8_the_count_is_that_of_the_plays_listed(counts: tuple[int, ...]) -> None:
    """The work of listing them grows with the plays there are."""
    hand = held_as(counts)
    listed = legal_plays(hand, None, Options())
    assert len(listed) == counted(counts)
    assert groups(hand) <= MOST_GROUPS
    of_two_ranks = sum(a * b + comb(a, 2) * comb(b, 2) for a, b in pairwise(counts))
    assert groups(hand) <= len(listed) + of_two_ranks


def groups(hand: list[Card]) -> int:
    """All groups of cards put together while every shape is asked for."""
    held = _Held(hand)
    for shape in SHAPES:
        held.plays(shape)
    return sum(len(top) for rows in held._rows.values() for row in rows for top in row)


@pytest.mark.parametrize("bombs", ["exact", "at_least", "southern"])
@pytest.mark.parametrize("table", ["3S 4S 5S", "2S", "2S 2C", "2S 2C 2D", "3S", "3S 3C 4S 4C 5S 5C"])
def test_t9_following_is_never_more_than_leading(table: str, bombs: str) -> None:
    on_table: Combination | None = classify(cards(table))
    assert on_table is not None
    for counts in ((3, 4, 3, 3), (4, 4, 4, 1), (2, 2, 2, 2, 2, 2, 1)):
        assert len(legal_plays(held_as(counts), on_table, Options(bombs=bombs))) <= MOST_PLAYS
