"""What a person reads, or a program: cards as symbols, the red ones red on a terminal, or JSON."""

import json
import os
from collections.abc import Iterable
from typing import Any, TextIO

from rules.cards import SPELLINGS

JSON = Any

_RED = {"♦", "♥"}


class Refused(Exception):
    """What was asked has no answer. As text: what is wrong with it, a line for each fault."""


class Output:
    """Writes to `stream`: JSON where `as_json`, else lines; in colour where it is a terminal (NO_COLOR)."""

    def __init__(self, stream: TextIO, as_json: bool) -> None:
        self._stream = stream
        self.as_json = as_json
        self._coloured = stream.isatty() and not os.environ.get("NO_COLOR")

    def json(self, value: JSON) -> None:
        """One value."""
        print(json.dumps(value, ensure_ascii=False), file=self._stream)

    def line(self, text: str = "") -> None:
        """One line."""
        print(text, file=self._stream)

    def cards(self, texts: Iterable[str]) -> str:
        """Cards to be read: `7♠ 10♥`."""
        return " ".join(map(self._card, texts))

    def _card(self, text: str) -> str:
        symbol = SPELLINGS[text].symbol if text in SPELLINGS else text
        return f"\033[31m{symbol}\033[0m" if self._coloured and symbol[-1] in _RED else symbol
