"""The application: the parts, put together."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import orjson
import structlog
from flask import Flask, Response
from flask.json.provider import JSONProvider
from flask_cors import CORS
from werkzeug.middleware.proxy_fix import ProxyFix

from service.api.games import Games
from service.api.questions import Questions
from service.api.rulebook import Rulebook
from service.connection import connect
from service.errors import Errors
from service.gate import Gate, Throttle
from service.health import Health
from service.hints import Hints
from service.live import Live
from service.messages import Messages
from service.observability import Observed, configure_logging
from service.pages import Pages
from service.settings import BadSetting, Settings
from service.store import Store

READ_BY_US = ["If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID", "X-API-Key", "X-Request-ID"]
SHOWN_TO_PAGES = [
    "ETag",
    "Location",
    "Retry-After",
    "Idempotent-Replayed",
    "RateLimit",
    "RateLimit-Policy",
    "X-Request-ID",
]


class StrictJSON(JSONProvider):
    """JSON by orjson, which refuses what RFC 8259 does not know (NaN) and bounds the nesting."""

    def dumps(self, obj: Any, **_: Any) -> str:
        """The text of `obj`."""
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """The value of the text `s`."""
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        """An answer with one value as its body."""
        body = orjson.dumps(self._prepare_response_obj(args, kwargs))
        return Response(body, content_type="application/json")


def create_app(settings: Settings) -> Flask:
    """The WSGI application; call it after the fork, it opens connections to `settings.redis_url`.

    Who ends the process closes `extensions["live"]`, so that its streams end.

    Raises `BadSetting` where that is not set: only the launcher starts a store of its own.
    """
    if settings.redis_url is None:
        raise BadSetting("REDIS_URL", "", "set; only `python -m service` starts a store of its own")
    configure_logging(settings.log_level)
    app = Flask("service", static_folder=None)
    app.json = StrictJSON(app)
    app.url_map.merge_slashes = False  # `//` is another address, not a redirect
    messages = Messages.load()
    errors = Errors(messages)
    redis = connect(settings.redis_url)
    store = Store(redis, settings.game_ttl_seconds, settings.durability)
    live = app.extensions["live"] = Live(store, Hints(redis), settings.max_streams)
    errors.register(app)
    _wrap(app, settings)
    app.register_blueprint(Pages(messages, errors).routes())
    app.register_blueprint(Health(store).routes())
    gate = Gate(settings.api_keys, Throttle(settings.rate_limit, redis) if settings.rate_limit else None)
    questions = Questions(messages, errors.invalid_item)
    for routes in (Rulebook(messages).routes(), questions.routes(), Games(store, live).routes()):
        gate.watch(routes, _needs_key)
        app.register_blueprint(routes)
    app.after_request(_finish(messages))
    if settings.cors_origins:
        _allow_origins(app, settings.cors_origins)
    return app


def _wrap(app: Flask, settings: Settings) -> None:
    """What is around the whole application: who it is that asks, what is noted of it, traces."""
    inner = app.wsgi_app
    if settings.trusted_proxies:
        inner = ProxyFix(inner, x_for=settings.trusted_proxies, x_proto=0, x_host=0)
    app.wsgi_app = Observed(inner)  # type: ignore[method-assign]  # as Flask documents it
    if settings.traces:
        _trace(app)


def _trace(app: Flask) -> None:
    """Loads what only traces need, megabytes of it; without it the service does without traces."""
    try:
        import_module("service.spans").trace(app)
    except ModuleNotFoundError as error:
        structlog.get_logger().warning("no_traces", cause=f"{error}: the extra `otel` is not installed")


def _needs_key(endpoint: str) -> bool:
    """Asking questions and creating games needs an API key where there are any; games have tokens."""
    return endpoint.startswith("questions.") or endpoint == "games.create"


def _allow_origins(app: Flask, origins: tuple[str, ...]) -> None:
    """Lets pages of these origins call the API and read what it answers (CORS, Fetch standard)."""
    everybody = "*" in origins
    CORS(
        app,
        origins="*" if everybody else list(origins),
        send_wildcard=everybody,
        always_send=everybody,
        vary_header=False,
        methods=["GET", "POST", "DELETE"],
        allow_headers=["Authorization", "Content-Type", "Accept-Language", *READ_BY_US],
        expose_headers=SHOWN_TO_PAGES,
        max_age=600,
    )
    if not everybody:
        app.after_request(_vary_by_origin)


def _vary_by_origin(answer: Response) -> Response:
    """Also where no origin was sent or allowed, or a cache gives that answer to a page that is."""
    answer.vary.add("Origin")
    return answer


def _finish(messages: Messages) -> Callable[[Response], Response]:
    def finish(answer: Response) -> Response:
        if (answer.content_type or "").endswith("json"):
            answer.headers.add("Content-Language", messages.language())
        if "Content-Language" in answer.headers:
            varies = answer.headers.get("Vary")
            answer.headers["Vary"] = f"{varies}, Accept-Language" if varies else "Accept-Language"
        return answer

    return finish
