"""Stored games: created, looked at, moved in, deleted. What a caller sees depends on its token."""

from typing import Any

from flask import Blueprint, Response, make_response, request, url_for

from rules import GAMES
from rules.game import Game, Step
from service import auth
from service.api.questions import new_seed
from service.schemas.body import load_variant, read_json
from service.schemas.games import LARGEST_VERSION, MOVES, NEW_GAMES, query_number
from service.store import Contended, Happening, Record, StaleVersion, Store, now

JSON = Any

TRIES = 32
"""Times a move is judged anew after another one won the race to the same version."""

MOST_VERSIONS = 1000
"""Versions of events in one answer at most."""


class Games:
    """The endpoints under /v1/games."""

    def __init__(self, store: Store) -> None:
        self._store = store

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
        """Deals a new game and hands out its tokens, this once."""
        asked = load_variant(NEW_GAMES, "game", read_json())
        game = GAMES[asked["game"]]
        names = [player["name"] for player in asked["players"]]
        step = game.new_game(len(names), new_seed(asked["seed"]), asked["rules"], asked["first_seat"])
        host, *seats = tokens = [auth.new_token() for _ in range(len(names) + 1)]
        meta = _meta(game.NAME, names, tokens)
        record = self._store.create(auth.new_id(), meta, game.dump(step.state), _dumped(game, step))
        state = _view(record, step.state, None)
        body = {
            "id": record.id,
            "version": record.version,
            "commitment": state["commitment"],
            "host_token": host,
            "seats": [{"seat": i, "name": names[i], "token": token} for i, token in enumerate(seats)],
            "state": state,
        }
        answer = _tagged(body, record, 201)
        answer.headers["Location"] = url_for("games.show", game_id=record.id)
        return answer

    def show(self, game_id: str) -> Response:
        """The game as the caller may see it."""
        record = self._store.load(game_id)
        caller = _caller(record)
        if request.if_none_match.contains_weak(str(record.version)):
            return _tagged(None, record, 304)
        return _tagged(_view(record, _state(record), caller.seat), record)

    def delete(self, game_id: str) -> tuple[str, int]:
        """Forgets the game; for its host."""
        auth.require_host(_caller(self._store.load(game_id)))
        self._store.delete(game_id)
        return "", 204

    def move(self, game_id: str) -> Response:
        """Makes a move, judged against the very state that it is stored upon."""
        record, seat = self._seated(game_id)
        body = read_json()
        load_variant(MOVES, "type", body)
        for _ in range(TRIES):
            _require_match(record)
            game = GAMES[record.meta["game"]]
            step = game.apply(_state(record), game.load_action(seat, body))
            events = _dumped(game, step)
            if after := self._store.save(record, game.dump(step.state), events):
                happening = Happening(after.version, after.updated_at, events)
                body = {"version": after.version, "events": _seen(after, [happening], seat)}
                return _tagged({**body, "state": _view(after, step.state, seat)}, after)
            record = self._store.load(game_id)
        raise Contended(game_id)

    def legal_moves(self, game_id: str) -> JSON:
        """Every move the caller's seat may make now, as bodies for `move`."""
        record, seat = self._seated(game_id)
        game = GAMES[record.meta["game"]]
        actions = game.legal_actions(_state(record), seat)
        return {"version": record.version, "moves": [game.dump_action(action) for action in actions]}

    def events(self, game_id: str) -> JSON:
        """What happened after a version, as the caller may see it."""
        after = query_number("after", 0, LARGEST_VERSION, 0)
        limit = query_number("limit", 1, MOST_VERSIONS, 100)
        record, happenings = self._store.happenings(game_id, after, limit)
        seen = _seen(record, happenings, _caller(record).seat)
        return {"events": seen, "version": happenings[-1].version if happenings else record.version}

    def _seated(self, game_id: str) -> tuple[Record, int]:
        """The game and the seat whose token the request carries."""
        record = self._store.load(game_id)
        return record, auth.seat_of(_caller(record))


def _meta(game: str, names: list[str], tokens: list[str]) -> dict[str, JSON]:
    """What is kept beside the state; of the tokens, the host's first, only digests."""
    host, *seats = map(auth.digest, tokens)
    return {"game": game, "names": names, "host": host, "seats": seats, "created_at": now()}


def _caller(record: Record) -> auth.Caller:
    return auth.identify(request.headers.get("Authorization"), record.meta["seats"], record.meta["host"])


def _require_match(record: Record) -> None:
    """`If-Match` is honoured where sent (RFC 9110, 13.1.1); raises `StaleVersion`."""
    if "If-Match" in request.headers and not request.if_match.contains(str(record.version)):
        raise StaleVersion(record.version)


def _state(record: Record) -> Any:
    return GAMES[record.meta["game"]].load(record.state)


def _dumped(game: Game[Any, Any, Any], step: Step[Any, Any]) -> list[dict[str, JSON]]:
    return [game.dump_event(event) for event in step.events]


def _seen(record: Record, happenings: list[Happening], seat: int | None) -> list[dict[str, JSON]]:
    """The events as `seat` (`None`: a spectator) may see them."""
    see = GAMES[record.meta["game"]].view_event
    return [
        {"version": it.version, "at": it.at, **see(event, seat)} for it in happenings for event in it.events
    ]


def _view(record: Record, state: Any, seat: int | None) -> dict[str, JSON]:
    """The game as `seat` (`None`: a spectator) may see it: the rules' view, named and dated."""
    view = GAMES[record.meta["game"]].view(state, seat)
    for player, name in zip(view["players"], record.meta["names"], strict=True):
        player["name"] = name
    dated = {"created_at": record.meta["created_at"], "updated_at": record.updated_at}
    return {"id": record.id, "version": record.version, **view, **dated}


def _tagged(body: JSON, record: Record, status: int = 200) -> Response:
    """The answer with the version as its strong ETag."""
    answer = make_response("" if body is None else body, status)
    answer.set_etag(str(record.version))
    return answer


def _private(answer: Response) -> Response:
    """What a token shows is for its holder: no cache keeps it (RFC 9111)."""
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Vary"] = "Authorization"
    return answer
