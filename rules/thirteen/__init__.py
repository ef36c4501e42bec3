"""Thirteen (Tiến Lên), clauses T1 to T18; the module fulfils `rules.game.Game`."""

from rules.thirteen.dealing import PLAYERS
from rules.thirteen.notation import MOVES, deal, dump, dump_action, dump_event, load, load_action
from rules.thirteen.options import PRESETS, Options
from rules.thirteen.play import apply, finished, legal_actions, new_game
from rules.thirteen.state import NAME
from rules.thirteen.view import view, view_event

OPTIONS = Options

__all__ = [
    "MOVES",
    "NAME",
    "OPTIONS",
    "PLAYERS",
    "PRESETS",
    "apply",
    "deal",
    "dump",
    "dump_action",
    "dump_event",
    "finished",
    "legal_actions",
    "load",
    "load_action",
    "new_game",
    "view",
    "view_event",
]
