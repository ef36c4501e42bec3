"""Stored games: created, looked at, moved in, deleted. What a caller sees depends on its token."""

import secrets
from typing import Any

from flask import Blueprint, Response, request

from rules import GAMES
from service import auth, metrics
from service.api import shown, streams
from service.api.questions import new_seed
from service.idempotency import KeyReused, Memo, answering, fingerprint, key_sent, scoped
from service.live import Live
from service.schemas.body import load_variant, read_json
from service.schemas.games import LARGEST_VERSION, MOVES, NEW_GAMES, last_event_id, query_number
from service.store import Contended, Happening, Record, StaleVersion, Store

JSON = Any

TRIES = 32
"""Times a move is judged anew after another one won the race to the same version."""

MOST_VERSIONS = 1000
"""Versions of events in one answer at most."""

LONGEST_WAIT = 30
"""Seconds that a request for events may wait for some."""


class Games:
    """The endpoints under /v1/games."""

    def __init__(self, store: Store, live: Live) -> None:
        self._store = store
        self._live = live

    def routes(self) -> Blueprint:
        """The blueprint of these endpoints."""
        routes = Blueprint("games", __name__, url_prefix="/v1/games")
        routes.post("")(self.create)
        routes.get("/<game_id>")(self.show)
        routes.delete("/<game_id>")(self.delete)
        routes.post("/<game_id>/moves")(self.move)
        routes.get("/<game_id>/legal-moves")(self.legal_moves)
        routes.get("/<game_id>/events")(self.events)
        routes.after_request(_private)
        return routes

    def create(self) -> Response:
        """Deals a new game and hands out its tokens: this once, or again to whoever sends the same key."""
        body = read_json()
        asked = load_variant(NEW_GAMES, "game", body)
        key = key_sent()
        secret = auth.new_token() if key is None else scoped(key, auth.client())
        game_id, memo_key = auth.derived_id(secret), key and scoped(secret)
        wanted = fingerprint(body)
        memo = self._store.recall(game_id, memo_key)
        if memo is None:
            blank = Memo(wanted, 1, salt=secrets.token_hex(16))
            memo = self._create(asked, game_id, blank, secret, memo_key)
        tokens = auth.derived_tokens(secret, memo.salt, len(asked["players"]) + 1)
        return shown.located(shown.answer(answering(memo, wanted), 201, tokens), game_id)

    def _create(
        self, asked: dict[str, Any], game_id: str, memo: Memo, secret: str, memo_key: str | None
    ) -> Memo:
        """Stores the new game; the memo is the one kept, perhaps of an equal request that was faster."""
        game = GAMES[asked["game"]]
        names = [player["name"] for player in asked["players"]]
        step = game.new_game(len(names), new_seed(asked["seed"]), asked["rules"], asked["first_seat"])
        digests = list(map(auth.digest, auth.derived_tokens(secret, memo.salt, len(names) + 1)))
        record = shown.first_record(game_id, game, names, digests, step.state)
        memo = memo.saying(shown.created(record, step.state, digests))
        kept = self._store.commit(record, shown.dumped(game, step), memo, memo_key)
        if kept is None:  # the key is as old as a game that is still played, its memo is gone
            raise KeyReused
        if not kept.again:
            metrics.CREATED.labels(game.NAME).inc()
            _count_end(game, step.state)
        return kept

    def show(self, game_id: str) -> Response:
        """The game as the caller may see it."""
        record = self._store.load(game_id)
        caller = shown.caller_of(record)
        if request.if_none_match.contains_weak(str(record.version)):
            return shown.tagged(b"", record.version, 304)
        return shown.look(record, caller.seat)

    def delete(self, game_id: str) -> tuple[str, int]:
        """Forgets the game; for its host."""
        record = self._store.load(game_id)
        auth.require_host(shown.caller_of(record))
        self._store.delete(game_id)
        metrics.DELETED.labels(record.meta["game"]).inc()
        return "", 204

    def move(self, game_id: str) -> Response:
        """Makes a move, judged against the very state that it is stored upon."""
        key = key_sent()
        memo_key = key and scoped(key, auth.bearer(request.headers.get("Authorization", "Bearer ")))
        record, first = self._store.load_with_memo(game_id, memo_key)
        seat = auth.seat_of(shown.caller_of(record))
        body = read_json()
        load_variant(MOVES, "type", body)
        wanted = Memo(fingerprint(body) if key else "", 0)
        memo = first or self._move(record, seat, body, wanted, memo_key)
        return shown.answer(answering(memo, wanted.fingerprint))

    def _move(self, record: Record, seat: int, body: JSON, wanted: Memo, memo_key: str | None) -> Memo:
        """Judges and stores until no other change comes between; the memo is the one kept."""
        for _ in range(TRIES):
            _require_match(record)
            game = GAMES[record.meta["game"]]
            with metrics.judging(game.NAME):
                step = game.apply(shown.state_of(record), game.load_action(seat, body))
            after = shown.next_record(record, game, step.state)
            events = shown.dumped(game, step)
            memo = wanted.saying(shown.moved(after, step.state, events, seat), after.version)
            if kept := self._store.commit(after, events, memo, memo_key):
                _count_move(game, step.state, kept)
                return kept
            record = self._store.load(record.id)
        raise Contended(record.id)

    def legal_moves(self, game_id: str) -> JSON:
        """Every move the caller's seat may make now, as bodies for `move`."""
        record = self._store.load(game_id)
        seat = auth.seat_of(shown.caller_of(record))
        game = GAMES[record.meta["game"]]
        actions = game.legal_actions(shown.state_of(record), seat)
        return {"version": record.version, "moves": [game.dump_action(action) for action in actions]}

    def events(self, game_id: str) -> Response:
        """What happened after a version, as the caller may see it: now, within a while, or as it happens."""
        after = query_number("after", 0, LARGEST_VERSION, 0)
        limit = query_number("limit", 1, MOST_VERSIONS, 100)
        wait = query_number("wait", 0, LONGEST_WAIT, 0)
        seen = last_event_id(after)
        if streams.wanted():
            return self._stream(game_id, seen)
        record, happenings = self._store.happenings(game_id, after, limit)
        seat = shown.caller_of(record).seat
        idle = not streams.finished(record) and not happenings and after == record.version
        if idle and wait and request.method == "GET":
            record, happenings = self._await(game_id, after, limit, wait)
        return shown.happened(record, happenings, seat)

    def _await(self, game_id: str, after: int, limit: int, wait: int) -> tuple[Record, list[Happening]]:
        watch = self._live.watch(game_id, request.environ.get("gunicorn.socket"))
        try:
            return streams.await_news(watch, after, limit, wait)
        finally:
            watch.close()

    def _stream(self, game_id: str, after: int) -> Response:
        record = self._store.load(game_id)
        seat = shown.caller_of(record).seat
        if streams.finished(record) and after == record.version:
            return shown.by_form(Response(status=204))  # what tells an EventSource not to come again
        watch = self._live.watch(game_id, request.environ.get("gunicorn.socket"))
        text = streams.stream(watch, seat, after) if request.method == "GET" else ()
        answer = shown.by_form(Response(text, mimetype=streams.MEDIA_TYPE))
        answer.call_on_close(watch.close)
        answer.headers["X-Accel-Buffering"] = "no"
        return answer


def _count_move(game: shown.AnyGame, state: Any, kept: Memo) -> None:
    """Counts a move that was made now, and the end of the game where it is one."""
    if not kept.again:
        metrics.MOVES.labels(game.NAME, "ok").inc()
        _count_end(game, state)


def _count_end(game: shown.AnyGame, state: Any) -> None:
    if game.finished(state):
        metrics.FINISHED.labels(game.NAME).inc()


def _require_match(record: Record) -> None:
    """`If-Match` is honoured where sent (RFC 9110, 13.1.1); raises `StaleVersion`."""
    if "If-Match" in request.headers and not request.if_match.contains(str(record.version)):
        raise StaleVersion(record.version)


def _private(answer: Response) -> Response:
    """What a token shows is for its holder: no cache keeps it (RFC 9111)."""
    answer.headers.add("Cache-Control", "no-store")
    varies = answer.headers.get("Vary")
    answer.headers["Vary"] = f"Authorization, {varies}" if varies else "Authorization"
    return answer
