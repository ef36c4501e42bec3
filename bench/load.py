"""Servers to be measured, and the load on them, which comes from wrk: one thread, connections kept alive."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson
from redis import Redis

from service.embedded import EmbeddedStore

ROOT = Path(__file__).parents[1]
SECONDS = 2
CONNECTIONS = 16


@dataclass(frozen=True, slots=True)
class Load:
    """What a load got: how many answers, in how long, how many of them wrong, and microseconds of latency."""

    requests: int
    microseconds: int
    failed: int
    p50: int
    p99: int

    @property
    def per_second(self) -> float:
        """Requests a second."""
        return self.requests / self.microseconds * 1e6


def message(method: str, path: str, body: object = None, **fields: str) -> bytes:
    """A request as it is sent; `fields` are header fields, with `_` for `-`."""
    data = b"" if body is None else orjson.dumps(body)
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    if data:
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    return "\r\n".join([*lines, "", ""]).encode() + data


def load(
    port: int, messages: Iterable[bytes], connections: int = CONNECTIONS, seconds: float = SECONDS
) -> Load:
    """Sends the messages in order, over and over, for so many seconds; raises where an answer is an error."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "requests")
        file.write_bytes(b"".join(b"%d\n" % len(one) + one for one in messages))
        script = Path(__file__).with_name("requests.lua")
        done = subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", script, f"http://127.0.0.1:{port}"],
            env=os.environ | {"BENCH_REQUESTS": str(file)},
            capture_output=True,
            text=True,
            check=True,
        )
    got = Load(**json.loads(done.stdout.splitlines()[-1]))
    if got.failed or not got.requests:
        raise RuntimeError(f"{got.failed} of {got.requests} requests failed:\n{done.stdout}")
    return got


def send(port: int, messages: Iterable[bytes]) -> None:
    """Sends the messages one after the other, once; raises where an answer is an error."""
    with socket.create_connection(("127.0.0.1", port), 20) as link:
        for one in messages:
            link.sendall(one)
            answer = HTTPResponse(link)
            answer.begin()
            answer.read()
            if answer.status >= 400:
                raise RuntimeError(f"answered {answer.status}")


@contextmanager
def store() -> Iterator[str]:
    """The URL of a store of its own, which syncs nothing to a disk: what is measured is the service."""
    with TemporaryDirectory() as folder:
        running = EmbeddedStore(Path(folder))
        running.start(time.sleep)
        try:
            with Redis.from_url(running.url) as client:
                client.config_set("appendonly", "no")
            yield running.url
        finally:
            running.stop()


@contextmanager
def server(application: str, redis_url: str, workers: int = 1, *options: str) -> Iterator[tuple[int, int]]:
    """The port and the process id of a gunicorn with this application and the service's own settings."""
    port = free_port()
    settings = {
        "REDIS_URL": redis_url,
        "PORT": str(port),
        "WEB_CONCURRENCY": str(workers),
        "LOG_LEVEL": "warning",
    }
    words = [
        sys.executable,
        "-m",
        "gunicorn",
        "--config",
        "python:service.gunicorn_conf",
        *options,
        application,
    ]
    process = subprocess.Popen(words, cwd=ROOT, env=os.environ | settings, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(20)


def free_port() -> int:
    """A port of the loopback that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 20
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def children(pid: int) -> list[int]:
    """The process ids of a gunicorn's workers."""
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def resident(pid: int) -> float:
    """MiB of memory of a process that are in use."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))
