"""R9, R11: the best discard, chosen together with the melding."""

from random import Random

import pytest

from rules.three_thirteen.melds import arrange, discards
from rules.three_thirteen.options import Options
from rules.three_thirteen.ranks import ROUNDS, hand_size
from tests.rules.three_thirteen.exhaustive import fewest_points
from tests.rules.three_thirteen.hands import questions
from tests.rules.three_thirteen.melding import RANKS, SUITS, less, points
from tests.rules.three_thirteen.positions import cards


def options(text: str, round_: int, **rules: object) -> dict[str, int]:
    """By card the penalty that its discard leaves, in the order given."""
    found = discards(cards(text), round_, Options.build(rules))
    return {option.discard.text: option.penalty for option in found}


@pytest.mark.parametrize(
    ("text", "round_", "best", "least"),
    [
        ("7H 7S 3C 9D", 1, "9D", 0),
        ("3C 2D 3D QD 2H 6H 6S", 4, "QD", 0),
        ("JH 9H TC 4C KS", 2, "KS", 10),
        ("5H 6H 7H 8H", 1, "8H", 0),
        ("3S 3C 3D 3H", 1, "3S", 0),
        ("2S 3S 4S 4C 4D KD", 4, "KD", 5),
    ],
)
def test_r9_the_best_discard_comes_first(text: str, round_: int, best: str, least: int) -> None:
    assert next(iter(options(text, round_).items())) == (best, least)


def test_r11_melding_first_and_dropping_the_dearest_card_left_is_wrong() -> None:
    """All seven are cheapest with the queen in a meld of wilds; without her two sets of three are there."""
    hand = "2S 2C 3S 3C 6C 6H QH"
    whole = arrange(cards(hand), 4, Options())
    assert (whole.penalty, [card.text for card, _ in whole.leftover]) == (10, ["2S", "2C", "3S", "3C"])
    assert options(hand, 4) == {"QH": 0, "3S": 7, "3C": 7, "2S": 8, "2C": 8, "6C": 14, "6H": 14}


def test_r9_each_distinct_card_is_there_once_dearest_first_among_equals() -> None:
    assert list(options("9S 9S TC KD KH", 3).items()) == [
        ("TC", 38),
        ("KD", 38),
        ("KH", 38),
        ("9S", 39),
    ]


def test_r11_a_discarded_wild_saves_its_points_alone() -> None:
    assert options("3C 9S KD 5H", 1) == {"KD": 17, "9S": 18, "5H": 22, "3C": 24}
    assert options("3C 9S KD 5H", 1, leftover_wild=50)["3C"] == 24
    assert options("3C 9S KD 5H", 1, leftover_wild=50)["KD"] == 64


@pytest.mark.parametrize("round_", ROUNDS)
def test_r9_r11_discards_are_worth_what_the_other_cards_are(round_: int) -> None:
    size = hand_size(round_) + 1
    for hand, _, rules in questions(Random(round_), round_, size, 128):
        found = discards(cards(" ".join(hand)), round_, rules)
        assert sorted(option.discard.text for option in found) == sorted({*hand})
        for option in found:
            kept = cards(" ".join(less(hand, option.discard.text)))
            assert option.penalty == arrange(kept, round_, rules).penalty
        order = [
            (option.penalty, -points(option.discard.text, round_, rules), place(option.discard.text))
            for option in found
        ]
        assert order == sorted(order)


@pytest.mark.parametrize("round_", ROUNDS)
def test_r9_r11_no_discard_leaves_less_than_is_told(round_: int) -> None:
    size = hand_size(round_) + 1
    for hand, _, rules in questions(Random(f"least {round_}"), round_, size, 24 if size < 11 else 6):
        for option in discards(cards(" ".join(hand)), round_, rules):
            assert option.penalty == fewest_points(less(hand, option.discard.text), round_, rules)


def place(card: str) -> tuple[int, int]:
    """By suit, then rank."""
    return SUITS.index(card[1]), RANKS.index(card[0])
