"""The rules of two card games as pure functions: no I/O, no clock, no randomness of their own."""

from collections.abc import Mapping
from typing import Any

from rules import thirteen, three_thirteen
from rules.game import Game

GAMES: Mapping[str, Game[Any, Any, Any]] = {
    thirteen.NAME: thirteen,
    three_thirteen.NAME: three_thirteen,
}
