"""/metrics of real processes: all workers counted, each service by itself, nothing left behind."""

import os
import random
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.driver import Table
from tests.faults.servers import Service, ends, eventually, free_port
from tests.system.conftest import ROOT, wait_until_ready

PLAY = "/v1/thirteen/validate-play"
LABELS = {"route", "method", "status", "code", "game", "reason", "operation", "version", "le"}


def numbers(source):
    """Every number of a service's /metrics, by name and labels."""
    answer = source.get("/metrics") if hasattr(source, "get") else httpx.get(f"{source}/metrics")
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    families = text_string_to_metric_families(answer.text)
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def number(source, name, **labels):
    """One of them; 0 where it is not there."""
    return numbers(source).get((name, frozenset(labels.items())), 0)


@pytest.fixture
def service(tmp_path):
    with Service(tmp_path / "one", WEB_CONCURRENCY="2") as running:
        yield running


def test_requests_of_all_workers_are_counted(service):
    for _ in range(40):  # a connection each, so that both workers get some
        assert service.status("/v1/rules") == 200
    httpx.post(service.address + PLAY, json={"cards": ["11S"]})
    httpx.get(f"{service.address}/v1/games/{'A' * 22}")
    httpx.request("BREW", f"{service.address}/coffee")
    same = {"method": "GET", "status": "200", "code": ""}
    assert number(service.address, "thirteens_http_requests_total", route="/v1/rules", **same) == 40
    for route, method, status, code in (
        (PLAY, "POST", "422", "invalid_request"),
        ("/v1/games/<game_id>", "GET", "404", "game_not_found"),
        ("elsewhere", "other", "404", "not_found"),
    ):
        kind = {"route": route, "method": method, "status": status, "code": code}
        assert number(service.address, "thirteens_http_requests_total", **kind) == 1, kind
    seconds = "thirteens_http_request_duration_seconds"
    assert number(service.address, f"{seconds}_count", route="/v1/rules") == 40
    assert 0 < number(service.address, f"{seconds}_sum", route="/v1/rules") < 40


def test_moves_and_games_are_counted_once(service):
    with service.client() as client:
        table = Table(client, "thirteen", 2, seed="0a" * 32)
        moved = [(seat, move) for seat, move, _ in table.play(random.Random(2))]
        headers = {"Idempotency-Key": "0123456789"}
        assert table.move(*moved[-1], **headers).status_code == 409
        other = Table(client, "three_thirteen", 2)
        turn = other.created["state"]["turn"]
        move = {"type": "draw", "from": "stock"}
        assert other.move(turn, move, **headers).status_code == other.move(turn, move, **headers).status_code
        assert other.call("delete", token=other.host).status_code == 204
        for name, labels, value in (
            ("moves", {"game": "thirteen", "reason": "ok"}, len(moved)),
            ("moves", {"game": "thirteen", "reason": "game_over"}, 1),
            ("moves", {"game": "three_thirteen", "reason": "ok"}, 1),
            ("games_created", {"game": "thirteen"}, 1),
            ("games_created", {"game": "three_thirteen"}, 1),
            ("games_finished", {"game": "thirteen"}, 1),
            ("games_finished", {"game": "three_thirteen"}, 0),
            ("games_deleted", {"game": "three_thirteen"}, 1),
            ("store_errors", {"operation": "commit"}, 0),
        ):
            assert number(client, f"thirteens_{name}_total", **labels) == value, (name, labels)
        assert number(client, "thirteens_store_duration_seconds_count", operation="commit") == len(moved) + 3


def test_what_is_sent_many_times_at_once_is_counted_once(service):
    body = {"game": "thirteen", "players": [{"name": "An"}, {"name": "Binh"}]}

    def create(key):
        answer = httpx.post(f"{service.address}/v1/games", json=body, headers={"Idempotency-Key": key})
        assert answer.status_code == 201

    with ThreadPoolExecutor(8) as pool:
        for round_ in range(5):
            list(pool.map(create, [f"{round_}-0123456789"] * 8))
    assert number(service.address, "thirteens_games_created_total", game="thirteen") == 5


def test_open_streams_are_counted_while_they_are_open(service):
    with service.client() as client:
        path = Table(client, "thirteen", 2).path
        with client.stream("GET", f"{path}/events", headers={"Accept": "text/event-stream"}) as stream:
            pieces = stream.iter_bytes()
            assert next(pieces)
            assert number(service.address, "thirteens_streams_open") == 1
        eventually(lambda: number(service.address, "thirteens_streams_open") == 0)


def test_a_store_that_fails_is_counted(service):
    os.kill(service.store(), signal.SIGSTOP)
    try:
        assert service.status(f"/v1/games/{'A' * 22}") == 503
    finally:
        os.kill(service.store(), signal.SIGCONT)
    assert number(service.address, "thirteens_store_errors_total", operation="load") == 1
    kind = {"route": "/v1/games/<game_id>", "method": "GET", "status": "503", "code": "store_unavailable"}
    assert number(service.address, "thirteens_http_requests_total", **kind) == 1


def test_a_worker_that_dies_is_no_more_counted_among_those_that_run_but_its_requests_are(service):
    for _ in range(20):
        service.status("/v1/rules")
    eventually(lambda: number(service.address, "thirteens_workers") == 2)
    kind = {"route": "/v1/rules", "method": "GET", "status": "200", "code": ""}
    for pid in service.workers():
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: service.status("/livez") == 200)
    eventually(lambda: number(service.address, "thirteens_worker_starts_total") == 4)
    eventually(lambda: number(service.address, "thirteens_workers") == 2)
    assert number(service.address, "thirteens_http_requests_total", **kind) == 20


def test_workers_that_are_replaced_at_a_hangup_are_counted_too(service):
    service.status("/v1/rules")
    kind = {"route": "/v1/rules", "method": "GET", "status": "200", "code": ""}
    os.kill(service.master(), signal.SIGHUP)
    eventually(lambda: number(service.address, "thirteens_worker_starts_total") == 4)
    eventually(lambda: number(service.address, "thirteens_workers") == 2)
    assert number(service.address, "thirteens_http_requests_total", **kind) == 1


def test_two_services_on_one_machine_count_apart(service, tmp_path):
    shared = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    with Service(tmp_path / "two", **shared) as other:
        for _ in range(5):
            other.status("/v1/rules")
        kind = {"route": "/v1/rules", "method": "GET", "status": "200", "code": ""}
        assert number(other.address, "thirteens_http_requests_total", **kind) == 5
        assert number(service.address, "thirteens_http_requests_total", **kind) == 0
        assert list(tmp_path.glob("*.db")) == []


def folder_of(pid):
    """The folder of numbers that a worker has open."""
    maps = Path(f"/proc/{pid}/maps").read_text().splitlines()
    return next(Path(line.split()[-1]).parent for line in maps if line.endswith(".db"))


def test_nothing_is_left_behind_not_even_by_what_was_killed(service, tmp_path):
    workers = service.workers()
    folder = folder_of(workers[0])
    assert folder.stat().st_mode & 0o777 == 0o700
    os.kill(service.master(), signal.SIGKILL)
    service.process.wait(30)
    assert ends(workers)
    assert folder.exists()
    os.utime(folder, (0, 0))
    with Service(tmp_path / "next") as other:
        assert not folder.exists()
        folder = folder_of(other.workers()[0])
        os.utime(folder, (0, 0))
        with Service(tmp_path / "beside"):
            assert folder.exists()
        assert other.end() == 0
        assert not folder.exists()


def test_plain_gunicorn_counts_too(service, tmp_path):
    port = free_port()
    environ = service.environ | {"PORT": str(port), "REDIS_URL": f"unix://{store_socket(service)}"}
    with (tmp_path / "log").open("wb") as log:
        command = [sys.executable, "-m", "gunicorn"]
        process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=log, stderr=log)
    try:
        wait_until_ready(f"http://127.0.0.1:{port}", process)
        eventually(lambda: number(f"http://127.0.0.1:{port}", "thirteens_workers") == 2)
    finally:
        process.terminate()
        assert process.wait(30) == 0


def store_socket(service):
    """Where the service's own store listens."""
    return next(service.folder.rglob("*.sock"))


def test_labels_are_of_fixed_sets(service):
    with service.client() as client:
        Table(client, "thirteen", 2, names="Canary {}")
        for path in ("/canary", "/v1/games/canary", "/problems/canary", f"/v1/games/{'canary' * 3}aaaa"):
            client.get(path)
        client.request("CANARY", "/")
        client.get("/", headers={"Host": "canary", "X-Request-ID": "canary", "Accept-Language": "canary"})
        text = client.get("/metrics").text
        assert "canary" not in text.lower()
        assert {name for _, labels in numbers(client) for name, _ in labels} <= LABELS
