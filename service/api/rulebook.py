"""The rules to read: games, options and presets, and the numbered clauses in the caller's language."""

from typing import Any

from flask import Blueprint

from rules import GAMES
from rules.game import Game
from rules.options import Domain, domains, values
from service.messages import Messages

JSON = Any


class Rulebook:
    """GET /v1/rules and below."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    def routes(self) -> Blueprint:
        """The blueprint of these endpoints."""
        routes = Blueprint("rulebook", __name__)
        routes.get("/v1/rules")(self.games)
        for name in GAMES:
            routes.get(_path(name), endpoint=name, defaults={"name": name})(self.clauses)
        return routes

    def games(self) -> JSON:
        """The games, their options with values and defaults, and the presets."""
        return {"games": [self._game(game) for game in GAMES.values()]}

    def clauses(self, name: str) -> JSON:
        """The numbered clauses of one game."""
        texts = self._messages.section("clauses", name)
        numbered = [{"number": number, "text": text} for number, text in texts.items()]
        return {"game": name, "language": self._messages.language(), "clauses": numbered}

    def _game(self, game: Game[Any, Any, Any]) -> JSON:
        described = self._messages.section("options", game.NAME)
        defaults = game.OPTIONS()
        return {
            "game": game.NAME,
            "players": {"minimum": game.PLAYERS.start, "maximum": game.PLAYERS.stop - 1},
            "clauses": _path(game.NAME),
            "options": [
                {
                    "name": name,
                    **_domain(domain),
                    "default": getattr(defaults, name),
                    "description": described[name],
                }
                for name, domain in domains(game.OPTIONS).items()
            ],
            "presets": {name: values(preset) for name, preset in game.PRESETS.items()},
        }


def _path(name: str) -> str:
    return f"/v1/rules/{name.replace('_', '-')}"


def _domain(domain: Domain) -> JSON:
    shown: dict[str, JSON] = {"kind": domain.kind}
    if domain.values:
        shown["values"] = domain.values
    if domain.kind == "whole":
        shown |= {"minimum": domain.minimum, "maximum": domain.maximum, "nullable": domain.nullable}
    return shown
