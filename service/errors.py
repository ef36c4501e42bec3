"""Every failure becomes a problem (RFC 9457), in one place: exception in, `application/problem+json` out."""

import traceback
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import orjson
import structlog
from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from rules.errors import IllegalAction, InvalidAction, Reason, UnknownFormat
from service.auth import ApiKeyNeeded, Forbidden, Unauthorized
from service.gate import RateLimited
from service.idempotency import KeyReused
from service.live import TooManyStreams
from service.messages import Messages
from service.notes import note
from service.schemas.body import InvalidBody, MalformedJSON, of_rules
from service.store import GameNotFound, StaleVersion, StoreUnavailable

JSON = Any

RETRY_AFTER = "1"
"""Seconds after which a client may try again what the store refused."""


PLACE_AFTER = "5"
"""Seconds after which there may be a place for another stream."""


class Code(StrEnum):
    """The codes of problems that are no refused move; those carry a `Reason`, with status 409."""

    MALFORMED_JSON = "malformed_json"
    BAD_REQUEST = "bad_request"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    GAME_NOT_FOUND = "game_not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    STALE_VERSION = "stale_version"
    BODY_TOO_LARGE = "body_too_large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    INVALID_REQUEST = "invalid_request"
    IDEMPOTENCY_KEY_REUSED = "idempotency_key_reused"
    RATE_LIMITED = "rate_limited"
    INTERNAL_ERROR = "internal_error"
    STORE_UNAVAILABLE = "store_unavailable"
    TOO_MANY_STREAMS = "too_many_streams"
    UNSUPPORTED_STATE = "unsupported_state"


STATUS: Mapping[str, int] = {
    Code.MALFORMED_JSON: 400,
    Code.BAD_REQUEST: 400,
    Code.UNAUTHORIZED: 401,
    Code.FORBIDDEN: 403,
    Code.NOT_FOUND: 404,
    Code.GAME_NOT_FOUND: 404,
    Code.METHOD_NOT_ALLOWED: 405,
    Code.STALE_VERSION: 412,
    Code.BODY_TOO_LARGE: 413,
    Code.UNSUPPORTED_MEDIA_TYPE: 415,
    Code.INVALID_REQUEST: 422,
    Code.IDEMPOTENCY_KEY_REUSED: 422,
    Code.RATE_LIMITED: 429,
    Code.INTERNAL_ERROR: 500,
    Code.STORE_UNAVAILABLE: 503,
    Code.TOO_MANY_STREAMS: 503,
    Code.UNSUPPORTED_STATE: 503,
    **{reason.value: 409 for reason in Reason},
}
"""Every code a problem can have, and its status."""

_OF_HTTP = {
    404: Code.NOT_FOUND,
    405: Code.METHOD_NOT_ALLOWED,
    413: Code.BODY_TOO_LARGE,
    415: Code.UNSUPPORTED_MEDIA_TYPE,
}

_log = structlog.get_logger()


class Errors:
    """Turns exceptions into problems."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    def register(self, app: Flask) -> None:
        """Handles every exception that a view of `app` may raise."""
        app.register_error_handler(MalformedJSON, self.malformed)
        app.register_error_handler(InvalidBody, self.invalid)
        app.register_error_handler(InvalidAction, lambda error: self.invalid(of_rules(error)))
        app.register_error_handler(Unauthorized, self.unauthorized)
        app.register_error_handler(ApiKeyNeeded, self.api_key_needed)
        app.register_error_handler(RateLimited, self.rate_limited)
        app.register_error_handler(KeyReused, lambda _: self.problem(Code.IDEMPOTENCY_KEY_REUSED))
        app.register_error_handler(Forbidden, lambda _: self.problem(Code.FORBIDDEN))
        app.register_error_handler(GameNotFound, lambda _: self.problem(Code.GAME_NOT_FOUND))
        app.register_error_handler(StaleVersion, lambda error: self.problem(Code.STALE_VERSION, error.params))
        app.register_error_handler(IllegalAction, lambda error: self.problem(error.reason, error.params))
        app.register_error_handler(StoreUnavailable, self.store_unavailable)
        app.register_error_handler(TooManyStreams, self.too_many_streams)
        app.register_error_handler(UnknownFormat, self.unsupported_state)
        app.register_error_handler(HTTPException, self.http)
        app.register_error_handler(Exception, self.internal)

    def problem(
        self,
        code: str,
        params: Mapping[str, object] | None = None,
        errors: list[dict[str, JSON]] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """The answer that says `code` in this request's language."""
        note({"code": code})
        body = self.describe(code, params or {}, errors)
        return Response(
            orjson.dumps(body), STATUS[code], dict(headers or {}), mimetype="application/problem+json"
        )

    def describe(
        self, code: str, params: Mapping[str, object], errors: list[dict[str, JSON]] | None = None
    ) -> dict[str, JSON]:
        """The problem details object; `params` and `errors` are members only where there are any."""
        body: dict[str, JSON] = {
            "type": f"/problems/{code}",
            "title": self._messages.say("titles", code, params),
            "status": STATUS[code],
            "detail": self._messages.say(group_of(code), code, params),
            "code": code,
        }
        if params:
            body["params"] = dict(params)
        if errors:
            body["errors"] = errors
        return body

    def malformed(self, _: MalformedJSON) -> Response:
        """400: not JSON."""
        return self.problem(Code.MALFORMED_JSON)

    def invalid(self, error: InvalidBody) -> Response:
        """422, with a JSON Pointer (RFC 6901) to each fault."""
        return self.problem(Code.INVALID_REQUEST, errors=self._faults(error))

    def invalid_item(self, error: InvalidBody) -> dict[str, JSON]:
        """The problem of one item of a batch; its pointers lead into the item."""
        return self.describe(Code.INVALID_REQUEST, {}, self._faults(error))

    def _faults(self, error: InvalidBody) -> list[dict[str, JSON]]:
        return [
            {
                "pointer": pointer(fault.path),
                "code": fault.fault,
                "detail": self._messages.say("faults", fault.fault, fault.params),
            }
            for fault in error.faults
        ]

    def unauthorized(self, _: Unauthorized) -> Response:
        """401, with the challenge that RFC 9110 asks for."""
        return self.problem(Code.UNAUTHORIZED, headers={"WWW-Authenticate": "Bearer"})

    def api_key_needed(self, _: ApiKeyNeeded) -> Response:
        """401; the challenge is no registered scheme, there is none for a header of its own."""
        return self.problem(Code.UNAUTHORIZED, headers={"WWW-Authenticate": "ApiKey"})

    def rate_limited(self, error: RateLimited) -> Response:
        """429, with the seconds after which a request is allowed again (RFC 9110, 10.2.3)."""
        wait = error.spent.retry_after
        return self.problem(Code.RATE_LIMITED, {"retry_after": wait}, headers={"Retry-After": str(wait)})

    def store_unavailable(self, error: StoreUnavailable) -> Response:
        """503; the cause is for the log, not for the caller."""
        _log.warning("store_unavailable", cause=str(error))
        return self.problem(Code.STORE_UNAVAILABLE, headers={"Retry-After": RETRY_AFTER})

    def too_many_streams(self, _: TooManyStreams) -> Response:
        """503: another worker, or this one later, may have a place."""
        return self.problem(Code.TOO_MANY_STREAMS, headers={"Retry-After": PLACE_AFTER})

    def unsupported_state(self, error: UnknownFormat) -> Response:
        """503: another version of the service wrote this game; the one running leaves it alone."""
        _log.error("unsupported_state", format=error.version)
        return self.problem(Code.UNSUPPORTED_STATE, headers={"Retry-After": RETRY_AFTER})

    def http(self, error: HTTPException) -> Response:
        """What werkzeug refuses, with its own headers (`Allow`) kept."""
        code = _OF_HTTP.get(error.code or 500)
        if code is None:
            code = Code.BAD_REQUEST if 400 <= (error.code or 500) < 500 else Code.INTERNAL_ERROR
        kept = {name: value for name, value in error.get_headers() if name == "Allow"}
        return self.problem(code, headers=kept)

    def internal(self, error: Exception) -> Response:
        """500: ours; the log has where, the caller the request's id.

        Not the values: what an exception says and what its frames hold may be a hand.
        """
        frames = traceback.extract_tb(error.__traceback__)
        where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        _log.error("internal_error", error=type(error).__name__, where=where)
        return self.problem(Code.INTERNAL_ERROR)


def group_of(code: str) -> str:
    """The group of messages that has the `detail` of this problem."""
    return "reasons" if STATUS[code] == 409 else "problems"


def pointer(path: tuple[str | int, ...]) -> str:
    """The path as a JSON Pointer; an over-long part (a caller's own field name) is cut."""
    parts = [str(part)[:80].replace("~", "~0").replace("/", "~1") for part in path]
    return "".join(f"/{part}" for part in parts)
