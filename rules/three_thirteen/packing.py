"""Cards as numbers, and every short run there is: tables worked out once for each rule about aces.

A *place* is where a rank stands in a run: 1 for an ace below the 2, then 2 to 13, and 14 for an ace
above the king. Each rank has a *level*, which orders the decisions of a search: its place, and 14 for
an ace that may be high.

*Packed* cards are one number of three parts. At the bottom, each of the 52 cards has a field that
counts its copies. Above these, each level has one that counts its cards; level 0 counts the wilds. On
top stands the sum of what the natural cards count. Cards are taken away by one subtraction: a guard bit
at the head of each card's field, set beforehand, is found cleared where a card was not there to take.

A *mask* tells which natural cards are present: a bit for each place of each suit, lowest place first.
An ace that may be high has a bit at both ends of its suit.

What the search unpacks over and over are plain tuples, which are quicker than anything with names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from rules.cards import DECK, Card, Rank, Suit
from rules.three_thirteen.arrangement import RUN, SMALLEST, Meld
from rules.three_thirteen.ranks import DECK_ORDER, RANKS, face_value, wild_rank

HIGH_ACE = 14
LEVELS = range(1, HIGH_ACE + 1)
LONGEST = 5
"""Places of the longest run that need be looked at; longer ones are split."""
BELOW = LONGEST - 1
"""Places beneath the highest card of such a run."""
MOST_WILDS = 3
"""More wilds than this open no further kind of run: two cards at the ends of five places need three."""

FIELD = 5
"""Bits of a field: up to 14 cards of a level, or 8 copies of a card and the guard."""
LEVELS_AT = FIELD * len(DECK)
"""Where the levels' fields begin, that of level 0 first."""
WORTH_AT = LEVELS_AT + FIELD * (HIGH_ACE + 1)
"""Where the sum of what the natural cards count begins."""
GUARD = sum(1 << FIELD * order + FIELD - 1 for order in DECK_ORDER.values())
SUIT_BITS = HIGH_ACE + 1 + BELOW
"""Bits of a suit in a mask: its places, and so many more that no run reaches from suit to suit."""

_SUITS: tuple[Suit, ...] = tuple(Suit)
_ONES = sum(1 << FIELD * level for level in LEVELS)
_HEADS = _ONES << FIELD - 1
_COUNTS = (1 << WORTH_AT - LEVELS_AT) - 1
_TO_THE_HEAD = tuple(((1 << FIELD - 1) - max(1, SMALLEST - wilds)) * _ONES for wilds in range(SMALLEST))
"""By wilds, what lifts a level's count to the head of its field if the wilds make a set of it."""


@dataclass(frozen=True, slots=True)
class Run:
    """Two to five natural cards in no more than five places of a suit, lowest first, also packed.

    `line` is the run in order, None where it needs a wild; `represents` is what stands in each place.
    `meld` is the whole run, where it needs no wild.
    """

    packed: int
    cards: tuple[Card, ...]
    line: tuple[Card | None, ...]
    represents: tuple[str, ...]
    meld: Meld | None


Choice = tuple[int, int, int, Run]
"""A run to take: its natural cards packed, the wilds it needs, what its cards count, and itself."""

Level = tuple[int, int, int, int]
"""Its number, where a packed number counts its cards, what one counts, and what clears it there."""


@dataclass(frozen=True, slots=True)
class Group:
    """Runs with the same highest card, decided on at one `level`; those that need fewer wilds come first.

    `peaks`: as wilds grow, (wilds, the highest value of a run that needs no more than these). `mask`: the
    cards of all the runs. `copies_at`: where a packed number counts the card by which they have the level.
    """

    level: int
    runs: tuple[Choice, ...]
    peaks: tuple[tuple[int, int], ...]
    mask: int
    copies_at: int


Groups = dict[int, list[Group]]
"""By level the groups of runs decided on there; none where there can only be a set."""


class Tables:
    """The numbers under one rule about aces (R7, R8, R11, R12).

    By card: `ones`, the card packed; `masks`; `leftover`, the card and what it counts. By level: `levels`,
    `level_masks`, `ranks`.
    """

    def __init__(self, high_aces: bool) -> None:
        self.high_aces = high_aces
        self._top = HIGH_ACE if high_aces else HIGH_ACE - 1
        self._level = {
            card: HIGH_ACE if high_aces and card.rank is Rank.ACE else _place(card) for card in DECK
        }
        self.leftover = {card: (card, face_value(card.rank, high_aces)) for card in DECK}
        self.ones = {card: self._one(card) for card in DECK}
        self.masks = {card: self._mask(card) for card in DECK}
        levels = range(HIGH_ACE + 1)
        self.ranks = tuple(_card(level, Suit.SPADES).rank for level in levels)
        self.levels = tuple(self._about(level) for level in levels)
        self.level_masks = tuple(_union(1 << _bit(level, suit) for suit in _SUITS) for level in levels)
        places = range(1, self._top + 1)
        self._groups = {_bit(place, suit): self._under(place, suit) for suit in _SUITS for place in places}

    def find_runs(self, present: int, wilds: int) -> tuple[Groups, int]:
        """The runs that the cards present make with at most so many wilds, and the mask of their cards."""
        if wilds > MOST_WILDS:
            wilds = MOST_WILDS
        groups: Groups = {}
        useful = 0
        tops = present & _above(present, wilds)
        while tops:
            top = tops.bit_length() - 1
            tops ^= 1 << top
            for group in self._groups[top][present >> top - BELOW & 15][wilds]:
                useful |= group.mask
                if group.level in groups:
                    groups[group.level].append(group)
                else:
                    groups[group.level] = [group]
        return groups, useful

    def find_sets(self, packed: int, wilds: int, groups: Groups) -> int:
        """Adds to `groups` the levels that make a set with so many wilds; gives the mask of their cards."""
        useful = 0
        counts = packed >> LEVELS_AT & _COUNTS
        enough = counts + _TO_THE_HEAD[wilds if wilds < SMALLEST else -1] & _HEADS
        while enough:
            top = enough.bit_length() - 1
            enough ^= 1 << top
            level = top // FIELD
            useful |= self.level_masks[level]
            if level not in groups:
                groups[level] = []
        return useful

    def _one(self, card: Card) -> int:
        level = 1 << LEVELS_AT + FIELD * self._level[card]
        return self.leftover[card][1] << WORTH_AT | level | 1 << FIELD * DECK_ORDER[card]

    def _mask(self, card: Card) -> int:
        return 1 << _bit(_place(card), card.suit) | 1 << _bit(self._level[card], card.suit)

    def _about(self, level: int) -> Level:
        cards = [_card(level, suit) for suit in _SUITS]
        copies = sum((1 << FIELD - 1) - 1 << FIELD * DECK_ORDER[card] for card in cards)
        at = LEVELS_AT + FIELD * level
        return level, at, self.leftover[cards[0]][1], ~(copies | (1 << FIELD) - 1 << at)

    def _under(self, top: int, suit: Suit) -> list[list[tuple[Group, ...]]]:
        """By which of the four places below `top` have a card (the nearest is the highest bit), by wilds."""
        lower = range(max(1, top - BELOW), top)
        picks = [(*pick, top) for size in range(1, LONGEST) for pick in combinations(lower, size)]
        needs = [sum(1 << place - top + BELOW for place in pick[:-1]) for pick in picks]
        runs = [(self._run(pick, suit), needed) for pick, needed in zip(picks, needs, strict=True)]
        runs.sort(key=lambda run: (run[0][1], -run[0][2]))
        rows = []
        for below in range(1 << BELOW):
            there = [run for run, needed in runs if needed & below == needed]
            rows.append([self._grouped([run for run in there if run[1] <= w]) for w in range(MOST_WILDS + 1)])
        return rows

    def _run(self, places: tuple[int, ...], suit: Suit) -> Choice:
        """The run of these places; two neighbours take a wild above them, or below where none is above."""
        cards = tuple(_card(place, suit) for place in places)
        low, high = places[0], max(places[-1], places[0] + SMALLEST - 1)
        if high > self._top:
            low, high = low - 1, high - 1
        whole = [_card(place, suit) for place in range(low, high + 1)]
        represents = tuple(card.text for card in whole)
        packed = sum(self.ones[card] for card in cards)
        value = sum(self.leftover[card][1] for card in cards)
        line = tuple(card if card in cards else None for card in whole)
        meld = None if None in line else Meld(RUN, cards, represents)
        return packed, line.count(None), value, Run(packed, cards, line, represents, meld)

    def _grouped(self, runs: list[Choice]) -> tuple[Group, ...]:
        """A run is decided on at the highest level of its cards; an ace at its low end may be that."""
        by_card: dict[Card, list[Choice]] = {}
        for run in runs:
            by_card.setdefault(max(run[3].cards, key=self._level.__getitem__), []).append(run)
        return tuple(self._group(card, tuple(runs)) for card, runs in by_card.items())

    def _group(self, card: Card, runs: tuple[Choice, ...]) -> Group:
        peaks = [runs[0][1:3]]
        for _, wilds, value, _ in runs:
            if value > peaks[-1][1]:
                peaks.append((wilds, value))
        mask = _union(self.masks[card] for run in runs for card in run[3].cards)
        return Group(self._level[card], runs, tuple(peaks), mask, FIELD * DECK_ORDER[card])


@cache
def tables(aces: str) -> Tables:
    """The tables under a value of the option `aces`, worked out when first asked for."""
    return Tables(aces == "low_or_high")


@cache
def codes(aces: str, round_: int) -> dict[Card, tuple[int, int]]:
    """By card its mask and itself packed; a wild has no mask, and only counts at level 0."""
    known, wild = tables(aces), wild_rank(round_)
    natural = {card: (known.masks[card], known.ones[card]) for card in DECK}
    return {card: (0, 1 << LEVELS_AT) if card.rank is wild else code for card, code in natural.items()}


def _above(present: int, wilds: int) -> int:
    """The places above cards present that may end a run with them and so many wilds."""
    if not wilds:
        return present << 1 & present << 2
    near = present << 1 | present << 2
    if wilds > 1:
        near |= present << 3
    if wilds > 2:
        near |= present << 4
    return near


def _place(card: Card) -> int:
    return RANKS.index(card.rank) + 1


def _bit(place: int, suit: Suit) -> int:
    return SUIT_BITS * _SUITS.index(suit) + BELOW + place


def _card(place: int, suit: Suit) -> Card:
    return DECK[len(RANKS) * _SUITS.index(suit) + (place - 1) % len(RANKS)]


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union
