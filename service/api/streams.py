"""Events as they happen: as a stream of Server-Sent Events (WHATWG), and for who asks and waits a while."""

import time
from collections.abc import Iterator
from typing import Any

import orjson
import structlog
from flask import request

from rules import GAMES
from rules.errors import UnknownFormat
from service.api import shown
from service.live import PIECE, Watch
from service.store import GameNotFound, Happening, Record, StoreUnavailable

MEDIA_TYPE = "text/event-stream"

HEARTBEAT_SECONDS = 15.0
"""The longest that a stream is silent."""

BEGIN = b"retry: 2000\n\n"
"""What a stream begins with: the milliseconds after which a client is to connect again."""

HEARTBEAT = b":\n\n"

_log = structlog.get_logger()


def wanted() -> bool:
    """Whether the caller would rather have a stream than JSON (RFC 9110, 12.5.1)."""
    return request.accept_mimetypes.best_match(["application/json", MEDIA_TYPE]) == MEDIA_TYPE


def finished(record: Record) -> bool:
    """Whether nothing more will happen; raises `UnknownFormat`, for then its events can't be read either."""
    return GAMES[record.meta["game"]].finished(shown.state_of(record))


class Place:
    """How far somebody has read a game: up to version `after`, and what that brought, if known."""

    def __init__(self, after: int) -> None:
        self.after = after
        self._known: Happening | None = None

    def next(self, found: list[Happening]) -> list[Happening] | None:
        """What is new in `found`, a game's versions from `after` itself on; moves on behind it.

        `None` where it does not follow: what was kept begins later, or the version is gone or another now,
        for the store has lost what it had (a replica without it became the primary).
        """
        first = found[0] if found else None
        if first and first.version == self.after and self._known in (None, first):
            found = found[1:]
        elif not first or first.version != self.after + 1:
            return None
        self._known = found[-1] if found else first
        self.after = self._known.version
        return found

    def reset(self, record: Record, found: list[Happening]) -> None:
        """Moves to where it goes on: before the oldest version kept, else to the version of the game."""
        later = bool(found) and found[0].version > self.after
        self.after = found[0].version - 1 if later else record.version
        self._known = None


def stream(watch: Watch, seat: int | None, after: int) -> Iterator[bytes]:
    """The text of a stream from version `after` on, as `seat` (`None`: a spectator) may see it.

    It ends when the game is finished, deleted or expired, and with the worker or the client. While the store
    is away it goes on, with heartbeats alone.
    """
    place, due = Place(after), time.monotonic() + HEARTBEAT_SECONDS
    yield BEGIN
    try:
        while not watch.ended:
            text, more = _news(watch, place, seat)
            if text or time.monotonic() >= due:
                yield text or HEARTBEAT
                due = time.monotonic() + HEARTBEAT_SECONDS
            if not more:
                watch.wait(due - time.monotonic())
    except (GameNotFound, UnknownFormat, _Finished):
        return
    except Exception as error:  # ours; what it says may be a hand, so only its kind is written down
        _log.error("stream_broken", error=type(error).__name__)


class _Finished(Exception):
    """There is nothing more to come."""


def _news(watch: Watch, place: Place, seat: int | None) -> tuple[bytes, bool]:
    """The messages that are due, and whether to look for more at once; raises `_Finished` after the last."""
    try:
        record, found = watch.read(place.after)
    except StoreUnavailable:
        return b"", False
    over = finished(record)
    news = place.next(found)
    if news is None:
        place.reset(record, found)
        return _message(place.after, {"version": place.after}, b"event: reset\n"), True
    if over and not news and place.after >= record.version:
        raise _Finished
    text = b"".join(message(record, happening, seat) for happening in news)
    return text, over or len(news) >= PIECE


def message(record: Record, happening: Happening, seat: int | None) -> bytes:
    """What a version brought, as `seat` may see it."""
    events = shown.seen(record, [happening], seat)
    data = {"version": happening.version, "at": happening.at, "events": events}
    return _message(happening.version, data)


def _message(version: int, data: dict[str, Any], event: bytes = b"") -> bytes:
    return b"%sid: %d\ndata: %s\n\n" % (event, version, orjson.dumps(data))


def await_news(watch: Watch, after: int, limit: int, seconds: float) -> tuple[Record, list[Happening]]:
    """The game, and what its versions above `after` brought as soon as there is any, or after so long."""
    deadline = time.monotonic() + seconds
    while True:
        record, found = watch.read(after)
        news = Place(after).next(found)
        if news or news is None or finished(record) or watch.ended or time.monotonic() >= deadline:
            return record, (news or [])[:limit]
        watch.wait(deadline - time.monotonic())
