"""What there is to count and to time, over all workers, for Prometheus.

A label is a game, a route's template, a code, an operation on the store: one of a fixed set, never what a
caller sent, so no card, token, id or name can get into one.

gunicorn's workers share a folder (`metrics_folder`), in which prometheus-client keeps one file of numbers
for each; it looks for that folder when it is imported, so no module that gunicorn's master needs may import
this one. Where there is no such folder the numbers are this process's alone.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

import gevent
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry, Counter, Gauge, Histogram, values
from prometheus_client import generate_latest as written
from prometheus_client.multiprocess import MultiProcessCollector

from rules.errors import IllegalAction
from service import __version__
from service.metrics_folder import VARIABLE

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
METHODS = ("GET", "HEAD", "POST", "DELETE", "OPTIONS")
ELSEWHERE, OTHER = "elsewhere", "other"

SECONDS = (0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1, 2)
"""Upper bounds of the histograms: half of all requests take about a millisecond, hardly any two seconds."""

if VARIABLE in os.environ:
    _PROCESS = (
        os.getpid()
    )  # gunicorn forks before this is imported; asked at each number it would cost as much
    values.ValueClass = values.MultiProcessValue(lambda: _PROCESS)

_HERE = CollectorRegistry()

REQUESTS = Counter(
    "thirteens_http_requests",
    "Requests answered, by route, method, status, and the code of the problem (empty: none).",
    ["route", "method", "status", "code"],
    registry=_HERE,
)
LATENCY = Histogram(
    "thirteens_http_request_duration_seconds",
    "From the request's arrival to the head of its answer.",
    ["route"],
    buckets=SECONDS,
    registry=_HERE,
)
MOVES = Counter(
    "thirteens_moves",
    "Moves judged: `ok` was made, else the reason it was refused for.",
    ["game", "reason"],
    registry=_HERE,
)
CREATED = Counter("thirteens_games_created", "Games created.", ["game"], registry=_HERE)
FINISHED = Counter("thirteens_games_finished", "Games played to their end.", ["game"], registry=_HERE)
DELETED = Counter("thirteens_games_deleted", "Games deleted by their host.", ["game"], registry=_HERE)
STORE = Histogram(
    "thirteens_store_duration_seconds",
    "What an operation on the store took, whether it succeeded or not.",
    ["operation"],
    buckets=SECONDS,
    registry=_HERE,
)
STORE_ERRORS = Counter(
    "thirteens_store_errors", "Operations that the store failed.", ["operation"], registry=_HERE
)
STREAMS = Gauge(
    "thirteens_streams_open", "Streams of events open now.", multiprocess_mode="livesum", registry=_HERE
)
WORKERS = Gauge("thirteens_workers", "Workers running now.", multiprocess_mode="livesum", registry=_HERE)
STARTS = Counter(
    "thirteens_worker_starts", "Workers started, with those that replaced others.", registry=_HERE
)
OLDEST = Gauge(
    "thirteens_oldest_worker_start_time_seconds",
    "When the oldest of the running workers started, in seconds since 1970.",
    multiprocess_mode="livemin",
    registry=_HERE,
)
BUILD = Gauge(
    "thirteens_build_info", "1, with the version.", ["version"], multiprocess_mode="livemax", registry=_HERE
)

_Answers = tuple[Counter, Histogram]
_answers: dict[tuple[str, str, int, str], _Answers] = {}
_asked: dict[str, Histogram] = {}


def started() -> None:
    """Notes that a worker runs from now on."""
    STARTS.inc()
    WORKERS.set(1)
    OLDEST.set(time.time())
    BUILD.labels(__version__).set(1)


def answered(route: str | None, method: str, status: int, code: str, seconds: float) -> None:
    """Counts and times a request by its route's template, if it has any, and its problem's code, or ""."""
    key = (route or ELSEWHERE, method if method in METHODS else OTHER, status, code)
    count, latency = _answers.get(key) or _first_of(key)
    count.inc()
    latency.observe(seconds)


def _first_of(key: tuple[str, str, int, str]) -> _Answers:
    """What counts requests like this one; there are only so many kinds of them, whatever is sent."""
    made = _answers[key] = REQUESTS.labels(*key), LATENCY.labels(key[0])
    return made


@contextmanager
def judging(game: str) -> Iterator[None]:
    """Counts the move that is judged inside, if it is refused, by its reason."""
    try:
        yield
    except IllegalAction as refused:
        MOVES.labels(game, refused.reason).inc()
        raise


def asked(operation: str, seconds: float, *, failed: bool) -> None:
    """Notes what an operation on the store took, and that it failed, if it did."""
    if failed:
        STORE_ERRORS.labels(operation).inc()
    timed = _asked.get(operation)
    if timed is None:
        timed = _asked[operation] = STORE.labels(operation)
    timed.observe(seconds)


def exposition() -> bytes:
    """All of it, of all workers, in Prometheus' text format (0.0.4).

    To read what many workers wrote takes tens of milliseconds: a thread does it, other requests go on.
    """
    if VARIABLE not in os.environ:
        return written(_HERE)
    return gevent.get_hub().threadpool.apply(_of_all_workers)


def _of_all_workers() -> bytes:
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return written(registry)
