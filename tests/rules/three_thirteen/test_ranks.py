"""R2, R3, R8 and R11: the order of ranks, the rounds, the wild rank, and what cards count."""

from random import Random

import pytest

from rules.cards import DECK
from rules.three_thirteen.ranks import DECK_ORDER, RANKS, ROUNDS, face_value, hand_size, wild_rank


def test_r2_ranks_go_from_the_ace_to_the_king() -> None:
    assert "".join(RANKS) == "A23456789TJQK"


def test_r3_eleven_rounds_deal_three_to_thirteen_cards() -> None:
    assert [hand_size(round_) for round_ in ROUNDS] == [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]


def test_r8_the_wild_rank_goes_from_the_three_to_the_king() -> None:
    assert "".join(wild_rank(round_) for round_ in ROUNDS) == "3456789TJQK"


@pytest.mark.parametrize(("high_aces", "ace"), [(False, 1), (True, 15)])
def test_r11_cards_count_face_value_ten_at_most_and_an_ace_by_the_option(high_aces: bool, ace: int) -> None:
    values = [face_value(rank, high_aces) for rank in RANKS]
    assert values == [ace, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_hands_are_sorted_by_suit_then_rank() -> None:
    shuffled = Random(1).sample(DECK, 52)
    ordered = [card.text for card in sorted(shuffled, key=DECK_ORDER.__getitem__)]
    assert ordered == [rank + suit for suit in "SCDH" for rank in "A23456789TJQK"]
