"""What may differ from one game of Thirteen to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.options import choice, flag, several


@dataclass(frozen=True, slots=True)
class Options:
    """The rule options; the defaults are the preset `classic`. Get one from `build`."""

    preset: str = choice("classic", "southern")
    first_lead: str = choice("lowest_card_included", "lowest_card", "seat")
    pass_lock: bool = flag(True)
    bombs: str = choice("exact", "at_least", "southern")
    bomb_after_pass: str = choice("none", "any", "four_pairs")
    finish: str = choice("play_on", "first_out")
    instant_wins: tuple[str, ...] = several("four_twos", "dragon", "six_pairs", "five_consecutive_pairs")

    @classmethod
    def build(cls, given: Mapping[str, Any]) -> Options:
        """The values of the preset that is named (else `classic`), with the other fields over them.

        Expects known options with values of their domains; lists and tuples are both taken.
        """
        preset = PRESETS[given.get("preset", "classic")]
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in given.items()}
        return replace(preset, **values)


PRESETS: Mapping[str, Options] = {
    "classic": Options(),
    "southern": Options(
        preset="southern",
        bombs="southern",
        bomb_after_pass="four_pairs",
        finish="play_on",
        instant_wins=("four_twos", "dragon", "six_pairs", "five_consecutive_pairs"),
    ),
}
