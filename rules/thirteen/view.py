"""Who sees what in a game of Thirteen. Everything shown is named here; nothing is left out by deleting."""

from __future__ import annotations

from collections.abc import Mapping

from rules.game import JSON
from rules.options import values
from rules.shuffle import commitment
from rules.thirteen.combinations import describe
from rules.thirteen.state import NAME, State

_PUBLIC: Mapping[str, tuple[str, ...]] = {
    "game_started": ("players", "turn", "must_include"),
    "instant_win": ("kind", "hand"),
    "played": ("combination", "cards_left"),
    "passed": (),
    "trick_won": ("leads",),
    "player_out": ("place",),
    "game_over": ("winner", "places"),
}
"""By type of event: what everybody sees of it besides its type and seat."""

_OWN: Mapping[str, Mapping[str, str]] = {"game_started": {"hands": "hand"}}
"""By type of event: lists by seat of which each player sees the own entry, and how that is called."""


def view(state: State, seat: int | None) -> dict[str, JSON]:
    """The game as the player at `seat` sees it, or a spectator (None); the seed once it is finished."""
    return {
        "game": NAME,
        "status": "in_progress" if state.turn is not None else "finished",
        "turn": state.turn,
        "rules": values(state.options),
        "commitment": commitment(state.seed),
        **({"seed": state.seed.hex()} if state.turn is None else {}),
        "table": _table(state),
        "must_include": state.must_include.text if state.must_include else None,
        "players": [_player(state, player) for player in range(len(state.hands))],
        "winner": state.winner,
        **({"you": _you(state, seat)} if seat is not None else {}),
    }


def _table(state: State) -> dict[str, JSON] | None:
    trick = state.trick
    return {"seat": trick.seat, **describe(trick.combination)} if trick else None


def _player(state: State, seat: int) -> dict[str, JSON]:
    passed = state.trick is not None and seat in state.trick.passed
    return {"seat": seat, "cards": len(state.hands[seat]), "passed": passed, "place": state.places[seat]}


def _you(state: State, seat: int) -> dict[str, JSON]:
    return {"seat": seat, "hand": [card.text for card in state.hands[seat]]}


def view_event(event: Mapping[str, JSON], seat: int | None) -> dict[str, JSON]:
    """What the player at `seat`, or a spectator (None), may see of an event as `dump_event` wrote it."""
    type_ = event["type"]
    seen = {"type": type_, "seat": event["seat"], **{name: event[name] for name in _PUBLIC[type_]}}
    if seat is not None:
        seen |= {name: event[by_seat][seat] for by_seat, name in _OWN.get(type_, {}).items()}
    return seen
