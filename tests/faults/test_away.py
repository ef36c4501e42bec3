"""A store of many servers is away altogether: the service answers, and goes on when the store is back."""

import sys

from tests.driver import Table
from tests.faults.punctual import Punctual
from tests.faults.servers import Service, eventually
from tests.faults.test_durability import together

DEAL = {"game": "thirteen", "players": 4}
NEW = {"game": "thirteen", "players": [{"name": "A"}, {"name": "B"}]}
AT_ONCE = 6
"""Requests, of each kind, at the same time."""


def assert_answers_without_the_store(running):
    """Many at once: what needs no store is answered, all else is a 503; both within the promised time."""
    clients = [Punctual(running.address) for _ in range(AT_ONCE)]
    asked = [
        call
        for client in clients
        for call in (
            lambda client=client: client.once("get", "/v1/games/AAAAAAAAAAAAAAAAAAAAAA"),
            lambda client=client: client.once("post", "/v1/games", json=NEW),
            lambda client=client: client.once("get", "/readyz"),
            lambda client=client: client.once("post", "/v1/deals", json=DEAL).status_code,
            lambda client=client: client.once("get", "/livez").status_code,
        )
    ]
    assert together(asked) == AT_ONCE * [None, None, None, 200, 200]
    for client in clients:
        client.http.close()


def test_the_service_starts_before_its_store(replicated, tmp_path, tried):
    for server in replicated.servers:
        server.kill()
    running = Service(tmp_path / "service", REDIS_URL=replicated.url, RATE_LIMIT="1000/second")
    running.launch([sys.executable, "-m", "service"], running.environ)
    try:
        eventually(lambda: running.status("/livez") == 200)
        assert_answers_without_the_store(running)
        replicated.heal()
        assert_plays(running)
    finally:
        running.__exit__()
    tried(f"{replicated.kind}: service started without it", 1, 0)


def test_every_server_is_frozen_then_killed(replicated, service, tried):
    running = service(REDIS_URL=replicated.url, RATE_LIMIT="1000/second", DURABILITY="replica")
    table = assert_plays(running)
    for server in replicated.servers:
        server.freeze()
    assert_answers_without_the_store(running)
    for server in replicated.servers:
        server.kill()
    assert_answers_without_the_store(running)
    replicated.heal()
    lost = 0 if assert_plays(running) and table_is_there(running, table) else 1
    tried(f"{replicated.kind}: all servers frozen, then killed", 1, lost)


def assert_plays(running):
    """A new game, with a move made in it."""
    running.until_ready(20)
    client = Punctual(running.address)
    table = eventually(lambda: Table(client, "thirteen", 2))
    seat = table.created["state"]["turn"]
    assert table.move(seat, table.moves(seat)[0]).json()["version"] == 2
    client.http.close()
    return table


def table_is_there(running, table):
    """Whether the game still has its move."""
    client = Punctual(running.address)
    version = table.through(client).get()["version"]
    client.http.close()
    return version == 2
