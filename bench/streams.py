"""What live events cost: moves a second beside idle streams and alone, a move with and without PUBLISH."""

import re
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from redis import Redis

from bench.row import table
from tests.driver import Table
from tests.faults.effort import cpu_seconds
from tests.faults.servers import Service, StoreServer
from tests.faults.streaming import Connection

IDLE = 500
CLIENTS = 4
SECONDS = 3.0
ROUNDS = 5


def moves_per_second(running: Service, seconds: float = SECONDS) -> tuple[float, float]:
    """Moves that some clients together make, and the CPU time of one (ms): each draws, and discards that."""
    spent = _cpu(running)
    until = time.monotonic() + seconds

    def play(_: int) -> int:
        made = 0
        with running.client() as client:
            table = Table(client, "three_thirteen", 2)
            turn, card = table.created["state"]["turn"], None
            while time.monotonic() < until:
                move = {"type": "discard", "card": card} if card else {"type": "draw", "from": "stock"}
                answer = table.move(turn, move).json()
                drawn = [event["card"] for event in answer["events"] if event["type"] == "drew"]
                turn, card = answer["state"]["turn"], drawn[0] if drawn else None
                made += 1
        return made

    with ThreadPoolExecutor(CLIENTS) as pool:
        moves = sum(pool.map(play, range(CLIENTS)))
    return moves / seconds, (_cpu(running) - spent) / moves * 1000


@contextmanager
def idle_streams(running: Service, count: int) -> Iterator[None]:
    """So many streams, each of a game of its own in which nobody moves."""
    with ExitStack() as stack, running.client() as client:
        for _ in range(count):
            stream = Connection(running.address, Table(client, "thirteen", 2).path)
            stack.callback(stream.close)
            assert stream.status == 200, stream.status
            next(stream.messages())
        yield


def with_idle_streams(count: int, workers: int = 1) -> dict[str, Any]:
    """Medians of alternating rounds, their ratio, and the workers' memory (MiB) without and with the streams.

    `cpu`: milliseconds of the workers' CPU time for a move, without and with; that of the streams is in it.
    """
    without, having, memory = [], [], []
    with (
        TemporaryDirectory() as folder,
        StoreServer(Path(folder) / "store", appendfsync="no") as store,
        Service(Path(folder) / "service", REDIS_URL=store.url, WEB_CONCURRENCY=str(workers)) as running,
    ):
        moves_per_second(running, 1)
        for _ in range(ROUNDS):
            small = _memory(running)
            without.append(moves_per_second(running))
            with idle_streams(running, count):
                memory.append((small, _memory(running)))
                having.append(moves_per_second(running))
    (rate, cpu), (rate_with, cpu_with) = (
        [statistics.median(column) for column in zip(*rounds, strict=True)] for rounds in (without, having)
    )
    rates = {"without": rate, "with": rate_with, "ratio": rate_with / rate}
    return {**rates, "cpu": (cpu, cpu_with), "MiB": memory[0]}


def measured() -> str:
    """A table of both."""
    idle, changes = with_idle_streams(IDLE), publishing()
    (small, *_), (large, *_) = idle["MiB"]
    rows = [
        (
            f"moves beside {IDLE} idle streams",
            f"{idle['with']:,.0f}/s",
            f"{idle['without']:,.0f}/s, without",
            f"{idle['ratio']:.2f}",
            "≥ 0.8",
        ),
        (
            "CPU of a move beside them",
            f"{idle['cpu'][1]:.2f} ms",
            f"{idle['cpu'][0]:.2f} ms, without",
            f"{idle['cpu'][1] / idle['cpu'][0]:.2f}",
            "",
        ),
        (
            "memory of the worker that holds them",
            f"{large} MiB",
            f"{small} MiB, without",
            f"{large / small:.2f}",
            "",
        ),
        (
            "a commit that publishes",
            f"{changes['with']:.0f} µs",
            f"{changes['without']:.0f} µs, one that does not",
            f"{changes['ratio']:.2f}",
            "",
        ),
    ]
    return table(("what", "ours", "against", "ratio", "asked"), rows)


def _cpu(running: Service) -> float:
    return sum(map(cpu_seconds, running.workers()))


def publishing(changes: int = 400) -> dict[str, float]:
    """Microseconds of a commit with and without PUBLISH (nobody subscribed) at best, and their ratio."""
    whole = files("service").joinpath("commit.lua").read_text()
    scripts = {"with": whole, "without": re.sub(r"redis\.pcall\('PUBLISH.*\n", "", whole)}
    took: dict[str, list[float]] = {name: [] for name in scripts}
    with (
        TemporaryDirectory() as folder,
        StoreServer(Path(folder), appendfsync="no") as store,
        Redis.from_url(store.url) as redis,
    ):
        for number in range(ROUNDS * 20):
            name = ("with", "without")[number % 2]
            took[name].append(_commits(redis, scripts[name], f"g:{{{number}}}", changes))
    rates = {name: min(times) for name, times in took.items()}
    return {**rates, "ratio": rates["with"] / rates["without"]}


def _commits(redis: Redis, script: str, tag: str, changes: int) -> float:
    run = redis.register_script(script)
    keys, state, events = [f"{tag}:state", f"{tag}:events"], "s" * 1200, "e" * 200
    started = time.perf_counter()
    for version in range(1, changes + 1):
        meta = ["meta"] if version == 1 else []
        run(keys, [version, "now", state, events, 1000, 4096, str(version), "", 1, *meta])
    return (time.perf_counter() - started) / changes * 1e6


def _memory(running: Service) -> list[int]:
    pages = (int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in running.workers())
    return [count * 4 // 1024 for count in pages]
