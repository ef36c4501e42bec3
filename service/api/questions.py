"""The stateless questions: nothing is stored, the same question always gets the same answer."""

import secrets
from collections.abc import Callable
from typing import Any, ClassVar

from flask import Blueprint, Response
from marshmallow import Schema

from rules import GAMES, thirteen, three_thirteen
from rules.errors import IllegalAction
from rules.shuffle import SEED_BYTES
from rules.thirteen.combinations import classify, describe, refusal
from rules.thirteen.plays import legal_plays
from rules.three_thirteen.arrangement import describe_arrangement
from rules.three_thirteen.melds import arrange, check_melds, discards
from rules.three_thirteen.ranks import wild_rank
from service.messages import Messages
from service.schemas import questions as schemas
from service.schemas.body import load, load_variant, read_json

JSON = Any
Fields = dict[str, Any]


class Questions:
    """Deals, plays, hands and melds."""

    DEALS: ClassVar[dict[str, Schema]] = {
        thirteen.NAME: schemas.DealThirteen(),
        three_thirteen.NAME: schemas.DealThreeThirteen(),
    }

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    def routes(self) -> Blueprint:
        """The blueprint of these endpoints."""
        routes = Blueprint("questions", __name__)
        routes.post("/v1/deals")(self.deal)
        self._question(routes, "thirteen/validate-play", schemas.ValidatePlay(), self.validate_play)
        self._question(routes, "thirteen/legal-plays", schemas.LegalPlays(), self.legal_plays)
        self._question(routes, "three-thirteen/score-hand", schemas.ScoreHand(), self.score_hand)
        self._question(routes, "three-thirteen/best-discard", schemas.BestDiscard(), self.best_discard)
        self._question(routes, "three-thirteen/validate-melds", schemas.ValidateMelds(), self.validate_melds)
        routes.after_request(_unkept)
        return routes

    @staticmethod
    def _question(routes: Blueprint, path: str, schema: Schema, answer: Callable[[Fields], JSON]) -> None:
        def view() -> JSON:
            return answer(load(schema, read_json()))

        routes.add_url_rule(f"/v1/{path}", endpoint=answer.__name__, view_func=view, methods=["POST"])

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
        options = discards(asked["hand"], asked["round"], asked["rules"])
        kept = list(asked["hand"])
        kept.remove(options[0].discard)
        best = arrange(kept, asked["round"], asked["rules"])
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


def _unkept(answer: Response) -> Response:
    """No cache keeps a hand (RFC 9111)."""
    answer.headers["Cache-Control"] = "no-store"
    return answer


def new_seed(text: str) -> bytes:
    """The seed written in hex, or where there is none a fresh one from the system's secure source."""
    return bytes.fromhex(text) if text else secrets.token_bytes(SEED_BYTES)
