"""Every word a person reads, from one JSON catalogue a language: a language is one more file."""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from string import Formatter
from typing import Any

import orjson
from flask import request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from rules.cards import SPELLINGS

DEFAULT = "en"

_LONGEST = 80
"""Characters of a caller's own value that are said back to it."""


class _Value:
    """A value in its place in a message: `{turn}` as it is, `{high_card:card}` as `10♦`, `{type:term}` as a
    word of the language.
    """

    def __init__(self, value: object, terms: Mapping[str, str]) -> None:
        self._value = value
        self._terms = terms

    def __format__(self, spec: str) -> str:
        if spec == "card" and self._value in SPELLINGS:
            return SPELLINGS[str(self._value)].symbol
        if spec == "term" and self._value in self._terms:
            return self._terms[str(self._value)]
        return _shown(self._value)


def _shown(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value))
    text = "".join(char if char.isprintable() else "�" for char in str(value)[: _LONGEST + 1])
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


class Messages:
    """The catalogues, and which of them this request wants."""

    def __init__(self, catalogues: Mapping[str, Mapping[str, Any]]) -> None:
        self._catalogues = catalogues
        self._negotiated = lru_cache(maxsize=1000)(self._negotiate)

    @classmethod
    def load(cls) -> "Messages":
        """All catalogues of the package, by primary language subtag."""
        found = [
            path for path in files("service").joinpath("locales").iterdir() if path.name.endswith(".json")
        ]
        return cls({path.name.removesuffix(".json"): orjson.loads(path.read_bytes()) for path in found})

    def language(self) -> str:
        """The language of this request's `Accept-Language`."""
        return self._negotiated(request.environ.get("HTTP_ACCEPT_LANGUAGE", ""))

    def _negotiate(self, header: str) -> str:
        """The first language by quality that there is; of a tag, the primary subtag counts.

        So `ru-RU` is served `ru` (a step of RFC 4647's lookup).
        """
        wanted = (
            tag.partition("-")[0].lower() for tag in parse_accept_header(header, LanguageAccept).values()
        )
        return next((tag for tag in wanted if tag in self._catalogues), DEFAULT)

    def say(self, group: str, code: str, params: Mapping[str, object]) -> str:
        """The message `code` of `group`, with the values of `params` put in its places."""
        catalogue = self.section()
        values = {name: _Value(value, catalogue["terms"]) for name, value in params.items()}
        template: str = catalogue[group][code]
        return template.format_map(defaultdict(lambda: _Value("…", {}), values))

    def outline(self, group: str, code: str) -> str:
        """The message `code` of `group` with the names of its values in their places: `[turn]`."""
        template: str = self.section(group, code)
        names = (name for _, name, _, _ in Formatter().parse(template) if name)
        return self.say(group, code, {name: f"[{name}]" for name in names})

    def section(self, *path: str) -> Any:
        """A part of this request's catalogue."""
        part: Any = self._catalogues[self.language()]
        for name in path:
            part = part[name]
        return part


def wants_page() -> bool:
    """Whether this request's `Accept` puts HTML before JSON, as that of a browser's address bar does."""
    return request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html"
