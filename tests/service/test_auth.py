"""Tokens and callers (RFC 6750; the contract's 401 against 403)."""

import re

import pytest

from service.auth import (
    Caller,
    Forbidden,
    Unauthorized,
    digest,
    identify,
    new_id,
    new_token,
    require_host,
    seat_of,
)

HOST, ZERO, ONE = "host-token", "zero-token", "one-token"
SEATS = [digest(ZERO), digest(ONE)]


def caller(header):
    return identify(header, SEATS, digest(HOST))


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, Caller()),
        (f"Bearer {HOST}", Caller(host=True)),
        (f"Bearer {ZERO}", Caller(seat=0)),
        (f"Bearer {ONE}", Caller(seat=1)),
        (f"bearer {ONE}", Caller(seat=1)),
        (f"Bearer  {ONE} ", Caller(seat=1)),
    ],
)
def test_a_known_token_is_its_holder_and_no_token_is_a_spectator(header, expected):
    assert caller(header) == expected


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Bearer nobody", f"Basic {ZERO}", ZERO, f"Bearer {digest(ZERO)}", "Bearer é"],
)
def test_any_other_token_is_unauthorized(header):
    with pytest.raises(Unauthorized):
        caller(header)


def test_a_seat_is_needed_to_move():
    assert seat_of(Caller(seat=0)) == 0
    with pytest.raises(Unauthorized):
        seat_of(Caller())
    with pytest.raises(Forbidden):
        seat_of(Caller(host=True))


def test_the_host_is_needed_to_delete():
    require_host(Caller(host=True))
    with pytest.raises(Unauthorized):
        require_host(Caller())
    with pytest.raises(Forbidden):
        require_host(Caller(seat=0))


def test_ids_and_tokens_are_long_url_safe_and_never_twice():
    ids = {new_id() for _ in range(1000)}
    tokens = {new_token() for _ in range(1000)}
    assert len(ids) == len(tokens) == 1000
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", one) for one in ids)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", one) for one in tokens)
