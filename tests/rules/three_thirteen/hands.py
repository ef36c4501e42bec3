"""Random hands of all kinds: wide and dense, with few wilds and many, from one to eight decks."""

from collections.abc import Iterator
from itertools import cycle, product
from random import Random
from typing import NamedTuple

from rules.cards import Card, parse_card
from rules.three_thirteen.options import Options
from tests.rules.three_thirteen.melding import RANKS, SUITS, wild

EVERY_KIND = tuple(product(("low", "low_or_high"), (None, 0, 3, 50), (1, 2, 4, 8), (False, True)))
"""Aces, points of a left-over wild, decks, and whether the cards lie close."""


class Question(NamedTuple):
    """A hand, as texts, with the round and the rules to judge it by."""

    hand: list[str]
    round: int
    rules: Options

    @property
    def cards(self) -> list[Card]:
        """The hand as cards."""
        return [parse_card(card) for card in self.hand]


def questions(random: Random, round_: int, size: int, count: int) -> Iterator[Question]:
    """So many hands of a size: by turns of every kind, with 0 to 8 wilds."""
    kinds = cycle(EVERY_KIND)
    for number in range(count):
        aces, leftover_wild, decks, close = next(kinds)
        rules = Options(aces=aces, leftover_wild=leftover_wild, decks=decks)
        wilds = min(number % 9, 4 * decks, size) if number % 2 else number % 4
        yield Question(_hand(random, round_, size, decks, close, min(wilds, size)), round_, rules)


def _hand(random: Random, round_: int, size: int, decks: int, close: bool, wilds: int) -> list[str]:
    wild_cards = [wild(round_) + suit for suit in SUITS] * decks
    suits = random.sample(SUITS, random.randint(1, 4)) if close else list(SUITS)
    low = random.randrange(8) if close else 0
    ranks = (RANKS + "A")[low : low + 6] if close else RANKS
    pool = [rank + suit for rank in ranks for suit in suits if rank != wild(round_)] * decks
    if len(pool) < size - wilds:
        pool = [rank + suit for rank in RANKS for suit in SUITS if rank != wild(round_)]
    hand = random.sample(wild_cards, wilds) + random.sample(pool, size - wilds)
    random.shuffle(hand)
    return hand
