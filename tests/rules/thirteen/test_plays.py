"""All legal plays of a hand, against the definition over all its subsets, and their order."""

from random import Random

import pytest

from rules.cards import DECK, Card
from rules.thirteen.combinations import Combination, classify
from rules.thirteen.options import Options
from rules.thirteen.plays import legal_plays
from tests.rules.thirteen import referee
from tests.rules.thirteen.playouts import random_hands
from tests.rules.thirteen.positions import cards, combination, texts

SHAPES = [
    *[("single", 1), ("pair", 2), ("triple", 3)],
    *[("sequence", size) for size in range(3, 13)],
    *[("double_sequence", 6), ("quad", 4), ("double_sequence", 8)],
    *[("double_sequence", 10), ("double_sequence", 12)],
]

TABLES = (
    *("4D", "KS", "2C", "5C 5D", "AS AH", "2C 2D", "6S 6C 6H", "2S 2D 2H", "2S 2C 2D 2H", "8S 8C 8D 8H"),
    *("4S 5S 6D", "9C TD JD QH", "3C 4D 5D 6H 7S", "4C 4D 5C 5H 6S 6C", "7S 7C 8S 8D 9C 9H TS TH"),
)


def listed(
    hand: str, table: str | None = None, must_include: str | None = None, bombs: str = "exact"
) -> list[str]:
    """The legal plays as texts."""
    on_table = combination(table) if table else None
    must = cards(must_include)[0] if must_include else None
    plays = legal_plays(cards(hand), on_table, Options(bombs=bombs), must)
    return [" ".join(texts(play.cards)) for play in plays]


def rank_key(play: Combination) -> tuple[int, list[int]]:
    """The documented order: shape, then the cards from the highest down."""
    strengths = sorted((referee.strength(text) for text in texts(play.cards)), reverse=True)
    return SHAPES.index((play.type, play.size)), strengths


def test_t8_every_combination_may_be_led_weakest_first() -> None:
    assert listed("6S 5H 5S 3S 4S") == [
        *("3S", "4S", "5S", "5H", "6S", "5S 5H"),
        *("3S 4S 5S", "3S 4S 5H", "4S 5S 6S", "4S 5H 6S"),
        *("3S 4S 5S 6S", "3S 4S 5H 6S"),
    ]


def test_t9_plays_of_the_tables_shape_with_a_higher_card() -> None:
    assert listed("5C 6C 7S 7H", "5S 6S 7C") == ["5C 6C 7H"]
    assert listed("4D 5D 5H 6D 6H", "3S 4S 5S") == ["4D 5D 6D", "4D 5H 6D", "4D 5D 6H", "4D 5H 6H"]


def test_t7_no_sequence_reaches_a_two() -> None:
    assert listed("QS KS AS AC 2S 2C 3S", "9S TS JS") == ["QS KS AS", "QS KS AC"]


def test_t10_bombs_on_a_two_come_after_higher_twos() -> None:
    hand = "2H 5S 5C 5D 5H 6S 6C 7S 7C"
    pairs_of_fives = ("5S 5C", "5S 5D", "5C 5D", "5S 5H", "5C 5H", "5D 5H")
    on_two = listed(hand, "2S")
    assert on_two[0] == "2H"
    assert on_two[-1] == "5S 5C 5D 5H"
    assert on_two[1:-1] == [f"{pair} 6S 6C 7S 7C" for pair in pairs_of_fives]


def test_southern_bombs_are_listed_up_the_ladder() -> None:
    hand = "4S 4C 4D 4H 5S 5C 6S 6C 7S 7C"
    table = "3S 3C 4S 4C 5S 5C"
    sizes = [len(play.split()) for play in listed(hand, table, bombs="southern")]
    assert sizes == [6] * 7 + [4] + [8] * 6


def test_t17_only_plays_with_the_card_that_must_be_included() -> None:
    assert listed("3S 3C 4S 5S 6S", must_include="3S") == ["3S", "3S 3C", "3S 4S 5S", "3S 4S 5S 6S"]


def test_a_hand_that_can_not_follow_has_no_plays() -> None:
    assert listed("3S 4S 5S 9S 9C", "KS") == []
    assert listed("", None) == []


@pytest.mark.parametrize("seed", range(20))
def test_agrees_with_the_definition_over_all_subsets(seed: int) -> None:
    random = Random(seed)
    for size in (13, 13, random.randint(1, 12)):
        hand = random_hands(random, 4, size)[seed % 4]
        defined = {chosen: c for chosen in referee.subsets(texts(hand)) if (c := referee.combination(chosen))}
        must_include = random.choice(hand)
        for table in (None, *(combination(table) for table in TABLES)):
            for bombs in ("exact", "at_least", "southern"):
                expected = {frozenset(c) for c in following(defined, table, bombs)}
                assert found(hand, table, bombs) == expected
                with_card = {chosen for chosen in expected if must_include.text in chosen}
                assert found(hand, table, bombs, must_include) == with_card


def following(
    defined: dict[tuple[str, ...], referee.Combination], table: Combination | None, bombs: str
) -> list[tuple[str, ...]]:
    """Those of the combinations that beat the table, by the definition."""
    if table is None:
        return list(defined)
    to_beat = referee.combination(texts(table.cards))
    assert to_beat is not None
    return [chosen for chosen, c in defined.items() if referee.beats(c, to_beat, bombs)]


def found(
    hand: tuple[Card, ...], table: Combination | None, bombs: str, must_include: Card | None = None
) -> set[frozenset[str]]:
    """The legal plays as sets of texts, after a look at their order, form, and that none comes twice."""
    plays = legal_plays(hand, table, Options(bombs=bombs), must_include)
    assert list(plays) == sorted(plays, key=rank_key)
    assert all(play == classify(play.cards) for play in plays)
    distinct = {frozenset(texts(play.cards)) for play in plays}
    assert len(distinct) == len(plays)
    return distinct


def test_counts_of_a_deck_of_two_suits() -> None:
    """Counted on paper: a sequence of n has 2^n choices of suits in each of 13 - n places."""
    plays = legal_plays([card for card in DECK if card.suit in "SH"], None, Options())
    sequences = sum((13 - n) * 2**n for n in range(3, 13))
    double_sequences = 10 + 9 + 8 + 7
    assert len(plays) == 26 + 13 + sequences + double_sequences


def test_counts_of_the_hand_with_the_most_plays() -> None:
    """Four ranks of 3, 4, 3 and 3 cards; counted on paper, and no 13 cards have more plays."""
    plays = legal_plays(cards("3S 3C 3D 4S 4C 4D 4H 5S 5C 5D 6S 6C 6D"), None, Options())
    of_one_rank = 7 + 15 + 7 + 7
    sequences = 3 * 4 * 3 + 4 * 3 * 3 + 3 * 4 * 3 * 3
    double_sequences = 3 * 6 * 3 + 6 * 3 * 3 + 3 * 6 * 3 * 3
    assert len(plays) == of_one_rank + sequences + double_sequences == 486
