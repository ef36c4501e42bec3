"""The stateless questions: nothing is stored, the same question always gets the same answer."""

import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, ClassVar

import gevent
import orjson
from flask import Blueprint, Response, stream_with_context
from marshmallow import Schema

from rules import GAMES, thirteen, three_thirteen
from rules.errors import IllegalAction
from rules.shuffle import SEED_BYTES
from rules.thirteen.combinations import classify, describe, refusal
from rules.thirteen.plays import legal_plays
from rules.three_thirteen.arrangement import describe_arrangement
from rules.three_thirteen.melds import arrange, best_discard, check_melds
from rules.three_thirteen.ranks import wild_rank
from service.messages import Messages
from service.schemas import questions as schemas
from service.schemas.body import LARGEST_BATCH, InvalidBody, load, load_variant, read_json

JSON = Any
Fields = dict[str, Any]

PIECE = 64 * 1024
"""Bytes after which a piece of a batch's answer is sent."""

TURN_SECONDS = 0.005
"""After so long a batch lets other requests have their turn."""


class Questions:
    """Deals, plays, hands and melds."""

    DEALS: ClassVar[dict[str, Schema]] = {
        thirteen.NAME: schemas.DealThirteen(),
        three_thirteen.NAME: schemas.DealThreeThirteen(),
    }

    BATCH = schemas.Batch()

    def __init__(self, messages: Messages, item_problem: Callable[[InvalidBody], JSON]) -> None:
        """`item_problem` describes what is wrong with an item of a batch (RFC 9457)."""
        self._messages = messages
        self._item_problem = item_problem

    def routes(self) -> Blueprint:
        """The blueprint of these endpoints."""
        routes = Blueprint("questions", __name__)
        routes.post("/v1/deals")(self.deal)
        for path, schema, answer, batched in (
            ("thirteen/validate-play", schemas.ValidatePlay(), self.validate_play, True),
            ("thirteen/legal-plays", schemas.LegalPlays(), self.legal_plays, True),
            ("three-thirteen/score-hand", schemas.ScoreHand(), self.score_hand, True),
            ("three-thirteen/best-discard", schemas.BestDiscard(), self.best_discard, False),
            ("three-thirteen/validate-melds", schemas.ValidateMelds(), self.validate_melds, False),
        ):
            routes.post(f"/v1/{path}", endpoint=answer.__name__)(partial(self._one, schema, answer))
            if batched:
                batch = partial(self._batch, schema, answer)
                routes.post(f"/v1/{path}/batch", endpoint=f"{answer.__name__}_batch")(batch)
        routes.after_request(_unkept)
        return routes

    @staticmethod
    def _one(schema: Schema, answer: Callable[[Fields], JSON]) -> JSON:
        return answer(load(schema, read_json()))

    def _batch(self, schema: Schema, answer: Callable[[Fields], JSON]) -> Response:
        """The answer to each item, or what is wrong with it, in the items' order.

        It is sent while it is made: a thousand hands full of plays are too much to hold.
        """

        def one(item: object) -> JSON:
            try:
                return answer(load(schema, item))
            except InvalidBody as error:
                return {"error": self._item_problem(error)}

        items = load(self.BATCH, read_json(LARGEST_BATCH))["items"]
        return Response(stream_with_context(_results(map(one, items))), mimetype="application/json")

    def deal(self) -> JSON:
        """A fresh deal, or the one of the seed."""
        asked = load_variant(self.DEALS, "game", read_json())
        game = GAMES[asked.pop("game")]
        seed = new_seed(asked.pop("seed"))
        return game.deal(asked.pop("players"), seed, asked.pop("rules"), **asked)

    def validate_play(self, asked: Fields) -> JSON:
        """May these cards be played on this table?"""
        combination = classify(asked["cards"])
        why = refusal(
            asked["cards"], combination, asked["table"], asked["rules"], asked["hand"], asked["must_include"]
        )
        shown = describe(combination) if combination else None
        return {"legal": why is None, "combination": shown, "reason": self._reason(why)}

    def legal_plays(self, asked: Fields) -> JSON:
        """Every play that this hand allows on this table."""
        plays = legal_plays(asked["hand"], asked["table"], asked["rules"], asked["must_include"])
        return {"plays": [describe(play) for play in plays], "can_pass": asked["table"] is not None}

    def score_hand(self, asked: Fields) -> JSON:
        """The fewest penalty points this hand can be arranged for (R11)."""
        best = arrange(asked["hand"], asked["round"], asked["rules"])
        wild = wild_rank(asked["round"])
        return {"wild_rank": wild, **describe_arrangement(best)}

    def best_discard(self, asked: Fields) -> JSON:
        """What each discard would leave, best first, and the arrangement behind the best."""
        options, best = best_discard(asked["hand"], asked["round"], asked["rules"])
        return {
            "discard": options[0].discard.text,
            "can_go_out": not best.leftover,
            "options": [{"discard": one.discard.text, "penalty": one.penalty} for one in options],
            **describe_arrangement(best),
        }

    def validate_melds(self, asked: Fields) -> JSON:
        """May these melds be laid down, and what do they leave?"""
        checked = check_melds(
            asked["hand"], asked["melds"], asked.get("discard"), asked["round"], asked["rules"]
        )
        return {
            "legal": checked.reason is None,
            "penalty": checked.penalty,
            "best_penalty": checked.best_penalty,
            "goes_out": checked.goes_out,
            "reason": self._reason(checked.reason),
        }

    def _reason(self, why: IllegalAction | None) -> JSON:
        if why is None:
            return None
        message = self._messages.say("reasons", why.reason, why.params)
        return {"code": why.reason, "message": message, "params": why.params}


def _results(answers: Iterable[JSON]) -> Iterator[bytes]:
    """`{"results": [...]}` in pieces; the worker's other requests have their turns in between."""
    piece = bytearray(b'{"results":[')
    rested = time.monotonic()
    for number, answer in enumerate(answers):
        piece += b"," if number else b""
        piece += orjson.dumps(answer)
        if len(piece) >= PIECE:
            yield bytes(piece)
            piece.clear()
        if time.monotonic() - rested > TURN_SECONDS:
            gevent.sleep(0)
            rested = time.monotonic()
    yield bytes(piece + b"]}")


def _unkept(answer: Response) -> Response:
    """No cache keeps a hand (RFC 9111)."""
    answer.headers.add("Cache-Control", "no-store")
    return answer


def new_seed(text: str) -> bytes:
    """The seed written in hex, or where there is none a fresh one from the system's secure source."""
    return bytes.fromhex(text) if text else secrets.token_bytes(SEED_BYTES)
