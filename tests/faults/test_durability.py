"""`DURABILITY=replica`: what no replica has is not acknowledged, and a retry with its key tells the truth."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.driver import Table
from tests.faults.punctual import Punctual
from tests.faults.servers import eventually


class Request:
    """A POST with a key, which can be sent again."""

    def __init__(self, client, url, body, token=None):
        self.client = client
        self.url, self.body = url, body
        self.headers = {"Idempotency-Key": f"key of {url} {token}"}
        self.headers |= {"Authorization": f"Bearer {token}"} if token else {}

    def send(self):
        """The answer if there is one within the promised time, `None` for a 503."""
        return self.client.once("post", self.url, json=self.body, headers=self.headers)

    def until_answered(self):
        """The first answer that is no 503."""
        return eventually(self.send, every=0.1)


def first_move(client, table):
    """The lead of a game in which nothing has happened yet."""
    seat = table.created["state"]["turn"]
    move = table.moves(seat)[0]
    return Request(client, f"{table.path}/moves", move, table.tokens[seat])


def together(calls):
    """What the calls answer, made at once."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(lambda call: call(), calls))


@pytest.mark.parametrize("then", ["comes back", "is promoted"])
def test_a_move_that_no_replica_has(replicated, service, times, tried, then):
    running, count = service(REDIS_URL=replicated.url, DURABILITY="replica"), times(8, 50)
    client = Punctual(running.address)
    tables = [Table(client, "thirteen", 2) for _ in range(count)]
    requests = [first_move(client, table) for table in tables]
    players = [{"name": "A"}, {"name": "B"}]
    requests.append(Request(client, "/v1/games", {"game": "thirteen", "players": players}))
    primary, *heirs = replicated.shard_of(tables[0].created["id"])
    for node in replicated.primaries():
        node.cut()

    for _ in range(2):
        assert together([request.send for request in requests]) == [None] * len(requests)

    if then == "is promoted":
        primary.kill()
        eventually(lambda: any(heir.leads() for heir in heirs))
    replicated.heal()
    answers = together([request.until_answered for request in requests])
    again = together([request.until_answered for request in requests])
    lost = sum(table.get()["version"] != 2 for table in tables)
    assert {answer.status_code for answer in answers[:-1]} == {200}
    assert {answer.json()["version"] for answer in answers[:-1]} == {2}
    assert answers[-1].status_code == 201
    assert [answer.content for answer in again] == [answer.content for answer in answers]
    assert {answer.headers.get("Idempotent-Replayed") for answer in again} == {"true"}
    if then == "comes back":
        assert {answer.headers.get("Idempotent-Replayed") for answer in answers} == {"true"}
    tried(f"{replicated.kind}: replica cut off, DURABILITY=replica, {then}", len(requests), lost)
    assert lost == 0
    client.http.close()
