"""What a game of Three Thirteen remembers, what players do in it, and what happens in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.cards import Card
from rules.game import OtherGamesMove
from rules.three_thirteen.arrangement import Arrangement, Meld
from rules.three_thirteen.options import Options
from rules.three_thirteen.ranks import DECK_ORDER

NAME = "three_thirteen"

DRAW = "draw"
DISCARD = "discard"
"""The two halves of a turn (R6)."""


def by_suit(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards sorted by suit, then rank."""
    return tuple(sorted(cards, key=DECK_ORDER.__getitem__))


@dataclass(frozen=True, slots=True)
class State:
    """A game at one moment. Tuples over the players are by seat.

    `hands` are sorted by suit, then rank. `turn` is None when the game is finished. `stock` has its top
    first, `discards` the oldest first, its top last. `taken` is the card that the player to move has
    just drawn from the discard pile. `refills` counts the stocks made of discards in this round (R14).
    `went_out` is the seat that has gone out in this round, with `laid` down, and `final_turns` are the turns
    left after it (R10). `points` are those of the rounds that are over.
    """

    seed: bytes
    options: Options
    round: int
    dealer: int
    turn: int | None
    phase: str
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    discards: tuple[Card, ...]
    points: tuple[tuple[int, ...], ...]
    taken: Card | None = None
    refills: int = 0
    went_out: int | None = None
    laid: tuple[Meld, ...] = ()
    final_turns: int = 0

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.hands)

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of all rounds that are over, by seat (R13)."""
        return tuple([sum(rounds) for rounds in self.points])

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the lowest total; they have won when the game is finished (R13)."""
        return tuple([seat for seat, total in enumerate(self.totals) if total == min(self.totals)])


@dataclass(frozen=True, slots=True)
class Draw:
    """To take the top card of the `stock` or the `discard` pile."""

    seat: int
    source: str


@dataclass(frozen=True, slots=True)
class Discard:
    """To put a card on the discard pile."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class GoOut:
    """To lay down all cards but the discard; without `melds` in an arrangement that the rules find."""

    seat: int
    discard: Card
    melds: tuple[tuple[Card, ...], ...] | None = None


Action = Draw | Discard | GoOut
AnyAction = Action | OtherGamesMove


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The players sit, and the first dealer is drawn by lot (R4)."""

    players: int
    decks: int
    dealer: int


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """The cards of a round are dealt (R3 to R5); `stock` is a number of cards."""

    round: int
    dealer: int
    turn: int
    discard_top: Card
    stock: int
    hands: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class StockRefilled:
    """The discards have become a stock of so many cards (R14)."""

    stock: int


@dataclass(frozen=True, slots=True)
class Drew:
    """A player has a card more."""

    seat: int
    source: str
    card: Card


@dataclass(frozen=True, slots=True)
class Discarded:
    """A card lies on the discard pile, and the turn is over."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class WentOut:
    """A player has laid everything down; the others have a turn each (R9, R10)."""

    seat: int
    discard: Card
    melds: tuple[Meld, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """A player's hand at the end of a round, as arranged, and the points for it (R11)."""

    seat: int
    hand: tuple[Card, ...]
    arrangement: Arrangement


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """All hands are shown and scored; `totals` are the points so far, by seat."""

    round: int
    scored: tuple[Scored, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    """Round 11 has ended (R13)."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]


Event = GameStarted | RoundStarted | StockRefilled | Drew | Discarded | WentOut | RoundEnded | GameOver
