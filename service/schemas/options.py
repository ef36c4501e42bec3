"""Schemas of the `rules` objects, read off the games' own options: nothing is listed twice."""

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, fields, post_load

from rules.game import Game
from rules.options import Domain, domains
from service.schemas.body import Body
from service.schemas.fields import Choice, Flag, Several, Strict, Whole


class Rules(Strict, fields.Nested):
    """A game's `rules` object; loads to its `Options`, all defaults where it is left out."""

    expected = "object"

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        super().__init__(_schema(game), load_default=game.OPTIONS())


def _schema(game: Game[Any, Any, Any]) -> Schema:
    options = domains(game.OPTIONS)

    class RulesBody(Body):
        """The options of one game."""

        @post_load
        def build(self, data: Mapping[str, object], **_: Any) -> object:
            """The game's `Options`: the preset's values, and the single ones over them."""
            return game.OPTIONS.build(data)

    return RulesBody.from_dict({name: _field(domain) for name, domain in options.items()})()


def _field(domain: Domain) -> Strict:
    match domain.kind:
        case "flag":
            return Flag()
        case "choice":
            return Choice(domain.values)
        case "several":
            return Several(domain.values)
        case _:
            return Whole(domain.minimum, domain.maximum, allow_none=domain.nullable)
