"""Who waits for a game is woken when something happens in it: all the streams and long polls of a worker.

The game's stream in the store is the truth. Each change publishes its nonce (commit.lua), but that is only a
hint which wakes who waits for the game; they read on from what they have read. Since a hint may be lost, the
nonces of all these games are looked at every `LOOK_SECONDS` too: nothing is lost, or late by more than that.
"""

from dataclasses import dataclass, field
from socket import MSG_PEEK
from typing import Any

import gevent
import structlog
from gevent.event import Event
from gevent.lock import BoundedSemaphore

from service import metrics
from service.hints import Hints
from service.store import Happening, Record, Store, StoreUnavailable, channel

LOOK_SECONDS = 2.0

PIECE = 100
"""Versions that are read at once, and games that are looked at at once."""

MOST_READERS = 32
"""Reads of one worker at a time; each needs a connection to the store."""

READABLE = 1
"""libev's event of that name."""

Found = tuple[Record, list[Happening]]

_log = structlog.get_logger()


class TooManyStreams(Exception):
    """This worker holds as many streams and long polls as it may."""


@dataclass(eq=False)
class Watched:
    """A game that somebody waits for.

    `mark`: the nonce that it was last heard to have, empty where there was no game, `None`: not known.
    `found` is what was read last, for `asked` (after which version, at which mark): a change wakes all who
    wait, and one read serves all who ask for the same.
    """

    mark: bytes | None = None
    watches: set["Watch"] = field(default_factory=set)
    lock: BoundedSemaphore = field(default_factory=BoundedSemaphore)
    asked: tuple[int, bytes | None] | None = None
    found: Found | StoreUnavailable | None = None

    def heard(self, mark: bytes) -> None:
        """Wakes who waits, unless nothing has happened."""
        if mark != self.mark:
            self.mark = mark
            self.wake()

    def wake(self) -> None:
        """Wakes who waits."""
        for watch in self.watches:
            watch.woken.set()


class Watch:
    """A place among those who wait for a game, which `close` gives back."""

    def __init__(self, live: "Live", game_id: str, socket: Any) -> None:
        """`socket`: the client's, if there is one, to notice when it hangs up."""
        self.woken = Event()
        self._live = live
        self._game_id = game_id
        self._hung_up = False
        self._watcher = None
        if socket:
            self._watcher = gevent.get_hub().loop.io(socket.fileno(), READABLE)
            self._watcher.start(self._readable, self._watcher, socket)

    @property
    def ended(self) -> bool:
        """Whether there is nobody to tell any more, or the worker is to end."""
        return self._hung_up or self._live.closing

    def read(self, after: int) -> Found:
        """The game as it is, and what its versions from `after` itself on brought, `PIECE` and one at most.

        Raises `GameNotFound`, and `StoreUnavailable`: then it is woken when the store is back.
        """
        self.woken.clear()
        return self._live.read(self._game_id, after)

    def wait(self, seconds: float) -> None:
        """Returns when something may have happened since `read` was called, after so many seconds at most."""
        if not self.ended:
            self.woken.wait(max(0.0, seconds))

    def close(self) -> None:
        """Gives the place back, once."""
        if self._watcher:
            self._watcher.stop()
            self._watcher.close()
            self._watcher = None
        self._live.leave(self._game_id, self)

    def _readable(self, watcher: Any, socket: Any) -> None:
        """The client has hung up, or sent more than it was to send."""
        watcher.stop()
        try:
            self._hung_up = not socket.recv(1, MSG_PEEK)
        except OSError:
            self._hung_up = True
        if self._hung_up:
            self.woken.set()


class Live:
    """The games that somebody waits for in this worker. All is done in the one thread that gevent uses."""

    def __init__(self, store: Store, hints: Hints, most: int) -> None:
        """`most`: watches at a time."""
        self.closing = False
        self._store = store
        self._hints = hints
        self._free = most
        self._games: dict[str, Watched] = {}
        self._reading = BoundedSemaphore(MOST_READERS)
        self._running: list[gevent.Greenlet[..., None]] = []

    def watch(self, game_id: str, socket: Any = None) -> Watch:
        """A place among those who wait for the game; raises `TooManyStreams`."""
        if not self._free:
            raise TooManyStreams
        self._free -= 1
        metrics.STREAMS.inc()
        watch = Watch(self, game_id, socket)
        game = self._games.get(game_id)
        if game is None:
            game = self._games[game_id] = Watched()
            self._hints.want(channel(game_id), game.heard)
        game.watches.add(watch)
        self._running = self._running or [gevent.spawn(self._hints.listen), gevent.spawn(self._look)]
        return watch

    def leave(self, game_id: str, watch: Watch) -> None:
        """Takes a watch's place back, if it has one."""
        game = self._games.get(game_id)
        if game is None or watch not in game.watches:
            return
        self._free += 1
        metrics.STREAMS.dec()
        game.watches.remove(watch)
        if not game.watches:
            del self._games[game_id]
            self._hints.drop(channel(game_id))

    def close(self) -> None:
        """Ends all watches, for the worker is to end."""
        self.closing = True
        for game in self._games.values():
            game.wake()

    def read(self, game_id: str, after: int) -> Found:
        """What `Watch.read` says. While the store is known to be away it is not asked."""
        game = self._games[game_id]
        with game.lock:
            found = game.found
            away = isinstance(found, StoreUnavailable) and game.mark is None
            if found is None or (not away and game.asked != (after, game.mark)):
                game.asked = after, game.mark
                found = self._read(game, game_id, after)
                game.found = found if len(game.watches) > 1 or isinstance(found, StoreUnavailable) else None
        if isinstance(found, StoreUnavailable):
            raise StoreUnavailable(str(found))
        return found

    def _read(self, game: Watched, game_id: str, after: int) -> Found | StoreUnavailable:
        try:
            with self._reading:
                return self._store.happenings(game_id, after - 1, PIECE + 1)
        except StoreUnavailable as fault:
            game.mark = None  # the next look that is answered wakes who waits
            return fault

    def _look(self) -> None:
        """Looks at all the games, again and again; a greenlet of its own."""
        while True:
            gevent.sleep(LOOK_SECONDS)
            games = list(self._games.items())
            try:
                for start in range(0, len(games), PIECE):
                    piece = games[start : start + PIECE]
                    marks = self._store.marks([game_id for game_id, _ in piece])
                    for (_, game), mark in zip(piece, marks, strict=True):
                        game.heard(mark or b"")
            except StoreUnavailable as fault:
                _log.warning("look_failed", cause=str(fault))
