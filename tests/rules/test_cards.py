"""Cards and their text forms, read and written, and decks in the order the shuffle starts from."""

import copy
import pickle

import pytest

from rules.cards import DECK, SPELLINGS, Rank, Suit, decks, join_cards, parse_card, parse_cards


def test_t1_a_deck_has_each_card_once_by_suits_then_from_the_ace_up() -> None:
    in_order = [rank + suit for suit in "SCDH" for rank in "A23456789TJQK"]
    assert [card.text for card in DECK] == in_order
    assert [(card.rank + card.suit, str(card)) for card in DECK] == [(text, text) for text in in_order]


def test_r1_several_decks_follow_each_other() -> None:
    assert decks(1) == DECK
    assert decks(3) == DECK + DECK + DECK


@pytest.mark.parametrize(
    ("spelling", "text"),
    [
        ("TS", "TS"),
        ("10S", "TS"),
        ("ts", "TS"),
        ("10s", "TS"),
        ("10♥", "TH"),
        ("T♣", "TC"),
        ("t♦", "TD"),
        ("A♠", "AS"),
        ("a♠", "AS"),
        ("kh", "KH"),
        ("kH", "KH"),
        ("Kh", "KH"),
        ("2d", "2D"),
        ("3♠\ufe0f", "3S"),
        ("10♥\ufe0e", "TH"),
    ],
)
def test_accepted_spellings(spelling: str, text: str) -> None:
    assert parse_card(spelling).text == text


def test_all_spellings_are_the_output_form_in_either_case_with_symbols_and_with_10() -> None:
    symbols = dict(zip("SCDH", "♠♣♦♥", strict=True))
    expected = {}
    for card in DECK:
        rank, suit = card.text[0], card.text[1]
        for written in {rank, rank.lower(), "10" if rank == "T" else rank}:
            symbol = symbols[suit]
            for sign in (suit, suit.lower(), symbol, symbol + "\ufe0e", symbol + "\ufe0f"):
                expected[written + sign] = card
    assert expected == SPELLINGS


NO_CARDS = (
    *("", "3", "S", "S3", "1S", "0S", "11S", "10", "3X", "3SS", "010S", "1OS", "X", "Joker"),
    *(
        "3S ",
        " 3S",
        "3S\n",
        "3 S",
        "♠3",
        "♤",
        "3♤",
        "3\ufe0e♠",
        "3S\ufe0f",
        "3♠\ufe0f\ufe0f",
        "\u0663S",
        "\uff13S",
    ),
)


@pytest.mark.parametrize("text", NO_CARDS)
def test_refused_spellings(text: str) -> None:
    with pytest.raises(KeyError):
        parse_card(text)


def test_a_card_exists_once() -> None:
    for card in DECK:
        assert parse_card(card.text) is card
        assert pickle.loads(pickle.dumps(card)) is card
        assert copy.deepcopy(card) is card
    assert len(set(DECK)) == 52


def test_every_rank_and_suit_has_its_letter() -> None:
    assert "".join(Rank) == "A23456789TJQK"
    assert "".join(Suit) == "SCDH"


def test_joined_cards_are_read_back() -> None:
    assert join_cards(DECK[8:11]) == "9STSJS"
    assert parse_cards(join_cards(DECK)) == DECK
    assert (join_cards(()), parse_cards("")) == ("", ())


@pytest.mark.parametrize("text", ["3", "3STS2", "10S", "3S4X"])
def test_a_line_that_is_no_cards_is_refused(text: str) -> None:
    with pytest.raises(KeyError):
        parse_cards(text)
