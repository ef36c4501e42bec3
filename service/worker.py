"""gunicorn's worker, harder to keep busy, which answers what is no HTTP request as a problem too.

gunicorn's own answers are HTML without our headers, and its log quotes what it was sent: a line that
should have been `Authorization: Bearer …` would stand there with its token.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from errno import EPIPE
from functools import partial
from importlib.resources import files
from typing import Any

import gevent
import orjson
from gevent.pool import Pool
from gevent.server import StreamServer
from gunicorn.http.body import ChunkedReader
from gunicorn.http.errors import (
    InvalidChunkSize,
    InvalidResponseHeader,
    InvalidResponseHeaderName,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
)
from gunicorn.util import write_nonblock
from gunicorn.workers.ggevent import GeventWorker

MOST_PIECES = 8192
"""Pieces that a chunked body may come in: each costs the same, a byte or all of the body."""

NOTICED_SECONDS = 0.2
"""The longest until it is noticed that the worker is to end."""

UNREAD_SECONDS = 30
"""The longest that a stream waits for a client to read on."""

_TEXTS = orjson.loads(files("service").joinpath("locales/en.json").read_bytes())

_OURS = InvalidResponseHeader, InvalidResponseHeaderName
"""Faults of an answer, though gunicorn counts them among those of requests."""

_BAD_REQUEST = b"400 Bad Request"
_TOO_LONG = {
    LimitRequestLine: b"414 URI Too Long",
    LimitRequestHeaders: b"431 Request Header Fields Too Large",
}


@dataclass(frozen=True, slots=True)
class Address:
    """Where connections come in: what their handler asks of the socket, which may be closed by then."""

    name: Any

    def getsockname(self) -> Any:
        """The address, as a socket gives it."""
        return self.name


class Worker(GeventWorker):  # type: ignore[misc]  # gunicorn is not typed
    """A gevent worker that turns away nobody who is connected when it is to end."""

    def run(self) -> None:
        """Serves until it is told to end; then it answers all who have been let in by then, and ends.

        gunicorn's own worker resets, under load, connections that wait to be accepted when it closes its
        socket, and those accepted just before.
        """
        handlers = Pool(self.worker_connections)
        servers = []
        for listener in self.sockets:
            handle = partial(self.handle, Address(listener.getsockname()))
            servers.append(StreamServer(listener, handle=handle, spawn=handlers))
        for server in servers:
            server.max_accept = 1  # there are other workers
            server.start()
        while self.alive:
            self.notify()
            gevent.sleep(NOTICED_SECONDS)
        for server in servers:
            server.stop_accepting()
            for waiting in iter(server.do_read, None):
                server.do_handle(*waiting)
            server.close()
        self._end_streams()
        self._finish(handlers)

    def _end_streams(self) -> None:
        """The application's streams end of themselves once it is told."""
        if live := getattr(self.wsgi, "extensions", {}).get("live"):
            live.close()

    def _finish(self, handlers: Pool) -> None:
        deadline = time.monotonic() + self.cfg.graceful_timeout
        while handlers and time.monotonic() < deadline:
            self.notify()
            handlers.join(timeout=NOTICED_SECONDS)
        if handlers:
            self.log.warning("requests cut off at the end: %d", len(handlers))
            handlers.kill(timeout=1)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> Any:
        """Has the application answer the request."""
        reader = req.body.reader
        if isinstance(reader, ChunkedReader):
            reader.parser = _few(reader.parser)
        if _may_be_a_stream(req):
            req.force_close()  # it has its connection to itself, and they end together
            sock.settimeout(UNREAD_SECONDS)
        gevent.sleep(0)  # who sends the next request at once would else be served again and again
        try:
            return super().handle_request(listener_name, req, sock, addr)
        except TimeoutError as late:
            raise BrokenPipeError(EPIPE, "the client does not read") from late

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answers a request that could not be parsed; what else goes wrong is gunicorn's to handle."""
        if not isinstance(exc, ParseException) or isinstance(exc, _OURS):
            super().handle_error(req, client, addr, exc)
            return
        self.log.info("no HTTP request: %s", type(exc).__name__)
        with suppress(OSError):
            write_nonblock(client, refusal(_TOO_LONG.get(type(exc), _BAD_REQUEST)))


def _may_be_a_stream(req: Any) -> bool:
    return any(name == "ACCEPT" and "text/event-stream" in value.lower() for name, value in req.headers)


def _few(pieces: Iterator[bytes]) -> Iterator[bytes]:
    for number, piece in enumerate(pieces):
        if number == MOST_PIECES:
            raise InvalidChunkSize(b"too many")
        yield piece


def refusal(status: bytes) -> bytes:
    """The whole answer, in English; the connection ends with it."""
    code = "bad_request"
    body = orjson.dumps(
        {
            "type": f"/problems/{code}",
            "title": _TEXTS["titles"][code],
            "status": int(status[:3]),
            "detail": _TEXTS["problems"][code],
            "code": code,
        }
    )
    head = (
        b"HTTP/1.1 " + status,
        b"Connection: close",
        b"Content-Type: application/problem+json",
        b"Content-Language: en",
        b"X-Content-Type-Options: nosniff",
        b"Content-Length: %d" % len(body),
    )
    return b"\r\n".join((*head, b"", body))
