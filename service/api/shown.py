"""What answers about a stored game look like, and what is stored of it, whichever game it is."""

from collections.abc import Sequence
from typing import Any

import orjson
from flask import Response, request, url_for

from rules import GAMES
from rules.game import Game, Step
from service import auth
from service.idempotency import Memo
from service.notes import note
from service.store import Happening, Record, now

JSON = Any
AnyGame = Game[Any, Any, Any]


def first_record(game_id: str, game: AnyGame, names: list[str], digests: list[str], state: Any) -> Record:
    """A new game as it is stored; `digests` are those of the tokens, the host's first."""
    host, *seats = digests
    created_at = now()
    meta = {"game": game.NAME, "names": names, "host": host, "seats": seats, "created_at": created_at}
    return Record(game_id, 1, meta, game.dump(state), created_at)


def next_record(record: Record, game: AnyGame, state: Any) -> Record:
    """The next version of a game, as it is stored."""
    return Record(record.id, record.version + 1, record.meta, game.dump(state), now())


def caller_of(record: Record) -> auth.Caller:
    """Who sent the request; raises `Unauthorized` for a token that is not the game's."""
    note({"version": record.version})
    return auth.identify(request.headers.get("Authorization"), record.meta["seats"], record.meta["host"])


def state_of(record: Record) -> Any:
    """The game's state; raises `UnknownFormat` where a newer version of this service wrote it."""
    return GAMES[record.meta["game"]].load(record.state)


def dumped(game: AnyGame, step: Step[Any, Any]) -> list[dict[str, JSON]]:
    """The events of a step, whole."""
    return [game.dump_event(event) for event in step.events]


def seen(record: Record, happenings: list[Happening], seat: int | None) -> list[dict[str, JSON]]:
    """The events as `seat` (`None`: a spectator) may see them."""
    see = GAMES[record.meta["game"]].view_event
    return [
        {"version": it.version, "at": it.at, **see(event, seat)} for it in happenings for event in it.events
    ]


def happened(record: Record, happenings: list[Happening], seat: int | None) -> Response:
    """The answer with these events, and the version to ask after next."""
    version = happenings[-1].version if happenings else record.version
    body = {"events": seen(record, happenings, seat), "version": version}
    return by_form(Response(orjson.dumps(body), mimetype="application/json"))


def by_form(answer: Response) -> Response:
    """The answer, noted to depend on the form that was asked for."""
    answer.vary.add("Accept")
    return answer


def view_of(record: Record, state: Any, seat: int | None) -> dict[str, JSON]:
    """The game as `seat` (`None`: a spectator) may see it: the rules' view, named and dated."""
    view = GAMES[record.meta["game"]].view(state, seat)
    for player, name in zip(view["players"], record.meta["names"], strict=True):
        player["name"] = name
    dated = {"created_at": record.meta["created_at"], "updated_at": record.updated_at}
    return {"id": record.id, "version": record.version, **view, **dated}


def look(record: Record, seat: int | None) -> Response:
    """The answer that shows the game to `seat` (`None`: a spectator)."""
    return tagged(orjson.dumps(view_of(record, state_of(record), seat)), record.version)


def created(record: Record, state: Any, tokens: Sequence[str]) -> bytes:
    """The body that answers the creation of a game; `tokens`, the host's first, or what stands for them."""
    host, *seats = tokens
    names = record.meta["names"]
    public = view_of(record, state, None)
    body = {
        "id": record.id,
        "version": record.version,
        "commitment": public["commitment"],
        "host_token": host,
        "seats": [{"seat": i, "name": names[i], "token": token} for i, token in enumerate(seats)],
        "state": public,
    }
    return orjson.dumps(body)


def moved(record: Record, state: Any, events: list[dict[str, JSON]], seat: int) -> bytes:
    """The body that answers a move."""
    told = seen(record, [Happening(record.version, record.updated_at, events)], seat)
    return orjson.dumps({"version": record.version, "events": told, "state": view_of(record, state, seat)})


def tagged(body: bytes, version: int, status: int = 200) -> Response:
    """The answer with the version as its strong ETag."""
    note({"version": version})
    answer = Response(body, status, mimetype="application/json")
    answer.headers["ETag"] = f'"{version}"'
    return answer


def answer(memo: Memo, status: int = 200, tokens: Sequence[str] = ()) -> Response:
    """The answer that is kept in a memo, with these tokens in the places of their digests."""
    body = memo.body
    for token in tokens:
        body = body.replace(auth.digest(token).encode(), token.encode())
    answer = tagged(body, memo.version, status)
    if memo.again:
        answer.headers["Idempotent-Replayed"] = "true"
    return answer


def located(answer: Response, game_id: str) -> Response:
    """The answer with the game's address."""
    note({"game": game_id})
    answer.headers["Location"] = url_for("games.show", game_id=game_id)
    return answer
