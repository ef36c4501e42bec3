"""The deal of a round: decks, dealer, hands, the first discard and the stock (R1, R3 to R5)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.cards import Card, decks
from rules.errors import Fault, InvalidAction
from rules.shuffle import deal, draw, shuffle
from rules.three_thirteen.options import Options
from rules.three_thirteen.ranks import hand_size

PLAYERS = range(2, 9)
MOST_DECKS = 8

Pile = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """The hands by seat, each in the order dealt; the card turned up; the stock, its top first."""

    hands: tuple[Pile, ...]
    turned_up: Card
    stock: Pile


def deck_count(players: int, options: Options) -> int:
    """The number of decks these players use (R1).

    Raises `InvalidAction` for a number of players that can't play, and where the decks do not hold all
    hands of round 11 and 13 cards more.
    """
    if players not in PLAYERS:
        raise InvalidAction(Fault.OUT_OF_RANGE, ("players",), minimum=PLAYERS.start, maximum=PLAYERS.stop - 1)
    fewest = (players + 4) // 4
    if options.deck_count(players) < fewest:
        raise InvalidAction(Fault.OUT_OF_RANGE, ("rules", "decks"), minimum=fewest, maximum=MOST_DECKS)
    return options.deck_count(players)


def first_dealer(players: int, seed: bytes) -> int:
    """The seat that deals round 1, by lot (R4)."""
    return draw(seed, "three_thirteen/dealer", players)


def deal_round(players: int, seed: bytes, options: Options, round_: int, dealer: int) -> Dealt:
    """Deals from the seat left of the dealer, and turns up the next card (R3 to R5)."""
    pile = shuffle(seed, f"three_thirteen/round/{round_}", decks(deck_count(players, options)))
    hands, rest = deal(pile, players, hand_size(round_), (dealer + 1) % players)
    return Dealt(hands, rest[0], rest[1:])


def refilled(seed: bytes, round_: int, times: int, discards: Pile) -> Pile:
    """The stock made for the `times`-th time in a round of these discards, oldest first (R14)."""
    return shuffle(seed, f"three_thirteen/round/{round_}/refill/{times}", discards)
