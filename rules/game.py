"""What every game module fulfils, so that the service never asks which game it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from rules.errors import IllegalAction, Reason

JSON = Any
"""What JSON can say: dict, list, str, int, bool, None."""

S = TypeVar("S")
A = TypeVar("A")
E_co = TypeVar("E_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Step(Generic[S, E_co]):
    """What a transition gives: the new state, and what happened on the way, in order."""

    state: S
    events: tuple[E_co, ...]


@dataclass(frozen=True, slots=True)
class OtherGamesMove:
    """A move that exists, but not in this game; `apply` refuses it in its turn (`wrong_move_for_game`)."""

    seat: int
    type: str


def out_of_turn(turn: int | None, seat: int) -> IllegalAction | None:
    """Why `seat` may do nothing now, whatever it wants to do; `turn` is None when the game is finished."""
    if turn is None:
        return IllegalAction(Reason.GAME_OVER)
    if turn != seat:
        return IllegalAction(Reason.NOT_YOUR_TURN, turn=turn)
    return None


class Game(Protocol[S, A, E_co]):
    """A game: pure functions over its own frozen state. Every function is total on valid states.

    `new_game` and `load_action` raise `InvalidAction` on malformed input, `apply` raises
    `IllegalAction` on a refused move, `load` raises `UnknownFormat` on a state of a newer format.
    Views are built up from what that seat may see (`None`: a spectator).
    """

    NAME: str
    PLAYERS: range
    MOVES: tuple[str, ...]
    OPTIONS: type[Any]
    PRESETS: Mapping[str, Any]

    def new_game(
        self, players: int, seed: bytes, options: Any, first_seat: int | None = None
    ) -> Step[S, E_co]: ...
    def deal(self, players: int, seed: bytes, options: Any, **which: Any) -> dict[str, JSON]: ...
    def apply(self, state: S, action: A | OtherGamesMove) -> Step[S, E_co]: ...
    def legal_actions(self, state: S, seat: int) -> tuple[A, ...]: ...
    def finished(self, state: S) -> bool: ...
    def view(self, state: S, seat: int | None) -> dict[str, JSON]: ...
    def view_event(self, event: dict[str, JSON], seat: int | None) -> dict[str, JSON]: ...
    def dump(self, state: S) -> dict[str, JSON]: ...
    def load(self, data: Mapping[str, JSON]) -> S: ...
    def load_action(self, seat: int, body: Mapping[str, JSON]) -> A | OtherGamesMove: ...
    def dump_action(self, action: A) -> dict[str, JSON]: ...
    def dump_event(self, event: Any) -> dict[str, JSON]: ...
