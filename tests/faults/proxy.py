"""A TCP proxy on loopback between the service and its store, which loses, delays and cuts as it is told.

It reads the protocol just well enough to tell one request or reply from the next (RESP 2 and 3).
"""

import socket
import threading
import time
from contextlib import suppress

_NESTED = {b"*": 1, b"~": 1, b">": 1, b"%": 2, b"|": 2}
"""Types that hold so many values for each that they count."""

_SIZED = b"$=!"
"""Types that hold so many bytes."""


def read_value(stream):
    """The bytes of one RESP value; empty at the end of the stream."""
    line = stream.readline()
    if not line:
        return b""
    kind, count = line[:1], line[1:].strip()
    if kind in _NESTED and count != b"-1":
        return line + b"".join(read_value(stream) for _ in range(_NESTED[kind] * int(count)))
    if kind in _SIZED and count != b"-1":
        return line + stream.read(int(count) + 2)
    return line


class Proxy:
    """Passes everything between its own `port` and the target's, until it is told to do otherwise."""

    def __init__(self, target):
        self._target = ("127.0.0.1", target)
        self._lock = threading.Condition()
        self._links = set()
        self._orders = {}
        self._delay = 0.0
        self._frozen = False
        self._counts = {"request": 0, "reply": 0}
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def __enter__(self):
        self._serve()
        return self

    def __exit__(self, *_):
        self.refuse()

    def heal(self):
        """Pass everything again, on new connections too."""
        self._order({})
        if self._listener.fileno() < 0:
            self._listener = socket.create_server(("127.0.0.1", self.port))
            self._serve()

    def drop_reply(self, number):
        """The so many-th reply from now on is lost, and what follows on its connection, which stays open."""
        self._order({("reply", number): "drop"})

    def cut_at_reply(self, number):
        """The connection ends in place of the so many-th reply from now on."""
        self._order({("reply", number): "cut"})

    def cut_after_request(self, number):
        """The connection ends as the so many-th request from now on is handed to the store."""
        self._order({("request", number): "cut after"})

    def lose_request(self, number):
        """The connection ends before the so many-th request from now on has reached the store."""
        self._order({("request", number): "cut"})

    def delay(self, seconds):
        """Each reply comes so much later."""
        self._order({}, delay=seconds)

    def freeze(self):
        """Connections are accepted and kept, and nothing gets through."""
        self._order({}, frozen=True)

    def refuse(self):
        """No connection is accepted any more, and those there are end."""
        self._order({})
        for link in (self._listener, *self._links):
            _close(link)

    @property
    def requests(self):
        """How many came by, on all connections, since the last order."""
        return self._counts["request"]

    @property
    def replies(self):
        """How many came by, on all connections, since the last order."""
        return self._counts["reply"]

    @property
    def struck(self):
        """Whether what was ordered of a certain request or reply has happened."""
        return not self._orders

    def _order(self, orders, delay=0.0, frozen=False):
        with self._lock:
            self._orders, self._delay, self._frozen = orders, delay, frozen
            self._counts = {"request": 0, "reply": 0}
            self._lock.notify_all()

    def _serve(self):
        threading.Thread(target=self._accept, args=[self._listener], daemon=True).start()

    def _accept(self, listener):
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                try:
                    far = socket.create_connection(self._target)
                except OSError:
                    near.close()
                    continue
                for link in (near, far):
                    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self._links.add(link)
                for ends in ((near, far, "request"), (far, near, "reply")):
                    threading.Thread(target=self._pump, args=ends, daemon=True).start()

    def _pump(self, source, sink, what):
        silent = False
        with suppress(OSError, ValueError), source.makefile("rb") as stream:
            while value := read_value(stream):
                fate = self._fate(what)
                silent = silent or fate == "drop"
                if fate == "cut":
                    break
                if fate == "cut after":
                    _close(source)  # first, or the reply might still get through
                if not silent:
                    sink.sendall(value)
                if fate == "cut after":
                    break
        for link in (source, sink):
            self._links.discard(link)
            _close(link)

    def _fate(self, what):
        """What is to become of the request or reply that has just come: waits as long as it has to."""
        with self._lock:
            self._counts[what] += 1
            fate = self._orders.pop((what, self._counts[what]), "pass")
            due = time.monotonic() + (self._delay if what == "reply" else 0)
            while self._frozen or (self._delay and time.monotonic() < due):
                self._lock.wait(None if self._frozen else due - time.monotonic())
        return fate


def _close(link):
    with suppress(OSError):
        link.shutdown(socket.SHUT_RDWR)
    link.close()
