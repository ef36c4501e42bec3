"""What the endpoints of stored games take."""

import re
from collections.abc import Mapping
from typing import Any

from flask import request
from marshmallow import Schema, fields

from rules import GAMES
from rules.errors import Fault
from rules.game import Game
from service.schemas.body import Body, Plain, invalid
from service.schemas.fields import Cards, Choice, Melds, OneCard, Strict, Text, Whole, listed
from service.schemas.options import Rules
from service.schemas.questions import HAND, SEED

NAME = r"(?=.*\S)[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{1,40}"
"""A player's name: 1 to 40 characters, not all blank, no control characters or line breaks."""

LARGEST_VERSION = 2**53 - 1
"""The largest whole number that every JSON reader keeps exact."""

LARGEST_ID = 10**15 - 1
"""The largest `Last-Event-ID`, which is a text: 15 digits."""

LONGEST_NUMBER = 16
"""Digits of it."""


class Player(Body):
    """Who sits at a seat."""

    name = Text(NAME, required=True)


class Seated(Strict, fields.Nested):
    """One player."""

    expected = "object"


class Players(Strict, fields.List[Any]):
    """The players by seat, as many as the game takes."""

    expected = "array"

    def __init__(self, numbers: range) -> None:
        super().__init__(Seated(Player()), required=True)
        self.numbers = numbers

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> list[Any]:
        listed(value, self.numbers.start, self.numbers.stop - 1, Fault.OUT_OF_RANGE)
        return super()._deserialize(value, attr, data, **options)


def _new_game(game: Game[Any, Any, Any]) -> Schema:
    """POST /v1/games for one game."""
    return Body.from_dict(
        {
            "game": Choice([game.NAME], required=True),
            "players": Players(game.PLAYERS),
            "rules": Rules(game),
            "seed": Text(SEED, load_default=""),
            "first_seat": Whole(0, game.PLAYERS.stop - 2, load_default=None, allow_none=False),
        }
    )()


NEW_GAMES: Mapping[str, Schema] = {name: _new_game(game) for name, game in GAMES.items()}
"""By game: the body of POST /v1/games."""


class Play(Plain):
    """Thirteen: play cards."""

    type = Choice(["play"], required=True)
    cards = Cards(1, HAND, required=True)


class Pass(Plain):
    """Thirteen: pass."""

    type = Choice(["pass"], required=True)


class Draw(Plain):
    """Three Thirteen: take the top card of a pile."""

    type = Choice(["draw"], required=True)
    source = Choice(["stock", "discard"], data_key="from", required=True)


class Discard(Plain):
    """Three Thirteen: end the turn with a discard."""

    type = Choice(["discard"], required=True)
    card = OneCard(required=True)


class GoOut(Plain):
    """Three Thirteen: lay down everything but a discard."""

    type = Choice(["go_out"], required=True)
    discard = OneCard(required=True)
    melds = Melds()


MOVES: Mapping[str, Schema] = {
    "play": Play(),
    "pass": Pass(),
    "draw": Draw(),
    "discard": Discard(),
    "go_out": GoOut(),
}
"""By `type`: the body of POST /v1/games/{id}/moves, whichever game it is for."""


def query_number(name: str, minimum: int, maximum: int, default: int) -> int:
    """A whole number of the query string; raises `InvalidBody` with the pointer `/name`."""
    text = request.args.get(name)
    return default if text is None else _whole(name, text, minimum, maximum)


def last_event_id(default: int) -> int:
    """The version that a client of a stream has seen (`Last-Event-ID`, WHATWG), else the default.

    Raises `InvalidBody` with the pointer `/Last-Event-ID`.
    """
    text = request.headers.get("Last-Event-ID")
    return default if text is None else _whole("Last-Event-ID", text, 0, LARGEST_ID)


def _whole(name: str, text: str, minimum: int, maximum: int) -> int:
    if not re.fullmatch(r"-?[0-9]+", text):
        raise invalid(Fault.INVALID_TYPE, name, expected="integer")
    if len(text) > LONGEST_NUMBER or not minimum <= int(text) <= maximum:
        raise invalid(Fault.OUT_OF_RANGE, name, minimum=minimum, maximum=maximum)
    return int(text)
