"""Requests that may be sent again: the same key and body get the first answer, and nothing happens twice.

`Idempotency-Key` as in the IETF's draft-ietf-httpapi-idempotency-key-header. What is kept (a memo) lies
in the game's own slot and is written by the script that commits, so it is there exactly when the change is.
A refused request changes nothing and is not kept.
"""

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import orjson
from flask import request
from werkzeug.exceptions import BadRequest

LONGEST_KEY = 255

KEPT_SECONDS = 24 * 60 * 60
"""How long an answer is kept to be given again."""


class KeyReused(Exception):
    """The key came before, with another body, or so long ago that its answer is no longer kept."""


@dataclass(frozen=True, slots=True)
class Memo:
    """The first answer to a request: what was asked (a digest), the version it made, the body given.

    Where the answer hands out tokens, `body` has their digests in their places, and `salt` helps whoever
    has the key to make them again; so no token is stored. `again`: it comes from the store.
    """

    fingerprint: str
    version: int
    body: bytes = b""
    salt: str = "-"
    again: bool = False

    def saying(self, body: bytes, version: int = 1) -> "Memo":
        """The memo with its body."""
        return replace(self, body=body, version=version)

    def dump(self) -> bytes:
        """The memo as it is stored."""
        return f"{self.fingerprint} {self.version} {self.salt}\n".encode() + self.body

    @classmethod
    def load(cls, text: bytes) -> "Memo":
        """The memo that `dump` wrote."""
        head, _, body = text.partition(b"\n")
        fingerprint, version, salt = head.decode().split(" ")
        return cls(fingerprint, int(version), body, salt, again=True)


def key_sent() -> str | None:
    """The request's `Idempotency-Key`, with or without the quotes of a structured field.

    Raises `BadRequest` where it is not 1 to 255 printable ASCII characters.
    """
    given = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if given is None:
        return None
    key = str(given)[1:-1] if len(given) > 1 and given[0] == given[-1] == '"' else str(given)
    if not 0 < len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise BadRequest
    return key


def scoped(key: str, *scope: str) -> str:
    """A digest that names the key for one caller alone; it gives away neither."""
    return sha256("\n".join((*scope, key)).encode()).hexdigest()


def fingerprint(body: Any) -> str:
    """A digest of what was asked; spacing and the order of fields do not matter."""
    return sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()


def answering(memo: Memo, wanted: str) -> Memo:
    """The memo; raises `KeyReused` where it answers something else than is `wanted`."""
    if memo.fingerprint != wanted:
        raise KeyReused
    return memo
