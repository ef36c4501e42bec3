"""Who sees what in a game of Three Thirteen. What is shown is named here; nothing is left out by deleting."""

from __future__ import annotations

from collections.abc import Mapping

from rules.game import JSON
from rules.options import values
from rules.shuffle import commitment
from rules.three_thirteen.arrangement import describe_meld
from rules.three_thirteen.ranks import wild_rank
from rules.three_thirteen.state import NAME, State

_PUBLIC: Mapping[str, tuple[str, ...]] = {
    "game_started": ("players", "decks", "dealer"),
    "round_started": ("round", "wild_rank", "dealer", "turn", "discard_top", "stock"),
    "stock_refilled": ("stock",),
    "drew": ("from",),
    "discarded": ("card",),
    "went_out": ("discard", "melds"),
    "round_ended": ("round", "hands", "totals"),
    "game_over": ("winners", "totals"),
}
"""By type of event: what everybody sees of it besides its type and seat."""


def view(state: State, seat: int | None) -> dict[str, JSON]:
    """The game as the player at `seat` sees it, or a spectator (None); the seed once it is finished."""
    over = state.turn is None
    return {
        "game": NAME,
        "status": "finished" if over else "in_progress",
        "turn": state.turn,
        "rules": values(state.options),
        "commitment": commitment(state.seed),
        **({"seed": state.seed.hex()} if over else {}),
        "round": state.round,
        "wild_rank": wild_rank(state.round),
        "dealer": state.dealer,
        "phase": None if over else state.phase,
        "stock": len(state.stock),
        "discard_top": state.discards[-1].text if state.discards else None,
        "discard": len(state.discards),
        "went_out": state.went_out,
        "melds": [describe_meld(meld) for meld in state.laid],
        "final_turns_left": None if state.went_out is None else state.final_turns,
        "players": [_player(state, player) for player in range(state.players)],
        "winners": list(state.winners) if over else None,
        **({"you": _you(state, seat)} if seat is not None else {}),
    }


def _player(state: State, seat: int) -> dict[str, JSON]:
    return {
        "seat": seat,
        "cards": len(state.hands[seat]),
        "total": state.totals[seat],
        "round_points": list(state.points[seat]),
    }


def _you(state: State, seat: int) -> dict[str, JSON]:
    return {"seat": seat, "hand": [card.text for card in state.hands[seat]]}


def view_event(event: Mapping[str, JSON], seat: int | None) -> dict[str, JSON]:
    """What the player at `seat`, or a spectator (None), may see of an event as `dump_event` wrote it."""
    type_ = event["type"]
    seen = {"type": type_, "seat": event["seat"], **{name: event[name] for name in _PUBLIC[type_]}}
    if type_ == "drew":
        known = event["from"] == "discard" or event["seat"] == seat
        seen["card"] = event["card"] if known else None
    if type_ == "round_started" and seat is not None:
        seen["hand"] = event["hands"][seat]
    return seen
