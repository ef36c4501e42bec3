"""The connection ends at the worst moment, before or behind the service: sent again, a request is carried
out once; without a key the game itself tells what became of it."""

import json
import random
import socket
import struct
import time
import uuid
from itertools import count

import pytest

from tests.driver import Table
from tests.faults.proxy import Proxy
from tests.faults.servers import Service, StoreServer

GAMES = [("thirteen", 3), ("three_thirteen", 2)]
NEW = {"game": "thirteen", "players": [{"name": "An"}, {"name": "Binh"}]}
SEED = "07" * 32
LOSSES = {
    "a reply is lost": Proxy.drop_reply,
    "the connection ends before a reply": Proxy.cut_at_reply,
    "the connection ends after a request": Proxy.cut_after_request,
    "the connection ends before a request": Proxy.lose_request,
}
FEWEST_POINTS = 5
"""Exchanges that any change needs at first: a greeting, a look, a try, the script, and the change."""


@pytest.fixture(scope="module")
def behind(tmp_path_factory):
    """A service of one worker, the proxy between it and its store, and the store."""
    folder = tmp_path_factory.mktemp("lost")
    with (
        StoreServer(folder / "store") as store,
        Proxy(store.port) as proxy,
        Service(folder / "service", REDIS_URL=proxy.url) as service,
        store.client() as redis,
        service.client() as client,
    ):
        yield client, proxy, redis


@pytest.fixture(params=GAMES, ids=lambda param: param[0])
def table(behind, request):
    behind[1].heal()
    return Table(behind[0], *request.param, seed=SEED)


@pytest.fixture(params=LOSSES.values(), ids=LOSSES)
def lose(request):
    return request.param


class Point:
    """One exchange with the store, counted from the first that a request needs, which is to go wrong."""

    def __init__(self, behind, lose, number):
        _, self.proxy, self.redis = behind
        self.lose, self.number = lose, number
        self.reached = False

    def during(self, send, *arguments, **named):
        """The answer to a request that needs new connections, and a script that the store does not know."""
        self.proxy.refuse()
        self.redis.script_flush()
        self.proxy.heal()
        self.lose(self.proxy, self.number)
        answer = send(*arguments, **named)
        self.reached = self.proxy.struck
        self.proxy.heal()
        assert (answer.status_code == 503) == self.reached, answer.text
        if self.reached:
            assert answer.json()["code"] == "store_unavailable"
            assert answer.headers["Retry-After"] == "1"
        return answer


def every_point(behind, lose):
    """The first exchange, the second, … and a last one that the request does not come to."""
    for number in count(1):
        point = Point(behind, lose, number)
        yield point
        if not point.reached:
            assert number > FEWEST_POINTS
            return


def new_key():
    return {"Idempotency-Key": str(uuid.uuid4())}


def replayed(answer):
    return answer.headers.get("Idempotent-Replayed") == "true"


def mover(table):
    """The seat to move, and a move it may make."""
    seat = table.get()["turn"]
    return seat, table.moves(seat)[0]


def versions(table):
    """The version of each event that the game tells of, each version once."""
    events = table.get("/events?limit=1000")["events"]
    return sorted({event["version"] for event in events})


def games(redis):
    return set(redis.scan_iter("g:*:state", count=1000))


def test_a_move_with_a_key_is_made_once(behind, table, lose, tried):
    """Sent again it gives the truth, and the same bytes whenever it is sent again."""
    made = []
    for version, point in enumerate(every_point(behind, lose), 2):
        (seat, move), key = mover(table), new_key()
        point.during(table.move, seat, move, **key)
        made.append(table.get()["version"] == version)
        again, once_more = table.move(seat, move, **key), table.move(seat, move, **key)
        assert (again.status_code, replayed(again)) == (200, made[-1])
        assert (again.content, replayed(once_more)) == (once_more.content, True)
        assert again.json()["version"] == version == table.get()["version"]
        assert versions(table) == list(range(1, version + 1))
    assert (True in made[:-1]) == (lose is not Proxy.lose_request)
    assert False in made
    tried("a move with a key, cut at each exchange with the store", len(made), 0, "made once")


def test_a_move_without_a_key_can_be_looked_up(behind, lose, tried):
    """It is refused with a 503, and has been made or not: the game's version says which."""
    behind[1].heal()
    table = Table(behind[0], *GAMES[0], seed=SEED)
    made = []
    for point in every_point(behind, lose):
        before = table.get()["version"]
        seat, move = mover(table)
        answer = point.during(table.move, seat, move)
        after = table.get()["version"]
        made.append(after == before + 1)
        assert made[-1] or after == before
        assert made[-1] or answer.status_code == 503
        assert versions(table) == list(range(1, after + 1))
    assert (True in made[:-1]) == (lose is not Proxy.lose_request)
    assert False in made
    tried(
        "a move without a key, cut at each exchange with the store", len(made), 0, "503, and the game tells"
    )


def test_a_game_with_a_key_is_created_once(behind, lose, tried):
    """Sent again it gives the one game's tokens, and the same bytes whenever it is sent again."""
    client, proxy, redis = behind
    proxy.heal()
    made = []
    for point in every_point(behind, lose):
        before, key = games(redis), new_key()
        point.during(create, client, key)
        made.append(len(games(redis) - before))
        again, once_more = create(client, key), create(client, key)
        assert (again.status_code, replayed(again)) == (201, bool(made[-1]))
        assert (again.content, replayed(once_more)) == (once_more.content, True)
        assert len(games(redis) - before) == 1
        token = again.json()["seats"][0]["token"]
        view = client.get(again.headers["Location"], headers={"Authorization": f"Bearer {token}"})
        assert view.json()["you"]["seat"] == 0
    assert (1 in made[:-1]) == (lose is not Proxy.lose_request)
    assert 0 in made
    tried(
        "a creation with a key, cut at each exchange with the store",
        len(made),
        0,
        "one game, its tokens again",
    )


def create(client, key):
    return client.post("/v1/games", json=NEW, headers=key)


def test_a_key_that_is_not_remembered_any_more_is_never_a_second_game(behind):
    """A day later a move is judged anew; a creation can't be, while the game that it made is there."""
    client, proxy, redis = behind
    proxy.heal()
    key = new_key()
    first = create(client, key)
    table = Table(client, *GAMES[0], seed=SEED)
    seat, move = mover(table)
    assert table.move(seat, move, **key).status_code == 200
    memos = list(redis.scan_iter("g:*:memo:*"))
    assert all(0 < redis.ttl(memo) <= 24 * 60 * 60 for memo in memos)
    redis.delete(*memos)
    again = create(client, key)
    assert (again.status_code, again.json()["code"]) == (422, "idempotency_key_reused")
    assert table.move(seat, move, **key).json()["code"] == "not_your_turn"
    assert (client.get(first.headers["Location"]).json()["version"], table.get()["version"]) == (1, 2)


def test_a_client_that_hangs_up_and_asks_again_moves_once(behind, table, times, tried):
    """The connection to the service ends as soon as the move is sent, or a moment later."""
    client, attempts = behind[0], times(10, 200)
    for _ in range(attempts):
        if table.get()["status"] == "finished":
            table = Table(client, *GAMES[0], seed=SEED)
        version = table.get()["version"] + 1
        (seat, move), key = mover(table), new_key()
        hang_up_after(client.base_url.port, request_of(table, seat, move, key), random.uniform(0, 0.02))
        again, once_more = table.move(seat, move, **key), table.move(seat, move, **key)
        assert (again.status_code, again.json()["version"]) == (200, version)
        assert (again.content, replayed(once_more)) == (once_more.content, True)
        assert table.get()["version"] == version
    tried("a client hangs up after sending a move with a key", attempts, 0, "made once")


def request_of(table, seat, move, key):
    """The bytes of the request that makes a move."""
    body = json.dumps(move).encode()
    fields = {
        "Host": "localhost",
        "Authorization": f"Bearer {table.tokens[seat]}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **key,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"POST {table.path}/moves HTTP/1.1\r\n{head}\r\n".encode() + body


def hang_up_after(port, request, seconds):
    """Sends it, and resets the connection after so long."""
    with socket.create_connection(("127.0.0.1", port)) as link:
        link.sendall(request)
        time.sleep(seconds)
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
