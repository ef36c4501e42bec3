"""gunicorn's kinds of worker with this service: what each answers, alone and beside idle connections."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from statistics import median

from redis import Redis

from bench.games import GAMES_AT_ONCE, MOVES_EACH, as_messages, created, keep, put_back
from bench.load import children, load, resident, server, store
from bench.requests import OURS, plays
from bench.row import table

KINDS = {
    "gevent, the service's own": (),
    "gevent, gunicorn's": ("--worker-class", "gevent"),
    "gthread, 8 threads": ("--worker-class", "gthread", "--threads", "8"),
    "gthread, 64 threads": ("--worker-class", "gthread", "--threads", "64"),
    "sync": ("--worker-class", "sync"),
}
IDLE = 500
RUNS = 3


def compared() -> str:
    """A table: by kind of worker what two of them answer, also beside idle connections, and their memory."""
    heads = (
        "worker",
        "questions/s",
        "moves/s",
        f"questions/s beside {IDLE} idle connections",
        "MiB a worker",
    )
    figures: dict[str, list[tuple[float, ...]]] = {kind: [] for kind in KINDS}
    with store() as url, Redis.from_url(url) as redis:
        for _ in range(RUNS):
            for kind, options in KINDS.items():
                figures[kind].append(_measured(url, redis, options))
    rows = [
        (kind, *(f"{median(column):,.0f}" for column in zip(*runs, strict=True)))
        for kind, runs in figures.items()
    ]
    return table(heads, rows)


def _measured(url: str, redis: "Redis", options: tuple[str, ...]) -> tuple[float, ...]:
    with server(OURS, url, 2, *options) as (port, pid):
        asked = load(port, plays()).per_second
        games = created(port, GAMES_AT_ONCE, MOVES_EACH)
        keep(redis, games)
        put_back(redis, games)
        moved = load(port, as_messages(games)).per_second
        with _idle(port):
            try:
                crowded = load(port, plays()).per_second
            except RuntimeError:
                crowded = 0.0
        return asked, moved, crowded, resident(children(pid)[0])


@contextmanager
def _idle(port: int) -> Iterator[None]:
    """Connections that have sent half a request line, and say no more."""
    with ExitStack() as stack:
        for _ in range(IDLE):
            link = stack.enter_context(socket.create_connection(("127.0.0.1", port), 5))
            link.sendall(b"GET /livez HTTP/1.1\r\n")
        yield
