"""What a game of Thirteen remembers, what players do in it, and what happens in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.cards import Card
from rules.game import OtherGamesMove
from rules.thirteen.combinations import Combination
from rules.thirteen.options import Options

NAME = "thirteen"


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards to beat, the seat that played them, and the seats that passed.

    `declined`: since those cards were played. `passed`: since the table was last clear, out of the
    trick by the pass lock (T12); without the lock the same as `declined`.
    """

    seat: int
    combination: Combination
    passed: tuple[int, ...] = ()
    declined: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A game at one moment. Tuples over the players are by seat.

    `hands` are sorted weakest first; a player whose hand is empty is out. `turn` is None when the game
    is finished. `must_include` is the card that the first play has to contain, while it is to come
    (T17). `trick` is None while the table is clear.
    """

    seed: bytes
    options: Options
    hands: tuple[tuple[Card, ...], ...]
    places: tuple[int | None, ...]
    turn: int | None
    must_include: Card | None = None
    trick: Trick | None = None

    @property
    def table(self) -> Combination | None:
        """The combination to beat."""
        return self.trick.combination if self.trick else None

    @property
    def winner(self) -> int | None:
        """The seat that has won, known as soon as one is out (T18)."""
        return self.places.index(1) if 1 in self.places else None

    def clockwise_from(self, seat: int) -> Iterator[int]:
        """The other seats in the order of play, from the one after `seat` (T16)."""
        players = len(self.hands)
        return ((seat + step) % players for step in range(1, players))


@dataclass(frozen=True, slots=True)
class Play:
    """To put cards on the table."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """Not to play in this turn."""

    seat: int


Action = Play | Pass
AnyAction = Action | OtherGamesMove


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The cards are dealt. `turn` leads; it is None where a dealt hand has won."""

    turn: int | None
    must_include: Card | None
    hands: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class InstantWin:
    """A dealt hand has won and is shown."""

    seat: int
    kind: str
    hand: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A combination lies on the table."""

    seat: int
    combination: Combination
    cards_left: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A player did not play."""

    seat: int


@dataclass(frozen=True, slots=True)
class TrickWon:
    """The table is cleared: `seat` played last, `leads` leads (T14, T15)."""

    seat: int
    leads: int


@dataclass(frozen=True, slots=True)
class PlayerOut:
    """A player has no cards left and so this place (T18)."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """No one plays on. A place is None for a seat that got none."""

    winner: int
    places: tuple[int | None, ...]


Event = GameStarted | InstantWin | Played | Passed | TrickWon | PlayerOut | GameOver
