"""R7, R8, R11 and R12: the cheapest arrangement of a hand, with all options."""

from collections import Counter
from random import Random

import pytest

from rules.three_thirteen.arrangement import Arrangement, describe_arrangement, describe_meld
from rules.three_thirteen.melds import arrange
from rules.three_thirteen.options import Options
from rules.three_thirteen.ranks import ROUNDS, hand_size
from tests.rules.three_thirteen.exhaustive import fewest_points
from tests.rules.three_thirteen.hands import EVERY_KIND, Question, questions
from tests.rules.three_thirteen.melding import is_told_rightly, penalty, points
from tests.rules.three_thirteen.positions import cards

HIGH = "low_or_high"


def arranged(text: str, round_: int, **rules: object) -> Arrangement:
    """The best arrangement of a hand written as text."""
    return arrange(cards(text), round_, Options.build(rules))


def cost(text: str, round_: int, **rules: object) -> int:
    """The fewest points of a hand written as text."""
    return arranged(text, round_, **rules).penalty


@pytest.mark.parametrize(
    ("text", "round_", "least"),
    [
        ("7S 7C 7D", 1, 0),
        ("5H 6H 7H", 1, 0),
        ("7S 7C 8D", 1, 22),
        ("5H 6H 8H", 1, 19),
        ("7H 7H 7S 2C", 2, 2),
        ("8S 8S 9S TS TS 9S", 4, 0),
        ("6S 7S 8S 6C 7C 8C 8D", 6, 0),
        ("4S 5S 6S 7S 8S 9S TS JS QS", 7, 0),
        ("6S 6C 6D 7S 8S", 3, 12),
        ("6S 6C 6D 6H 7S 8S", 4, 0),
    ],
)
def test_r7_cards_are_in_one_meld_each_and_melds_may_be_long(text: str, round_: int, least: int) -> None:
    assert cost(text, round_) == least


@pytest.mark.parametrize(
    ("text", "round_", "least"),
    [
        ("7H 7S 3C", 1, 0),
        ("3S 3H 3D", 1, 0),
        ("9H 3S 3D", 1, 0),
        ("9H KD 3D", 1, 22),
        ("5H 3C 7H", 1, 0),
        ("5H 3C 8H", 1, 16),
        ("3S 3C 9H KD", 2, 25),
        ("4S 4C 9H KD", 2, 9),
        ("4S 4C 4D KD", 2, 0),
        ("4S 4C 4D KD 9S", 2, 9),
        ("6H 7H 8H 2C KS 8C JD", 5, 28),
        ("5S 5S 6S 7S 7S", 3, 6),
        ("KH KD KC KS 2S 3S 5S 6C 6D 9H TH 4C 8D", 11, 0),
        ("KH KD KC 3S 4S 5S 6C 6D 9H TH 4C 8D 7S", 11, 7),
        ("KS KS KS KS KS KS KS KS KS KS KS KS 2D", 11, 0),
        ("KS KS KS 5H 6D 4D 6S AH 2C", 11, 7),
        ("KS KC KD KH KS KC KD KH KS KC KD KH KS", 11, 0),
    ],
)
def test_r8_wilds_fill_a_place_each_and_there_may_be_any_number(text: str, round_: int, least: int) -> None:
    assert cost(text, round_) == least


@pytest.mark.parametrize(
    ("text", "round_", "least"),
    [
        ("AS 5C 9D", 1, 15),
        ("TS JC QD", 1, 30),
        ("KS QD JC AD 5H", 4, 36),
        ("3C 4D KS", 1, 17),
        ("3C 3D 9S", 1, 0),
        ("8C 9H KS KD KH", 3, 17),
        ("KH KD 2S 3S 5S 6C", 4, 10),
        ("TC 2D 3D 2H 6H 6S", 4, 7),
    ],
)
def test_r11_what_is_left_over_counts_and_the_sum_is_the_least(text: str, round_: int, least: int) -> None:
    assert cost(text, round_) == least


def test_r11_melding_fewer_cards_can_be_cheaper() -> None:
    """Two wilds for a jack leave 21; one for the pair of fours melds a card more and leaves 23."""
    best = arranged("7C JC 4D 3H TH 4S 7S", 5)
    assert (best.penalty, [len(meld.cards) for meld in best.melds]) == (21, [3])


def test_r11_a_left_over_wild_counts_by_its_rank_or_as_the_option_says() -> None:
    for leftover_wild, least in ((None, 9 + 10 + 3), (0, 19), (25, 44), (50, 69)):
        best = arranged("3C 9S KD", 1, leftover_wild=leftover_wild)
        assert (best.penalty, best.melds) == (least, ())
        assert best.leftover[-1] == (*cards("3C"), least - 19)
    assert cost("KC 2S 3S 4S 5D 6D 7D 9C 9H 9D TS JC AC", 11, leftover_wild=50) == 10 + 10 + 1
    assert cost("3S 3D AC", 1, leftover_wild=0) == 0


def test_r8_r11_spare_wilds_join_a_meld_or_make_one_of_their_own() -> None:
    into_a_set = arranged("7S 7C 7D 4H", 2, leftover_wild=50)
    assert [meld.represents for meld in into_a_set.melds] == [("7S", "7C", "7D", "7")]
    into_a_run = arranged("8S 9S TS 4H 4D", 2, leftover_wild=50)
    assert [meld.represents for meld in into_a_run.melds] == [("8S", "9S", "TS", "JS", "QS")]
    their_own = arranged("8S 9S TS 4H 4D 4C", 2)
    assert sorted(meld.type for meld in their_own.melds) == ["run", "set"]
    assert into_a_set.penalty == into_a_run.penalty == their_own.penalty == 0


@pytest.mark.parametrize(
    ("text", "round_", "low", "low_or_high"),
    [
        ("AH 2H 3H", 1, 0, 0),
        ("QH KH AH 9C", 2, 30, 9),
        ("KH AH 2H 9C", 2, 22, 36),
        ("JH QH KH AH", 2, 1, 0),
        ("AH AC 9D", 1, 11, 39),
        ("KS KD AD 7C", 2, 28, 42),
        ("AH 2H 3H QH KH", 3, 20, 5),
        ("AH AH 2H 3H QH KH", 4, 21, 0),
        ("AH 3D KH", 1, 14, 0),
    ],
)
def test_r12_aces_are_low_and_with_the_option_also_high(
    text: str, round_: int, low: int, low_or_high: int
) -> None:
    assert cost(text, round_) == low
    assert cost(text, round_, aces=HIGH) == low_or_high


@pytest.mark.parametrize("round_", ROUNDS)
def test_r11_no_arrangement_is_cheaper(round_: int) -> None:
    size = hand_size(round_)
    count = {3: 300, 4: 300, 5: 300, 6: 300, 7: 300, 8: 250, 9: 200, 10: 150, 11: 100, 12: 70, 13: 70}[size]
    for question in questions(Random(round_), round_, size, count):
        best = arrange(question.cards, question.round, question.rules)
        assert best.penalty == fewest_points(*question)
        check(best, question)


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7])
def test_r11_no_partition_into_melds_whatever_is_cheaper(size: int) -> None:
    for question in questions(Random(size), size - 2, size, 2 * len(EVERY_KIND)):
        assert arrange(question.cards, question.round, question.rules).penalty == penalty(*question)


@pytest.mark.parametrize("round_", ROUNDS)
def test_r7_r8_r11_every_arrangement_is_legal_and_adds_up(round_: int) -> None:
    for question in questions(Random(f"laid {round_}"), round_, hand_size(round_), 200):
        check(arrange(question.cards, question.round, question.rules), question)


def check(best: Arrangement, question: Question) -> None:
    """Every card is used once, melds are melds and are told rightly, points are right and add up."""
    laid = [card.text for meld in best.melds for card in meld.cards]
    left = [card.text for card, _ in best.leftover]
    assert Counter(laid + left) == Counter(question.hand)
    assert all(is_told_rightly(describe_meld(meld), question.round, question.rules) for meld in best.melds)
    assert [n for _, n in best.leftover] == [points(card, question.round, question.rules) for card in left]
    assert best.penalty == sum(n for _, n in best.leftover)


@pytest.mark.parametrize("round_", ROUNDS)
def test_r11_the_order_of_the_hand_changes_nothing_but_the_order_of_the_answer(round_: int) -> None:
    random = Random(round_)
    for question in questions(random, round_, hand_size(round_), 40):
        hand = question.cards
        best = describe_arrangement(arrange(hand, question.round, question.rules))
        random.shuffle(hand)
        again = describe_arrangement(arrange(hand, question.round, question.rules))
        assert best["penalty"] == again["penalty"]
        assert len(best["melds"]) == len(again["melds"])


def test_left_over_cards_come_in_the_order_of_the_hand_wilds_last() -> None:
    best = arranged("9S 3C KD", 1)
    assert [card.text for card, _ in best.leftover] == ["9S", "KD", "3C"]
