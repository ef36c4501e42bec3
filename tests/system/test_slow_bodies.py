"""A body that does not come is given up, as real processes do it."""

import time
from urllib.parse import urlsplit

from service.schemas.body import SENDING_SECONDS
from tests.faults.wire import JSON, connect, read, request


def test_a_body_that_comes_byte_by_byte_is_given_up_in_time(address):
    """However lively its sender: what counts is when all of it is there."""
    started = time.monotonic()
    with connect(urlsplit(address).port, seconds=1) as link:
        link.sendall(request("POST", "/v1/deals", JSON, "Content-Length: 1000", body=b"{"))
        answer = None
        while answer is None and time.monotonic() - started < SENDING_SECONDS + 10:
            link.sendall(b" ")
            try:
                answer = read(link)
            except TimeoutError:
                continue
    assert (answer.status, answer.json()["code"]) == (400, "bad_request")
    assert SENDING_SECONDS <= time.monotonic() - started < SENDING_SECONDS + 10
