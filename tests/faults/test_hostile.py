"""Whatever is sent: no 5xx, no inside shown, a small answer, little work, and others are still served."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from tests.driver import Table
from tests.faults.effort import cpu_seconds
from tests.faults.hostile import FINE, PLAY, UNKNOWN, table
from tests.faults.servers import Service
from tests.faults.wire import JSON, connect, exchange, post, read, request

MOST_BYTES = 16 * 1024
MOST_CPU = 0.1
"""Seconds of the worker's CPU time for one request."""


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A service with one worker, which the tests here share."""
    with Service(tmp_path_factory.mktemp("service")) as running:
        yield running


class Attacked:
    """A service, and two games of strangers at it."""

    def __init__(self, service):
        self.service = service
        self.worker = service.workers()[0]
        with service.client() as client:
            mine, theirs = (Table(client, game, 2) for game in ("thirteen", "three_thirteen"))
        self.game = mine
        waiting = 1 - mine.created["state"]["turn"]
        self.table = table(mine.path, mine.tokens[waiting], theirs.tokens[0])

    def send(self, data):
        """The answer, and the CPU time it took."""
        before = cpu_seconds(self.worker)
        answer = exchange(self.service.port, data)
        return answer, cpu_seconds(self.worker) - before


def fault(answer, allowed):
    """What is wrong with an answer; `None` where it is as it should be."""
    if answer is None or answer.status not in allowed:
        return f"answered {answer and (answer.status, answer.body[:200])}, not {allowed}"
    if len(answer.body) > MOST_BYTES:
        return f"an answer of {len(answer.body)} bytes"
    if any(inside in answer.body for inside in (b"Traceback", b".py", b"gunicorn", b"<html")):
        return f"shows its inside: {answer.body[:200]}"
    if answer.all("X-Content-Type-Options") != ["nosniff"] or answer.all("Set-Cookie"):
        return f"headers {answer.headers}"
    if answer.status >= 400 and answer.body and answer.json()["status"] != answer.status:
        return f"no problem of that status: {answer.body[:200]}"
    return None


def test_nothing_that_is_sent_breaks_it(running, times, tried):
    attacked = Attacked(running)
    wrong, slow, sent = {}, {}, 0
    for _ in range(times(1, 5)):
        for name, (data, allowed) in attacked.table.items():
            answer, spent = attacked.send(data)
            sent += 1
            if found := fault(answer, allowed):
                wrong[name] = found
            if spent > MOST_CPU:
                slow[name] = min(attacked.send(data)[1] for _ in range(3))
    assert wrong == {}
    assert {name: spent for name, spent in slow.items() if spent > MOST_CPU} == {}
    assert attacked.service.workers() == [attacked.worker]
    assert attacked.service.status("/readyz") == 200
    log = attacked.service.said()
    assert not [word for word in ("Traceback", "internal_error", "Error handling") if word in log], log
    tried("hostile requests", sent, 0, f"{len(attacked.table)} kinds, 0 answered with a 5xx")


def test_the_game_under_attack_goes_on(running):
    """No row of the table moves, deletes or uncovers anything in a game that it has no right to."""
    attacked = Attacked(running)
    for name, (data, _) in attacked.table.items():
        if name.startswith(("paths", "methods", "headers", "queries")):
            attacked.send(data)
    with attacked.service.client() as client:
        attacked.game.client = client
        assert attacked.game.get()["version"] == 1


def test_slow_senders_do_not_hold_up_others(running, times, tried):
    """With one worker and many requests that are still on their way, others are answered."""
    attacked = Attacked(running)
    body = post(PLAY, FINE)
    slow = times(100, 900)
    with ExitStack() as stack:
        links = [stack.enter_context(connect(attacked.service.port)) for _ in range(slow)]
        for number, link in enumerate(links):
            link.sendall(body[: -1 - number % len(FINE)])
        for _ in range(20):
            assert exchange(attacked.service.port, body).status == 200
        for number, link in enumerate(links):
            link.sendall(body[-1 - number % len(FINE) :])
        assert {read(link).status for link in links} == {200}
    tried("slow bodies at once", slow, 0)


def test_a_long_batch_does_not_hold_up_others(running):
    """With one worker that is busy with a batch, others are answered before it is."""
    hand = [rank + suit for rank in "345" for suit in "SCDH"] + ["6S"]
    batch = post("/v1/thirteen/legal-plays/batch", json.dumps({"items": [{"hand": hand}] * 1000}).encode())
    with ThreadPoolExecutor(1) as other, connect(running.port) as link:
        link.sendall(batch)
        answered = other.submit(read, link)
        for _ in range(5):
            assert exchange(running.port, request()).status == 200
        assert not answered.done()
        assert len(answered.result().json()["results"]) == 1000


def test_half_a_request_is_given_up(running):
    """A caller that never ends its headers is cut off; gunicorn's `keepalive` says when."""
    with connect(running.port) as link:
        link.sendall(b"GET /livez HTTP/1.1\r\nX-A: ")
        assert read(link) is None


@pytest.mark.parametrize("sent", [b"", b'{"type": "pa', b'{"type": "pass"}'])
def test_a_body_that_ends_early_changes_nothing(running, sent):
    """The caller promises more than it sends, and goes: what came is not taken for all of it."""
    attacked = Attacked(running)
    table = attacked.game
    seat = table.created["state"]["turn"]
    bearer = f"Authorization: Bearer {table.tokens[seat]}"
    with connect(attacked.service.port) as link:
        link.sendall(request("POST", f"{table.path}/moves", JSON, bearer, "Content-Length: 30", body=sent))
        link.shutdown(1)
        assert read(link).status == 400
    assert exchange(attacked.service.port, request("GET", table.path)).json()["version"] == 1


def test_what_is_left_unread_does_not_become_the_next_request(running):
    """A body that an operation does not read is not taken for a request on the same connection."""
    attacked = Attacked(running)
    smuggled = request("DELETE", attacked.game.path, f"Authorization: Bearer {attacked.game.host}")
    with connect(attacked.service.port) as link:
        link.sendall(request("GET", f"/v1/games/{UNKNOWN}", "Connection: keep-alive", body=smuggled))
        assert read(link).status == 404
        link.sendall(request("GET", "/livez"))
        assert read(link).status == 200
    assert exchange(attacked.service.port, request("GET", attacked.game.path)).status == 200
