"""Melds and arranged hands: what makes a meld, and what its wilds stand for (R7, R8, R12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.cards import Card, Rank, Suit
from rules.game import JSON
from rules.three_thirteen.ranks import RANKS

SET = "set"
RUN = "run"
SMALLEST = 3
"""Cards of the smallest meld."""

_PLACES = {rank: place for place, rank in enumerate(RANKS, 1)}
_LINES = {suit: tuple(rank + suit for rank in (*RANKS, Rank.ACE)) for suit in Suit}
"""By suit, the cards that stand at the 14 places of a run, an ace at both ends."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A set or a run, and for each card what it stands for: itself, another card, or in a set a rank."""

    type: str
    cards: tuple[Card, ...]
    represents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A hand as melds and left-over cards, these with what they count; `penalty` is the sum of that."""

    penalty: int
    melds: tuple[Meld, ...]
    leftover: tuple[tuple[Card, int], ...]


def read_meld(cards: Sequence[Card], wild: Rank, high_aces: bool) -> Meld | None:
    """The meld that these cards are, in whatever order they come, or None; what could be either is a set."""
    naturals = [card for card in cards if card.rank is not wild]
    wilds = [card for card in cards if card.rank is wild]
    if len(cards) < SMALLEST:
        return None
    if len({card.rank for card in naturals}) <= 1:
        return set_of(naturals, wilds)
    return run_of(naturals, wilds, high_aces)


def set_of(naturals: Sequence[Card], wilds: Sequence[Card]) -> Meld:
    """A set of natural cards of one rank, with wilds standing for that rank; wilds alone are themselves."""
    represents = tuple([card.text for card in naturals or wilds])
    if naturals and wilds:
        return Meld(SET, (*naturals, *wilds), represents + (naturals[0].text[0],) * len(wilds))
    return Meld(SET, (*naturals, *wilds), represents)


def widened(meld: Meld, wilds: Sequence[Card], wild: Rank, high_aces: bool) -> Meld:
    """The meld with more wilds in it; raises `ValueError` where a run has no room for them."""
    wider = read_meld((*meld.cards, *wilds), wild, high_aces)
    if wider is None:
        raise ValueError("a run has each rank once")
    return wider


def run_of(naturals: Sequence[Card], wilds: Sequence[Card], high_aces: bool) -> Meld | None:
    """The run of two or more natural cards and wilds, lowest first, or None where they are no run.

    Where it could lie higher or lower, it lies so that a wild stands for itself, else as high as can be. The
    other wilds fill the places in the order given, so a run that is told can be laid down again as told.
    """
    suit = naturals[0].suit
    size = len(naturals) + len(wilds)
    for bottom in (1, 2) if high_aces else (1,):
        spots = {_place(card.rank, bottom): card for card in naturals if card.suit is suit}
        lows = range(max(bottom, max(spots) - size + 1), min(*spots, bottom + len(RANKS) - size) + 1)
        if len(spots) == len(naturals) and lows:
            return _filled(suit, lows, size, spots, list(wilds))
    return None


def _place(rank: Rank, bottom: int) -> int:
    """Where the rank stands among the 13 places from `bottom` (1 or 2) up; an ace is at one end."""
    return len(RANKS) + 1 if rank is Rank.ACE and bottom > 1 else _PLACES[rank]


def _filled(suit: Suit, lows: range, size: int, spots: dict[int, Card], wilds: list[Card]) -> Meld:
    low = lows[-1]
    for card in wilds:
        own = _PLACES[card.rank]
        start = min(own, low)
        if card.suit is suit and start >= lows[0] and own < start + size:
            before = [place for place in range(start, own) if place not in spots]
            told = wilds[len(before)] is card  # of several copies the one that stands there already
            wilds.pop(len(before) if told else wilds.index(card))
            low, spots[own] = start, card
            break
    places = range(low, low + size)
    cards = tuple([spots[place] if place in spots else wilds.pop(0) for place in places])
    return Meld(RUN, cards, _LINES[suit][low - 1 : low + size - 1])


def describe_meld(meld: Meld) -> dict[str, JSON]:
    """`{type, cards, represents}`, as answers and events write it."""
    cards = [card.text for card in meld.cards]
    return {"type": meld.type, "cards": cards, "represents": list(meld.represents)}


def describe_arrangement(arrangement: Arrangement) -> dict[str, JSON]:
    """`{penalty, melds, leftover: [{card, points}]}`, as answers and events write it."""
    return {
        "penalty": arrangement.penalty,
        "melds": [describe_meld(meld) for meld in arrangement.melds],
        "leftover": [{"card": card.text, "points": points} for card, points in arrangement.leftover],
    }
