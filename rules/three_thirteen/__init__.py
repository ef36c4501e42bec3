"""Three Thirteen, clauses R1 to R14; the module fulfils `rules.game.Game`."""

from collections.abc import Mapping

from rules.three_thirteen.dealing import PLAYERS
from rules.three_thirteen.notation import MOVES, deal, dump, dump_action, dump_event, load, load_action
from rules.three_thirteen.options import Options
from rules.three_thirteen.play import apply, finished, legal_actions, new_game
from rules.three_thirteen.state import NAME
from rules.three_thirteen.view import view, view_event

OPTIONS = Options
PRESETS: Mapping[str, Options] = {}

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
