"""R7, R8 and R12: what is a meld, and what its wilds stand for."""

from random import Random

import pytest

from rules.cards import DECK
from rules.three_thirteen.arrangement import (
    Arrangement,
    Meld,
    describe_arrangement,
    describe_meld,
    read_meld,
    widened,
)
from rules.three_thirteen.options import Options
from rules.three_thirteen.ranks import ROUNDS, wild_rank
from tests.rules.three_thirteen.hands import questions
from tests.rules.three_thirteen.melding import is_meld, is_told_rightly
from tests.rules.three_thirteen.positions import card, cards, texts

AFTER_THE_ACES = 11
"""A round whose wilds, the kings, are in no meld tried here."""


def read(text: str, round_: int, aces: str = "low") -> tuple[str, str] | None:
    """Type of the meld and what its cards stand for, None where it is none."""
    meld = read_meld(cards(text), wild_rank(round_), Options(aces=aces).high_aces)
    return (meld.type, " ".join(meld.represents)) if meld else None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("7S 7C 7D", ("set", "7S 7C 7D")),
        ("7S 7S 7S", ("set", "7S 7S 7S")),
        ("7H 7S 7H 7D 7C 7S", ("set", "7H 7S 7H 7D 7C 7S")),
        ("5H 6H 7H", ("run", "5H 6H 7H")),
        ("9D 7D 8D 6D TD JD", ("run", "6D 7D 8D 9D TD JD")),
        ("7S 7C", None),
        ("5H 6H", None),
        ("7S 7C 8D", None),
        ("5H 6H 7S", None),
        ("5H 6H 8H", None),
        ("5H 6H 6H 7H", None),
        ("5H 5H 6H 7H", None),
    ],
)
def test_r7_sets_of_one_rank_and_runs_of_one_suit(text: str, told: tuple[str, str] | None) -> None:
    assert read(text, AFTER_THE_ACES) == told


@pytest.mark.parametrize(
    ("text", "round_", "told"),
    [
        ("7S 3C 7D", 1, ("set", "7S 7D 7")),
        ("3C 7S 3D", 1, ("set", "7S 7 7")),
        ("3C 3S 3D", 1, ("set", "3C 3S 3D")),
        ("3S 3S 3S 3S", 1, ("set", "3S 3S 3S 3S")),
        ("5H 3C 7H", 1, ("run", "5H 6H 7H")),
        ("5H 3C 8H", 1, None),
        ("5H 3C 3S 8H", 1, ("run", "5H 6H 7H 8H")),
        ("QH KH 3S", 1, ("run", "JH QH KH")),
        ("AH 2H 3H", 1, ("run", "AH 2H 3H")),
        ("2H 4H 5H", 1, None),
        ("6H 7H 8H", 5, ("run", "6H 7H 8H")),
        ("6H 7S 8H", 5, ("run", "6H 7H 8H")),
        ("5H 6C 7C", 4, None),
        ("5H 5H 7H", 1, None),
        ("KS 3S KD AD", 1, None),
    ],
)
def test_r8_wilds_stand_for_any_card_or_themselves(
    text: str, round_: int, told: tuple[str, str] | None
) -> None:
    assert read(text, round_) == told


def test_r8_a_run_lies_where_a_wild_is_itself_else_as_high_as_it_can() -> None:
    assert read("8H 9H 7H", 5) == ("run", "7H 8H 9H")
    assert read("8H 9H 7S", 5) == ("run", "8H 9H TH")
    assert read("5H 6H 7H", 5) == ("run", "5H 6H 7H")
    assert read("9H TH 7H", 5) == ("run", "9H TH JH")
    assert read("9H TH 7H 7S", 5) == ("run", "7H 8H 9H TH")


def test_r7_r8_a_run_has_each_rank_once_so_13_cards_at_most() -> None:
    wilds = "3S " * 11
    assert read(wilds + "5H 7H", 1) == ("run", "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH")
    assert read(wilds + "3S 5H 7H", 1) is None
    assert read(wilds + "3S 5H 7H", 1, "low_or_high") is None


@pytest.mark.parametrize(
    ("text", "low", "low_or_high"),
    [
        ("AH 2H 3H", ("run", "AH 2H 3H"), ("run", "AH 2H 3H")),
        ("QH KH AH", None, ("run", "QH KH AH")),
        ("KH AH 2H", None, None),
        ("QH KH AH 2H", None, None),
        ("AH AH QH KH", None, None),
        ("TH 3S AH QH KH", None, ("run", "TH JH QH KH AH")),
        ("KH 3S AH", None, ("run", "QH KH AH")),
        ("QH KH 3S", ("run", "JH QH KH"), ("run", "JH QH KH")),
        ("AH 3S 4H", None, None),
        ("AH 3S 3C 4H", ("run", "AH 2H 3H 4H"), ("run", "AH 2H 3H 4H")),
        ("AH AS AD", ("set", "AH AS AD"), ("set", "AH AS AD")),
    ],
)
def test_r12_an_ace_is_low_and_with_the_option_also_high(
    text: str, low: tuple[str, str] | None, low_or_high: tuple[str, str] | None
) -> None:
    assert read(text, 1) == low
    assert read(text, 1, "low_or_high") == low_or_high


@pytest.mark.parametrize("round_", ROUNDS)
def test_r7_r8_r12_random_cards_are_melds_where_the_clauses_say_so(round_: int) -> None:
    random = Random(round_)
    melds = 0
    for size in (3, 3, 3, 4, 4, 5, 6, 8, 11, 13):
        for hand, _, rules in questions(random, round_, size, 64):
            meld = read_meld(cards(" ".join(hand)), wild_rank(round_), rules.high_aces)
            assert (meld is not None) == is_meld(hand, round_, rules)
            if meld:
                melds += 1
                assert sorted(texts(meld.cards)) == sorted(hand)
                assert is_told_rightly(describe_meld(meld), round_, rules)
    assert melds > 100


@pytest.mark.parametrize("round_", ROUNDS)
def test_r8_a_meld_that_is_told_is_read_as_it_was_told(round_: int) -> None:
    random, wild, told = Random(f"told {round_}"), wild_rank(round_), 0
    pool = [*DECK, *[card for card in DECK if card.rank is wild] * 12]
    while told < 100:
        high_aces = random.choice([True, False])
        meld = read_meld(random.sample(pool, random.randint(3, 7)), wild, high_aces)
        if meld:
            assert read_meld(meld.cards, wild, high_aces) == meld
            told += 1


def test_r8_a_meld_takes_more_wilds_and_a_run_no_more_than_there_is_room_for() -> None:
    pair = read_meld(cards("7S 7D 3C"), wild_rank(1), False)
    assert pair is not None
    assert widened(pair, cards("3S 3H"), wild_rank(1), False).represents == ("7S", "7D", "7", "7", "7")
    run = read_meld(cards("5H 6H 7H"), wild_rank(1), False)
    assert run is not None
    assert widened(run, cards("3C"), wild_rank(1), False).represents == ("5H", "6H", "7H", "8H")
    with pytest.raises(ValueError, match="each rank once"):
        widened(run, cards("3C " * 11), wild_rank(1), False)


def test_arrangements_are_described_card_by_card() -> None:
    meld = Meld("set", cards("7S 7D 3C"), ("7S", "7D", "7"))
    told = {"type": "set", "cards": ["7S", "7D", "3C"], "represents": ["7S", "7D", "7"]}
    assert describe_meld(meld) == told
    assert describe_arrangement(Arrangement(12, (meld,), ((card("KH"), 10), (card("2H"), 2)))) == {
        "penalty": 12,
        "melds": [told],
        "leftover": [{"card": "KH", "points": 10}, {"card": "2H", "points": 2}],
    }
