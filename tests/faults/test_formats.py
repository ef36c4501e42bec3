"""Games stored by another version of the service: an earlier one's are played on, a later one's left alone.

`formats/<game>_<format>.json` is a game as Redis had it when that format was the current one: `hash` and
`events` are its keys, and `views` is what each seat was shown. A new format brings a new one for each
game whose format it is; the others stay for as long as their formats are read.
"""

import json
import random
from pathlib import Path

import pytest

from rules import GAMES
from tests.driver import Table

RECORDED = sorted((Path(__file__).parent / "formats").glob("*.json"))
CURRENT = {
    name: game.dump(game.new_game(2, bytes(32), game.OPTIONS()).state)["format"]
    for name, game in GAMES.items()
}
UNKNOWN = [max(CURRENT.values()) + 1, 1_000_000_000, "1", None]
BODIES = {"thirteen": {"type": "pass"}, "three_thirteen": {"type": "draw", "from": "stock"}}


def key(game_id, part="state"):
    return f"g:{{{game_id}}}:{part}"


@pytest.fixture
def raw(store):
    server = store()
    with server.client() as client:
        client.url = server.url
        yield client


@pytest.fixture
def client(service, raw):
    with service(REDIS_URL=raw.url).client() as client:
        yield client


def test_every_game_has_a_recording_of_every_format():
    expected = {f"{name}_{number}" for name, last in CURRENT.items() for number in range(1, last + 1)}
    assert {path.stem for path in RECORDED} == expected


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_game_is_read_and_played_on(client, raw, times, tried, path):
    recorded = json.loads(path.read_bytes())
    raw.hset(key(recorded["id"]), mapping=recorded["hash"])
    for entry_id, fields in recorded["events"]:
        raw.xadd(key(recorded["id"], "events"), fields, entry_id)
    table = table_of(recorded, client)
    first = int(recorded["hash"]["version"])
    assert [table.get(seat=seat) for seat in range(len(table.tokens))] == recorded["views"]
    assert versions_told(table) == list(range(1, first + 1))

    moves = sum(1 for _ in table.play(random.Random(1), most=times(100, 10_000)))
    end = table.get()
    assert end["status"] == "finished" or moves == 100
    assert end["version"] == first + moves
    assert versions_told(table) == list(range(1, end["version"] + 1))
    assert json.loads(raw.hget(key(recorded["id"]), "state"))["format"] == CURRENT[end["game"]]
    tried("games of a recorded format, played on", 1, 0, f"{moves} moves")


def table_of(recorded, client):
    """The recorded game's table, as the seat whose turn it is sees it."""
    table = Table.__new__(Table)
    table.client, table.path = client, f"/v1/games/{recorded['id']}"
    table.host, table.tokens = recorded["host"], recorded["tokens"]
    table.created = {"state": recorded["views"][recorded["views"][0]["turn"]]}
    return table


def versions_told(table):
    return sorted({event["version"] for event in table.get("/events?limit=1000")["events"]})


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_of_an_unknown_format_is_left_alone(client, raw, tried, game):
    for format_ in UNKNOWN:
        table = Table(client, game, 2)
        name = key(table.created["id"])
        state = json.loads(raw.hget(name, "state"))
        raw.hset(name, "state", json.dumps({**state, "format": format_, "something": "new"}))
        before, expires = everything(raw), raw.pexpiretime(name)

        answers = every_question(table, BODIES[game])
        assert [answer.status_code for answer in answers] == [503] * len(answers)
        assert {answer.json()["code"] for answer in answers} == {"unsupported_state"}
        assert {answer.headers["Content-Type"] for answer in answers} == {"application/problem+json"}
        assert all(int(answer.headers["Retry-After"]) >= 1 for answer in answers)
        assert table.call("delete", token=table.tokens[0]).status_code == 403
        assert everything(raw) == before
        assert raw.pexpiretime(name) == expires
        tried("requests to games of an unknown format", len(answers), 0)

        assert table.call("delete", token=table.host).status_code == 204
        assert everything(raw) == {}


def everything(raw):
    """Every key of a game, byte for byte."""
    return {name: raw.dump(name) for name in raw.keys("g:*")}


def every_question(table, move):
    """The answers to all that can be asked of a game, or done in it, but to delete it."""
    seat = table.created["state"]["turn"]
    return [
        *(table.call("get", path, at) for path in ("", "/legal-moves", "/events") for at in range(2)),
        *(table.call("get", path, token=token) for path in ("", "/events") for token in (None, table.host)),
        table.move(seat, move),
        table.move(seat, move, **{"If-Match": '"1"'}),
        table.move(seat, move, **{"Idempotency-Key": "a key"}),
    ]
