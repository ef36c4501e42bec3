"""Clients that follow a game's stream, and connect again with what they saw last."""

import http.client
import json
import threading
import time
from collections import namedtuple
from contextlib import suppress
from itertools import takewhile
from types import SimpleNamespace

from tests.faults.servers import SECONDS, eventually
from tests.faults.wire import connect, request

Message = namedtuple("Message", "event id data")
"""`event` is "message" where the stream says no other; `data` is parsed."""


def parsed(lines):
    """The messages of a stream's lines as WHATWG says; comments and `retry` are none."""
    fields = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        elif "data" in fields:
            yield Message(fields.get("event", "message"), int(fields["id"]), json.loads(fields["data"]))
            fields = {}
        else:
            fields = {}


class Connection:
    """One request for a stream, and its answer."""

    def __init__(self, address, path, token=None, last=None, seconds=SECONDS):
        given = {"Accept": "text/event-stream", "Authorization": token and f"Bearer {token}"}
        given["Last-Event-ID"] = None if last is None else str(last)
        lines = [f"{name}: {value}" for name, value in given.items() if value is not None]
        self.link = connect(int(address.rpartition(":")[2]), seconds)
        self.link.sendall(request("GET", f"{path}/events", *lines))
        self.answer = http.client.HTTPResponse(self.link, method="GET")
        try:
            self.answer.begin()
        except BaseException:
            self.close()
            raise
        self.status = self.answer.status

    def lines(self):
        """The lines as they come, until the stream has come to its end."""
        while line := self.answer.readline():
            yield line.decode().removesuffix("\n")

    def messages(self):
        """The messages as they come."""
        return parsed(self.lines())

    def whole(self):
        """The messages, once the stream has ended; raises `IncompleteRead` where it was cut off instead."""
        return list(parsed(self.answer.read().decode().split("\n")))

    def cut(self):
        """Ends it, whoever reads of it meanwhile."""
        with suppress(OSError):
            self.link.shutdown(2)

    def close(self):
        self.answer.close()
        self.link.close()


class Follower(threading.Thread):
    """Follows a game from its beginning to its end, through whatever happens to the connection."""

    def __init__(self, address, path, token=None):
        super().__init__(daemon=True)
        self.address, self.path, self.token = address, path, token
        self.told = []
        self.base = 0
        self.resets = []
        self.statuses = []
        self.faults = []
        self.stopped = False
        self._connection = None

    @property
    def version(self):
        """What it has seen last."""
        return self.told[-1].id if self.told else self.base

    def run(self):
        last = None
        while not self.stopped and not set(self.statuses) & {204, 404}:
            with suppress(OSError, http.client.HTTPException):
                last = self._connect(last)
            time.sleep(0.02)

    def _connect(self, last):
        connection = self._connection = Connection(self.address, self.path, self.token, last)
        try:
            self.statuses.append(connection.status)
            if connection.status == 200:
                for message in connection.messages():
                    self._take(message)
                    last = message.id
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
        return last

    def _take(self, message):
        if message.event == "reset":
            self.resets.append(message)
            self.told, self.base = [], message.id
        elif message.id != self.version + 1:
            self.faults.append((self.version, message.id))
        else:
            self.told.append(message)

    def cut(self):
        """Its connection ends now; it makes another."""
        if self._connection:
            self._connection.cut()

    def stop(self):
        """It goes home."""
        self.stopped = True
        self.cut()
        self.join(SECONDS)

    def until(self, version):
        """Returns when it has seen that version."""
        eventually(lambda: self.faults or self.version >= version)
        return self

    def events(self):
        """All the events it was told (since the last reset), as one list, like that of the JSON form."""
        return [event for message in self.told for event in message.data["events"]]


def streamed(table, seat=None):
    """A stream up to the game's version, as if it were an answer that ends there."""
    last = f"id: {table.get()['version']}"
    given = {"Authorization": f"Bearer {table.tokens[seat]}"} if seat is not None else {}
    given["Accept"] = "text/event-stream"
    with table.client.stream("GET", f"{table.path}/events", headers=given) as answer:
        lines = answer.iter_lines()
        told = [*takewhile(lambda line: line != last, lines), next(lines)]
        return SimpleNamespace(
            status_code=answer.status_code, headers=answer.headers, content="\n".join(told).encode()
        )


def listed(table, seat=None, after=0):
    """All the events of a game in the JSON form."""
    events = []
    while page := table.get(f"/events?after={after}&limit=1000", seat)["events"]:
        events += page
        after = page[-1]["version"]
    return events
