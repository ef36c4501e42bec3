"""What the service takes: bytes in the store, memory, time to start, round trips."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from statistics import median
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import urlopen

from flask.testing import FlaskClient
from redis import Redis

from bench.games import Stored, as_messages, created
from bench.load import ROOT, children, free_port, load, resident, send, server, store
from bench.requests import OURS, plays
from bench.row import RUNS
from service.app import create_app
from service.settings import Settings

Figure = tuple[str, str, str]
"""What was measured, the figure, what was asked."""


def figures() -> Iterator[Figure]:
    """All of them."""
    yield from stored()
    yield from running()
    yield "from `make run` to the first answer", f"{_start_up():.1f} s", "≤ 1.5 s"


def stored() -> Iterator[Figure]:
    """The most that the hash of a game takes while it is played, and its events."""
    with ExitStack() as stack:
        url = stack.enter_context(store())
        redis = stack.enter_context(Redis.from_url(url))
        client = create_app(Settings.from_env({"REDIS_URL": url, "LOG_LEVEL": "error"})).test_client()
        for game, name, players, asked in (
            ("thirteen", "Thirteen, 4 players", 4, "≤ 3 KiB"),
            ("three_thirteen", "Three Thirteen, 4 players", 4, "≤ 6 KiB"),
            ("three_thirteen", "Three Thirteen, 8 players", 8, "≤ 6 KiB"),
        ):
            largest, events, versions = _played(client, redis, game, players)
            yield f"{name}: its hash at its largest", f"{largest:,} bytes", asked
            yield f"{name}: its events at the end, {versions:,} versions", f"{events:,} bytes", ""


def _played(client: FlaskClient, redis: "Redis", game: str, players: int) -> tuple[int, int, int]:
    """Bytes of a game's hash at its largest, bytes of its events at the end, its versions."""
    rng = random.Random(players)
    names = [{"name": "Player with a name of some length"[:40]} for _ in range(players)]
    made = client.post("/v1/games", json={"game": game, "players": names}).json
    stored = Stored(f"/v1/games/{made['id']}", [seat["token"] for seat in made["seats"]], [])
    state, largest = made["state"], 0
    while state["turn"] is not None:
        bearer = {"Authorization": f"Bearer {stored.tokens[state['turn']]}"}
        moves = client.get(f"{stored.path}/legal-moves", headers=bearer).json["moves"]
        state = client.post(f"{stored.path}/moves", json=rng.choice(moves), headers=bearer).json["state"]
        largest = max(largest, int(redis.memory_usage(stored.keys[0])))
    return largest, int(redis.memory_usage(stored.keys[1], samples=0)), state["version"]


def running() -> Iterator[Figure]:
    """The memory of a worker after some load, and the round trips of a move."""
    with ExitStack() as stack:
        url = stack.enter_context(store())
        port, pid = stack.enter_context(server(OURS, url))
        games = created(port, 400, 12)
        load(port, plays())
        load(port, as_messages(games), connections=8, seconds=1)
        yield "memory of a worker", f"{resident(children(pid)[0]):.0f} MiB", "≤ 60 MiB"
        yield "round trips of a move to the store", f"{_round_trips(url, port):g}", "2"


def _round_trips(url: str, port: int) -> float:
    """Commands that come from a client, none of them in a pipeline, for each move."""
    first, *games = created(port, 11, 1)
    send(port, as_messages([first]))  # after it the store knows the script
    with Redis.from_url(url) as redis, redis.monitor() as monitor:
        send(port, as_messages(games))
        redis.echo("end")
        commands = 0
        for seen in monitor.listen():
            if seen["command"].startswith("ECHO"):
                return commands / len(games)
            commands += seen["client_type"] != "lua"
    raise RuntimeError("the store went away")


def _start_up() -> float:
    """Seconds from `make run`, on a checkout that is installed, to the first answer."""
    return median(_started() for _ in range(RUNS))


def _started() -> float:
    port = free_port()
    with TemporaryDirectory() as folder:
        settings = {"PORT": str(port), "DATA_DIR": folder}
        environ = {name: value for name, value in os.environ.items() if name != "REDIS_URL"} | settings
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        began = time.perf_counter()
        process = subprocess.Popen(["make", "run"], cwd=ROOT, env=environ, start_new_session=True, **quiet)
        try:
            while not _answers(port):
                time.sleep(0.005)
            return time.perf_counter() - began
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(20)


def _answers(port: int) -> bool:
    with suppress(URLError, ConnectionError), urlopen(f"http://127.0.0.1:{port}/livez", timeout=5):
        return True
    return False
