"""A store that is gone, silent, slow, full or read-only: the service says so at once, and goes on with it
as soon as it is well again, never having been restarted."""

import resource
import statistics
import sys
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import cycle, islice

import httpx
import pytest
from redis.exceptions import ResponseError

from tests.driver import Table
from tests.faults.proxy import Proxy
from tests.faults.servers import Service, StoreServer, eventually, free_port

IN_TIME = 2.0
"""Seconds within which every answer has to come, whatever the store does."""

AT_ONCE = 20
SEED = "07" * 32
NEW = {"game": "thirteen", "players": [{"name": "An"}, {"name": "Binh"}]}
DEAL = {"game": "thirteen", "players": 4}
PLAY = {"cards": ["7S", "7H"], "table": ["7C", "7D"]}
UNLIMITED = resource.RLIM_INFINITY
OUTLIVES_A_FULL_DISK = "import os, sys; os.execv(sys.argv[1], sys.argv[1:])"
"""Python ignores the signal for a file that is too large, and whatever it becomes ignores it too."""


class Store(StoreServer):
    """A store whose disk can be full: its files grow no more. To be run with `everysec`, or it ends then."""

    def launch(self, command, environ):
        super().launch([sys.executable, "-c", OUTLIVES_A_FULL_DISK, *command], environ)

    def let_files_grow(self, limit):
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (limit, UNLIMITED))


@dataclass(frozen=True)
class Setup:
    """A service, the proxy between it and its store, the store, and a client of that."""

    service: Service
    proxy: Proxy
    store: Store
    redis: object

    def configure(self, **directives):
        for name, value in directives.items():
            self.redis.config_set(name.replace("_", "-"), value)

    def fill_disk(self):
        """Returns when the store has noticed: it refuses to write when it has failed to."""
        self.store.let_files_grow(1)
        with pytest.raises(ResponseError, match="MISCONF"):
            eventually(lambda: self.redis.incr("written") < 0)


@dataclass(frozen=True)
class Fault:
    """What befalls a store, and its end. Where `readable`, games can be looked at meanwhile."""

    begin: object
    end: object
    readable: bool = False


FAULTS = {
    "stopped": Fault(lambda it: it.store.end(), lambda it: it.store.start()),
    "frozen": Fault(lambda it: it.store.freeze(), lambda it: it.store.thaw()),
    "slow: 2 s a reply": Fault(lambda it: it.proxy.delay(2.0), lambda it: it.proxy.heal()),
    "not reached: refused": Fault(lambda it: it.proxy.refuse(), lambda it: it.proxy.heal()),
    "not reached: no answer": Fault(lambda it: it.proxy.freeze(), lambda it: it.proxy.heal()),
    "full: maxmemory": Fault(
        lambda it: it.configure(maxmemory=it.redis.info("memory")["used_memory"] // 2),
        lambda it: it.configure(maxmemory=0),
        readable=True,
    ),
    "full: its disk": Fault(
        lambda it: it.fill_disk(), lambda it: it.store.let_files_grow(UNLIMITED), readable=True
    ),
    "refusing writes: no replica": Fault(
        lambda it: it.configure(min_replicas_to_write=1),
        lambda it: it.configure(min_replicas_to_write=0),
        readable=True,
    ),
    "a read-only replica": Fault(
        lambda it: it.redis.replicaof("127.0.0.1", free_port()),
        lambda it: it.redis.replicaof("NO", "ONE"),
        readable=True,
    ),
}


@pytest.fixture(scope="module")
def setup(tmp_path_factory):
    """One service for all faults, one after the other."""
    folder = tmp_path_factory.mktemp("broken")
    with (
        Store(folder / "store", appendfsync="everysec") as store,
        Proxy(store.port) as proxy,
        Service(folder / "service", REDIS_URL=proxy.url, WEB_CONCURRENCY="2") as service,
        store.client() as redis,
    ):
        yield Setup(service, proxy, store, redis)


@dataclass(frozen=True)
class Timed:
    """An answer, and the seconds it took."""

    answer: httpx.Response
    seconds: float


def timed(send, client):
    started = time.monotonic()
    return Timed(send(client), time.monotonic() - started)


class Requests:
    """What is asked of the service: of each a function of a client. Sent again, they do the same."""

    def __init__(self, client):
        table = Table(client, "thirteen", 2, seed=SEED)
        seat = table.get()["turn"]
        move, self.key = table.moves(seat)[0], {"Idempotency-Key": str(uuid.uuid4())}
        self.table = table
        self.changes = {
            "create": lambda one: one.post("/v1/games", json=NEW, headers=self.key),
            "move": lambda one: table.through(one).move(seat, move, **self.key),
        }
        self.looks = {
            "show": lambda one: table.through(one).call("get", seat=seat),
            "legal moves": lambda one: table.through(one).call("get", "/legal-moves", seat),
            "events": lambda one: table.through(one).call("get", "/events"),
        }
        self.ready = lambda one: one.get("/readyz")
        self.questions = [
            lambda one: one.get("/livez"),
            lambda one: one.post("/v1/deals", json=DEAL),
            lambda one: one.post("/v1/thirteen/validate-play", json=PLAY),
            lambda one: one.get("/v1/rules/thirteen"),
        ]


def assert_unavailable(timed):
    answer = timed.answer
    assert answer.status_code == 503, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "store_unavailable"
    assert int(answer.headers["Retry-After"]) >= 1
    assert timed.seconds < IN_TIME


def assert_fine(timed, seconds=IN_TIME):
    assert timed.answer.status_code == 200, timed.answer.text
    assert timed.seconds < seconds


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_the_service_says_so_in_time_and_recovers(setup, times, tried, request, fault):
    """Each endpoint by itself, then 20 requests at once, and meanwhile the questions that need no game."""
    slowest, asked, back, rounds = 0.0, 0, 0.0, times(1, 5)
    for _ in range(rounds):
        with setup.service.client() as client:
            requests = Requests(client)
            fault.begin(setup)
            try:
                answers = one_by_one(requests, fault, client) + all_at_once(requests, fault, setup.service)
            finally:
                fault.end(setup)
            slowest = max(slowest, *(one.seconds for one in answers))
            asked += len(answers)
            back = max(back, recovery(requests, client))
    name = request.node.callspec.id
    tried(f"store {name}", asked, 0, f"answers within {slowest:.1f} s, well again after {back:.1f} s")


def one_by_one(requests, fault, client):
    refused = [timed(send, client) for send in (*requests.changes.values(), requests.ready)]
    looks = [timed(send, client) for send in requests.looks.values()]
    for one in refused:
        assert_unavailable(one)
    for one in looks:
        assert_fine(one) if fault.readable else assert_unavailable(one)
    return refused + looks


def all_at_once(requests, fault, service):
    """20 clients at once; the questions are asked while these wait."""
    sends = list(
        islice(cycle([*requests.changes.values(), *requests.looks.values(), requests.ready]), AT_ONCE)
    )
    looks = set(requests.looks.values())
    clients = [service.client() for _ in range(AT_ONCE + 1)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        waiting = [pool.submit(timed, *each) for each in zip(sends, clients, strict=False)]
        questions = [timed(send, clients[-1]) for send in requests.questions * 3]
        answers = [each.result() for each in waiting]
    for client in clients:
        client.close()
    for send, one in zip(sends, answers, strict=True):
        assert_fine(one) if fault.readable and send in looks else assert_unavailable(one)
    for one in questions:
        assert_fine(one, seconds=1.0)
    return answers


def recovery(requests, client):
    """The seconds until it is ready; then what was refused is carried out, once, and play goes on."""
    started = time.monotonic()
    eventually(lambda: requests.ready(client).status_code == 200, seconds=10)
    took = time.monotonic() - started
    for name, status in (("move", 200), ("create", 201)):
        answers = [requests.changes[name](client) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [status, status]
        assert len({answer.content for answer in answers}) == 1
    view = requests.table.get()
    assert view["version"] == 2
    assert requests.table.move(view["turn"], requests.table.moves(view["turn"])[0]).json()["version"] == 3
    versions = Counter(event["version"] for event in requests.table.get("/events")["events"])
    assert sorted(versions) == [1, 2, 3]
    return took


def test_games_can_be_deleted_while_the_store_is_full(setup):
    """Room is made as it always is."""
    with setup.service.client() as client:
        table = Table(client, "thirteen", 2)
        FAULTS["full: maxmemory"].begin(setup)
        try:
            assert table.call("delete", token=table.host).status_code == 204
            assert table.call("get").status_code == 404
        finally:
            FAULTS["full: maxmemory"].end(setup)


def test_a_rate_limit_does_not_wait_for_a_store_that_is_silent(service, store):
    """Questions stay fast: each process counts by itself, and asks the store only now and then."""
    kept = store()
    limited = service(REDIS_URL=kept.url, RATE_LIMIT="1000000/second")
    with limited.client() as client:
        assert client.post("/v1/deals", json=DEAL).status_code == 200
        kept.freeze()
        try:
            answers = [timed(lambda one: one.post("/v1/deals", json=DEAL), client) for _ in range(50)]
        finally:
            kept.thaw()
    for one in answers:
        assert_fine(one, seconds=1.0)
    assert statistics.median(one.seconds for one in answers) < 0.1


def test_a_service_starts_without_its_store_and_finds_it_later(tmp_path, store):
    kept = store()
    kept.kill()
    early = Service(tmp_path / "early", REDIS_URL=kept.url)
    early.begin()
    try:
        eventually(lambda: early.status("/livez") == 200)
        assert early.status("/readyz") == 503
        kept.start()
        early.until_ready(seconds=5)
    finally:
        assert early.end() == 0
