"""Games in Redis: one hash and one stream a game, under one hash tag, changed by one script.

Keys (each expires `ttl` seconds after the game's last change):

- `g:{<id>}:state`  hash: `version`, `updated_at`, `nonce`, `meta` and `state` (JSON texts, opaque to Redis)
- `g:{<id>}:events`  stream: one entry a version, id `<version>-0`, fields `at` and `events` (JSON)
- `g:{<id>}:memo:<digest>`  the answer to a request that had an idempotency key

A change also publishes its nonce, on a channel that has the stream's name. Besides there is `ready`, which is
written to see whether anything can be.

A change is compare-and-set on the version (commit.lua), so a lost race changes nothing. Whatever
goes wrong between here and Redis is a `StoreUnavailable`.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

import orjson
from redis.exceptions import ConnectionError, RedisError

from service import metrics
from service.connection import Answering, Client, Script, wait_for_replica
from service.idempotency import KEPT_SECONDS, Memo

JSON = Any

Row = list[bytes | None]
FIELDS = ("version", "meta", "state", "updated_at")

EVENTS_KEPT = 4096
"""Versions whose events are kept at least; Redis trims the stream in whole nodes beyond it."""

PROBE, PROBE_SECONDS = "ready", 60


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


def now() -> str:
    """The time as RFC 3339 in UTC with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class _guarded(Answering):  # noqa: N801  # reads as what it does
    """What is asked inside is timed and counted as that operation, and fails as `StoreUnavailable` alone."""

    __slots__ = ("_operation",)

    def __init__(self, operation: str) -> None:
        super().__init__()
        self._operation = operation

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Ends the wait."""
        metrics.asked(self._operation, self.seconds, failed=error is not None)
        try:
            super().__exit__(kind, error, trace)
        except RedisError as fault:
            raise StoreUnavailable(str(fault)) from fault
        if isinstance(error, RedisError):
            raise StoreUnavailable(str(error)) from error


def channel(game_id: str) -> str:
    """Where each change of the game publishes its nonce: the name of its stream, as a channel."""
    return _keys(game_id)[1]


def _keys(game_id: str) -> tuple[str, str]:
    tag = f"g:{{{game_id}}}"
    return f"{tag}:state", f"{tag}:events"


class Store:
    """Loads and changes games; every method raises `StoreUnavailable` when Redis fails it."""

    def __init__(self, client: Client, ttl: int, durability: str = "primary") -> None:
        """`durability`: whether a change is acknowledged once the `primary` has it, or a `replica` too."""
        self._client = client
        self._ttl = ttl
        self._replicated = durability == "replica"
        self._commit = Script(client, "commit.lua")

    def check(self) -> None:
        """Returns when the store takes a change, as durably as it has to be.

        It may answer and yet be full, or read-only, or without the replica that is asked for.
        """
        with _guarded("check"):
            self._client.set(PROBE, now(), ex=PROBE_SECONDS)
        self._replicate(PROBE, PROBE_SECONDS, ("EXISTS", PROBE), 1)

    def load(self, game_id: str) -> Record:
        """The game as it is now; raises `GameNotFound`."""
        with _guarded("load"):
            row = self._client.hmget(_keys(game_id)[0], *FIELDS)
        return _record(game_id, cast(Row, row))

    def load_with_memo(self, game_id: str, memo_key: str | None) -> tuple[Record, Memo | None]:
        """The game, and the answer kept under the key, in one round trip; raises `GameNotFound`."""
        if memo_key is None:
            return self.load(game_id), None
        with _guarded("load"):
            pipe = self._client.pipeline(transaction=False)
            pipe.hmget(_keys(game_id)[0], *FIELDS)
            pipe.get(_memo(game_id, memo_key))
            row, memo = pipe.execute()
        return _record(game_id, row), self._kept(_memo(game_id, memo_key), memo)

    def recall(self, game_id: str, memo_key: str | None) -> Memo | None:
        """The answer kept under the key, if there is a key and an answer."""
        if memo_key is None:
            return None
        with _guarded("recall"):
            memo = cast(bytes | None, self._client.get(_memo(game_id, memo_key)))
        return self._kept(_memo(game_id, memo_key), memo)

    def _kept(self, key: str, memo: bytes | None) -> Memo | None:
        """The memo, once it is as durable as the first answer has to be."""
        if memo is None:
            return None
        self._replicate(key, KEPT_SECONDS, ("GET", key), memo)
        return Memo.load(memo)

    def _replicate(self, key: str, ttl: int, proof: Sequence[str], stored: object) -> None:
        """Returns once a change is as durable as it has to be; `proof` reads what was `stored` by it.

        It reads something else where a replica without the change has become the primary meanwhile.
        """
        if self._replicated:
            with _guarded("replicate"):
                if wait_for_replica(self._client, key, ttl, proof) != stored:
                    raise ConnectionError("the change is lost")

    def commit(
        self, record: Record, events: list[dict[str, JSON]], memo: Memo, memo_key: str | None
    ) -> Memo | None:
        """Stores a version of a game, its events, and the answer to be kept; `None` where another came first.

        The answer is `memo`, or the one kept under its key already: then nothing is changed. Raises
        `GameNotFound` where the game is gone.
        """
        keys = [*_keys(record.id), *([_memo(record.id, memo_key)] if memo_key else [])]
        happened = orjson.dumps(events)
        argv: list[bytes | str | int] = [
            record.version,
            record.updated_at,
            orjson.dumps(record.state),
            happened,
            self._ttl,
            EVENTS_KEPT,
            secrets.token_hex(8),
            memo.dump() if memo_key else "",
            KEPT_SECONDS,
            *([orjson.dumps(record.meta)] if record.version == 1 else []),
        ]
        with _guarded("commit"):
            stored = cast(int | bytes, self._commit(keys, argv))
        if isinstance(stored, bytes):
            return self._kept(keys[2], stored)
        if stored == 0:
            raise GameNotFound(record.id)
        if stored != record.version:
            return None
        entry = (f"{stored}-0".encode(), {b"at": record.updated_at.encode(), b"events": happened})
        self._replicate(keys[0], self._ttl, ("XRANGE", keys[1], f"{stored}-0", f"{stored}-0"), [entry])
        return memo

    def happenings(self, game_id: str, after: int, limit: int) -> tuple[Record, list[Happening]]:
        """The game, and what its versions above `after` brought, oldest first, `limit` versions at most."""
        state, events = _keys(game_id)
        with _guarded("events"):
            pipe = self._client.pipeline(transaction=False)
            pipe.hmget(state, *FIELDS)
            pipe.xrange(events, min=f"{after + 1}-0", count=limit)
            row, entries = pipe.execute()
        return _record(game_id, row), [_happening(*entry) for entry in entries]

    def marks(self, game_ids: Sequence[str]) -> list[bytes | None]:
        """The nonce of each game's last change; `None` where there is no such game."""
        with _guarded("look"):
            pipe = self._client.pipeline(transaction=False)
            for game_id in game_ids:
                pipe.hget(_keys(game_id)[0], "nonce")
            return cast(list[bytes | None], pipe.execute())

    def delete(self, game_id: str) -> None:
        """Forgets the game and its events."""
        with _guarded("delete"):
            self._client.unlink(*_keys(game_id))


def _memo(game_id: str, memo_key: str) -> str:
    return f"g:{{{game_id}}}:memo:{memo_key}"


def _record(game_id: str, row: Row) -> Record:
    version, meta, state, updated_at = row
    if version is None or meta is None or state is None or updated_at is None:
        raise GameNotFound(game_id)
    return Record(game_id, int(version), orjson.loads(meta), orjson.loads(state), updated_at.decode())


def _happening(entry: bytes, fields: dict[bytes, bytes]) -> Happening:
    version = int(entry.split(b"-")[0])
    return Happening(version, fields[b"at"].decode(), orjson.loads(fields[b"events"]))
