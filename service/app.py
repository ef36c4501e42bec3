"""The application: the parts, put together."""

from typing import Any

import orjson
from flask import Flask, Response
from flask.json.provider import JSONProvider

from service.api.games import Games
from service.api.questions import Questions
from service.api.rulebook import Rulebook
from service.errors import Errors
from service.health import Health
from service.messages import Messages
from service.observability import Observed, configure_logging
from service.settings import BadSetting, Settings
from service.store import Store, connect


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
        return Response(orjson.dumps(self._prepare_response_obj(args, kwargs)), mimetype="application/json")


def create_app(settings: Settings) -> Flask:
    """The WSGI application; call it after the fork, it opens connections to `settings.redis_url`.

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
    store = Store(connect(settings.redis_url), settings.game_ttl_seconds)
    errors.register(app)
    app.wsgi_app = Observed(app.wsgi_app)  # type: ignore[method-assign]  # as Flask documents it
    parts = (errors, Health(store), Rulebook(messages), Questions(messages), Games(store))
    for part in parts:
        app.register_blueprint(part.routes())
    app.after_request(_say_language(messages))
    return app


def _say_language(messages: Messages) -> Any:
    def say(answer: Response) -> Response:
        if (answer.mimetype or "").endswith("json"):
            answer.headers.add("Content-Language", messages.language())
            varies = answer.headers.get("Vary")
            answer.headers["Vary"] = f"{varies}, Accept-Language" if varies else "Accept-Language"
        return answer

    return say
