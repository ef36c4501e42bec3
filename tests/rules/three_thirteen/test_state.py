"""R13: totals and winners, read off a state; and the order of a hand."""

from dataclasses import replace

import pytest

from rules.cards import DECK
from rules.three_thirteen.state import by_suit
from tests.rules.three_thirteen.positions import cards, position

Points = tuple[tuple[int, ...], ...]


@pytest.mark.parametrize(
    ("points", "totals", "winners"),
    [
        (((5, 0, 7), (0, 9, 2)), (12, 11), (1,)),
        (((5, 0, 7), (0, 9, 3)), (12, 12), (0, 1)),
        (((30, 1), (4, 20), (25, 0), (24, 0)), (31, 24, 25, 24), (1, 3)),
        (((), ()), (0, 0), (0, 1)),
    ],
)
def test_r13_points_add_up_and_the_lowest_total_wins_equal_ones_together(
    points: Points, totals: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    state = replace(position(*["4S 7D JH"] * len(points)), points=points)
    assert (state.totals, state.winners) == (totals, winners)


def test_players_are_as_many_as_hands_also_empty_ones() -> None:
    state = position("4S 7D JH", "5S 8D QH", "6S 9D KH")
    assert replace(state, hands=(state.hands[0], (), state.hands[2])).players == 3


def test_a_hand_is_sorted_by_suit_then_rank_identical_cards_together() -> None:
    assert by_suit(cards("2H AH KD TS AS 9C TS 2S JC")) == cards("AS 2S TS TS 9C JC KD AH 2H")
    assert by_suit(reversed(DECK)) == DECK
