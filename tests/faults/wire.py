"""Requests as bytes, right or wrong, and what comes back for them."""

import http.client
import json
import socket
from contextlib import suppress
from dataclasses import dataclass

JSON = "Content-Type: application/json"


@dataclass(frozen=True)
class Answer:
    """What a service answered. `headers` as they came, in order."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def all(self, name):
        """The values of a header field."""
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def json(self):
        """The value of the body."""
        return json.loads(self.body)


def request(method="GET", target="/livez", *headers, body=b"", version="HTTP/1.1"):
    """The bytes of a request; with a body also its length, unless the headers say how it is framed."""
    lines = [f"{method} {target} {version}", *headers]
    named = {line.partition(":")[0].lower() for line in headers}
    if "host" not in named:
        lines.append("Host: localhost")
    if "connection" not in named:
        lines.append("Connection: close")
    if body and not named & {"content-length", "transfer-encoding"}:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def post(target, body, *headers):
    """The bytes of a POST of JSON, or of what is sent as such."""
    return request("POST", target, *(headers or [JSON]), body=body)


def in_chunks(body, size):
    """The body framed in chunks of that size."""
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def connect(port, seconds=20):
    """A connection to a port of the loopback."""
    return socket.create_connection(("127.0.0.1", port), timeout=seconds)


def read(link, method="GET"):
    """The answer that comes next on a connection, `None` where it ends instead."""
    answer = http.client.HTTPResponse(link, method=method)
    try:
        answer.begin()
        return Answer(answer.status, answer.getheaders(), answer.read())
    except ConnectionError:
        return None
    finally:
        answer.close()


def exchange(port, data):
    """The first answer to these bytes, sent on a connection of their own; `None` where it ends without one.

    A service that has seen enough need not read the rest: then there are bytes that nobody takes.
    """
    with connect(port) as link:
        with suppress(ConnectionError):
            link.sendall(data)
        return read(link, "HEAD" if data.startswith(b"HEAD ") else "GET")
