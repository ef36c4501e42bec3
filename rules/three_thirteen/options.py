"""What may differ from table to table in Three Thirteen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.options import choice, flag, whole


@dataclass(frozen=True, slots=True)
class Options:
    """The rule options; every default is the rule as the clauses state it.

    `aces`: R12, `low_or_high` also lets an ace stand above the king, and a left-over ace counts 15.
    `decks`: R1, `None` for half the players rounded up. `leftover_wild`: R11, the points of a
    left-over wild, `None` for its face value. `take_back`: R6, whether the card just taken from the
    discard pile may be discarded in the same turn.
    """

    aces: str = choice("low", "low_or_high")
    decks: int | None = whole(1, 8)
    leftover_wild: int | None = whole(0, 50)
    take_back: bool = flag(True)

    @classmethod
    def build(cls, fields: Mapping[str, Any]) -> Options:
        """The options with the given fields, the defaults for the others; there are no presets."""
        return cls(**fields)

    def deck_count(self, players: int) -> int:
        """How many decks of 52 these players use (R1)."""
        return (players + 1) // 2 if self.decks is None else self.decks

    @property
    def high_aces(self) -> bool:
        """Whether an ace may stand above the king (R12)."""
        return self.aces == "low_or_high"
