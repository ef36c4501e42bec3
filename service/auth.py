"""Who is asking: a seat of the game, its host, or a spectator. Tokens are kept as SHA-256 only."""

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from flask import request


class Unauthorized(Exception):
    """No token where one is needed, or one that this game does not know."""


class ApiKeyNeeded(Exception):
    """No API key where the service asks for one, or one that it does not know."""


class Forbidden(Exception):
    """A token this game knows, which may not do this."""


@dataclass(frozen=True, slots=True)
class Caller:
    """`seat` is the caller's seat, or `None` for the host and for spectators."""

    seat: int | None = None
    host: bool = False


def new_id() -> str:
    """A game's id: 128 random bits as 22 URL-safe characters."""
    return secrets.token_urlsafe(16)


def client() -> str:
    """Who sends the request, as far as the service can tell: the holder of an API key, else an address."""
    key = request.headers.get("X-API-Key")
    return f"key {key}" if key else f"address {request.remote_addr}"


def new_token() -> str:
    """A bearer token: 256 random bits as 43 URL-safe characters."""
    return secrets.token_urlsafe(32)


def derived_id(secret: str) -> str:
    """The id that always comes of this secret: as long and as hard to guess as `new_id`, if the secret is."""
    return _text(hmac.digest(secret.encode(), b"id", "sha256")[:16])


def derived_tokens(secret: str, salt: str, count: int) -> list[str]:
    """The tokens that always come of this secret and salt, to be handed out again to who has the secret."""
    labels = (f"{salt} {place}".encode() for place in range(count))
    return [_text(hmac.digest(secret.encode(), label, "sha256")) for label in labels]


def _text(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def digest(token: str) -> str:
    """What is kept of a token: its SHA-256 in hex."""
    return sha256(token.encode()).hexdigest()


def bearer(authorization: str) -> str:
    """The token of an `Authorization` header (RFC 6750); raises `Unauthorized` for another scheme."""
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer":
        raise Unauthorized
    return token.strip()


def identify(authorization: str | None, seats: Sequence[str], host: str) -> Caller:
    """The caller behind an `Authorization` header (RFC 6750), given the digests of a game's tokens.

    Without a header it is a spectator; raises `Unauthorized` for any token but the game's own.
    Every digest is compared, each in constant time.
    """
    if authorization is None:
        return Caller()
    given = digest(bearer(authorization))
    matches = [hmac.compare_digest(given, known) for known in (host, *seats)]
    if not any(matches):
        raise Unauthorized
    place = matches.index(True)
    return Caller(seat=place - 1) if place else Caller(host=True)


def seat_of(caller: Caller) -> int:
    """The caller's seat; raises `Unauthorized` for a spectator, `Forbidden` for the host."""
    if caller.seat is not None:
        return caller.seat
    raise Forbidden if caller.host else Unauthorized


def require_host(caller: Caller) -> None:
    """Raises `Unauthorized` for a spectator, `Forbidden` for a seat."""
    if not caller.host:
        raise Forbidden if caller.seat is not None else Unauthorized
