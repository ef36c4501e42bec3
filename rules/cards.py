"""Ranks, suits, cards and their text forms; decks in the order the shuffle starts from.

A card is one of 52 objects that exist once, so cards compare and hash by identity. No order is
defined here: each game ranks cards its own way (T3, T4, R2).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import product


class Rank(StrEnum):
    """The 13 ranks in deck order."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"


class Suit(StrEnum):
    """The four suits in deck order."""

    SPADES = "S"
    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A playing card. Get one with `parse_card` or from `DECK`; never construct one."""

    rank: Rank
    suit: Suit
    text: str

    @property
    def symbol(self) -> str:
        """The card as people read it: `10♦`."""
        return ("10" if self.rank is Rank.TEN else self.rank.value) + _SYMBOLS[self.suit]

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[object, ...]:
        return parse_card, (self.text,)


DECK: tuple[Card, ...] = tuple(Card(r, s, r + s) for s in Suit for r in Rank)
"""One deck of 52: suits S C D H, in each the ranks A 2 … K."""

_SYMBOLS = {Suit.SPADES: "♠", Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥"}


_STYLES = ("", "\ufe0e", "\ufe0f")
"""What keyboards put behind a symbol to have it drawn as text or as a picture (Unicode TR51)."""


def _spellings(card: Card) -> Iterable[str]:
    ranks = [card.rank.value, card.rank.lower(), *(["10"] if card.rank is Rank.TEN else [])]
    suits = [card.suit.value, card.suit.lower(), *(_SYMBOLS[card.suit] + style for style in _STYLES)]
    return (r + s for r, s in product(ranks, suits))


SPELLINGS: dict[str, Card] = {text: card for card in DECK for text in _spellings(card)}
"""Every accepted spelling of every card: `TS`, `10S`, `ts`, `10♠`, …"""


def parse_card(text: str) -> Card:
    """The card written `text`; raises `KeyError` where it is no spelling of one."""
    return SPELLINGS[text]


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards of a compact line such as `3STS2H`, as `join_cards` writes it; raises `KeyError`."""
    return tuple([SPELLINGS[text[i : i + 2]] for i in range(0, len(text), 2)])


def join_cards(cards: Iterable[Card]) -> str:
    """The cards' output forms without separators; `parse_cards` reads it back."""
    return "".join([card.text for card in cards])


def decks(count: int) -> tuple[Card, ...]:
    """`count` decks of 52, one after the other, unshuffled."""
    return DECK * count
