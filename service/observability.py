"""What operators see: one JSON line a request, with an id that the answer carries too, and its numbers.

A line holds no body, no header and no query, so no hand and no token can get into it.
"""

import logging
import os
import re
import sys
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import structlog

from service import metrics
from service.notes import notes_of
from service.traces import trace_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_ACCEPTED_ID = re.compile(r"[A-Za-z0-9._:/+=@-]{1,128}")
_GAME_ID = re.compile(r"[A-Za-z0-9_-]{22}")

_log = structlog.get_logger()


def configure_logging(level: str) -> None:
    """Logs to standard output, as JSON lines, from `level` (`debug`, `info`, `warning`, `error`) up."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stdout),
        cache_logger_on_first_use=True,
    )


class Observed:
    """WSGI middleware: takes or makes a request's id; when it is answered, writes its line and counts it."""

    def __init__(self, app: "WSGIApplication") -> None:
        self._app = app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answers as the application does; adds `X-Request-ID`, `nosniff`, and `traceparent` in a trace."""
        started = time.perf_counter()
        given = environ.get("HTTP_X_REQUEST_ID", "")
        request_id = given if _ACCEPTED_ID.fullmatch(given) else os.urandom(16).hex()
        trace = trace_of(environ)
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id, **(trace.ids() if trace else {}))

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            headers.append(("X-Request-ID", request_id))
            headers.append(("X-Content-Type-Options", "nosniff"))
            if trace:
                headers.append(("traceparent", trace.parent()))
            _note(environ, int(status[:3]), time.perf_counter() - started)
            return start_response(status, headers, exc_info)

        return self._app(environ, start)


def _note(environ: "WSGIEnvironment", status: int, seconds: float) -> None:
    """Counts the request that Flask has left in `environ`, and writes its line.

    The route stands for the path as sent, and what stands in a game's place but can't be one's id (a token,
    say) is not written down.
    """
    request, notes = environ.get("werkzeug.request"), notes_of(environ)
    rule = request.url_rule if request else None
    route = rule.rule if rule else None
    method, code = environ["REQUEST_METHOD"], notes.get("code")
    metrics.answered(route, method, status, code or "", seconds)
    given = (request.view_args or {}).get("game_id", "") if request else ""
    game = notes.get("game", given)
    _log.info(
        "request",
        method=method,
        route=route,
        game=game if _GAME_ID.fullmatch(game) else None,
        version=notes.get("version"),
        status=status,
        code=code,
        ms=round(seconds * 1000, 2),
    )
