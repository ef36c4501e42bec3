"""Games in Redis: one hash and one stream a game, under one hash tag, changed by one script.

Keys (each expires `ttl` seconds after the game's last change):

- `g:{<id>}:state`   hash: `version`, `updated_at`, `meta` and `state` (JSON texts, opaque to Redis)
- `g:{<id>}:events`  stream: one entry a version, id `<version>-0`, fields `at` and `events` (JSON)

A change is compare-and-set on the version (commit.lua), so a lost race changes nothing. Whatever
goes wrong between here and Redis is a `StoreUnavailable`.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any, cast

import orjson
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

JSON = Any

EVENTS_KEPT = 4096
"""Versions whose events are kept at least; Redis trims the stream in whole nodes beyond it."""


class StoreUnavailable(Exception):
    """Redis can't be reached, can't answer in time, or refuses to write."""


class GameNotFound(Exception):
    """No such game: it never was, was deleted, or has expired."""


class StaleVersion(Exception):
    """The caller's `If-Match` names another version than the game's, which is `version`."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.params = {"version": version}


class Contended(StoreUnavailable):
    """Other changes won the race again and again."""


@dataclass(frozen=True, slots=True)
class Record:
    """A stored game. `meta` never changes after creation; `state` is the game's own JSON."""

    id: str
    version: int
    meta: Mapping[str, JSON]
    state: Mapping[str, JSON]
    updated_at: str


@dataclass(frozen=True, slots=True)
class Happening:
    """What one version brought: `events` are dumped events, whole, before any view of them."""

    version: int
    at: str
    events: list[dict[str, JSON]]


def connect(url: str) -> "Redis":
    """A client that answers or fails within a second, and never sends a write twice by itself.

    redis-py's default retry would run a script again whose reply was lost.
    """
    return Redis.from_url(
        url,
        retry=Retry(NoBackoff(), 0),
        socket_connect_timeout=0.5,
        socket_timeout=0.8,
        max_connections=512,
    )


def now() -> str:
    """The time as RFC 3339 in UTC with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@contextmanager
def _guarded() -> Iterator[None]:
    try:
        yield
    except RedisError as error:
        raise StoreUnavailable(str(error)) from error


def _keys(game_id: str) -> tuple[str, str]:
    tag = f"g:{{{game_id}}}"
    return f"{tag}:state", f"{tag}:events"


class Store:
    """Loads and changes games; every method raises `StoreUnavailable` when Redis fails it."""

    def __init__(self, client: "Redis", ttl: int) -> None:
        self._client = client
        self._ttl = ttl
        self._commit = client.register_script(files("service").joinpath("commit.lua").read_text())

    def ping(self) -> None:
        """Returns when the store answers."""
        with _guarded():
            self._client.ping()

    def create(
        self,
        game_id: str,
        meta: Mapping[str, JSON],
        state: Mapping[str, JSON],
        events: list[dict[str, JSON]],
    ) -> Record:
        """Stores a new game as version 1."""
        record = Record(game_id, 1, meta, state, meta["created_at"])
        if self._save(record, events, orjson.dumps(meta)) != record.version:
            raise StoreUnavailable("a game of this id is there already")
        return record

    def save(self, before: Record, state: Mapping[str, JSON], events: list[dict[str, JSON]]) -> Record | None:
        """Stores the next version after `before`; `None` where another change came first.

        Raises `GameNotFound` where the game is gone.
        """
        record = Record(before.id, before.version + 1, before.meta, state, now())
        version = self._save(record, events)
        if version == 0:
            raise GameNotFound(before.id)
        return record if version == record.version else None

    def _save(self, record: Record, events: list[dict[str, JSON]], *meta: bytes) -> int:
        """Runs the script: the stored version afterwards if that is ours, else the other's negated."""
        argv: list[bytes | str | int] = [
            record.version,
            record.updated_at,
            orjson.dumps(record.state),
            orjson.dumps(events),
            self._ttl,
            EVENTS_KEPT,
            *meta,
        ]
        with _guarded():
            return int(cast(int, self._commit(keys=list(_keys(record.id)), args=argv)))

    def load(self, game_id: str) -> Record:
        """The game as it is now; raises `GameNotFound`."""
        with _guarded():
            row = self._client.hmget(_keys(game_id)[0], "version", "meta", "state", "updated_at")
        return _record(game_id, cast(list[bytes | None], row))

    def happenings(self, game_id: str, after: int, limit: int) -> tuple[Record, list[Happening]]:
        """The game, and what its versions above `after` brought, oldest first, `limit` versions at most."""
        state, events = _keys(game_id)
        with _guarded():
            pipe = self._client.pipeline(transaction=False)
            pipe.hmget(state, "version", "meta", "state", "updated_at")
            pipe.xrange(events, min=f"{after + 1}-0", count=limit)
            row, entries = pipe.execute()
        return _record(game_id, row), [_happening(*entry) for entry in entries]

    def delete(self, game_id: str) -> None:
        """Forgets the game and its events."""
        with _guarded():
            self._client.unlink(*_keys(game_id))


def _record(game_id: str, row: list[bytes | None]) -> Record:
    version, meta, state, updated_at = row
    if version is None or meta is None or state is None or updated_at is None:
        raise GameNotFound(game_id)
    return Record(game_id, int(version), orjson.loads(meta), orjson.loads(state), updated_at.decode())


def _happening(entry: bytes, fields: dict[bytes, bytes]) -> Happening:
    version = int(entry.split(b"-")[0])
    return Happening(version, fields[b"at"].decode(), orjson.loads(fields[b"events"]))
