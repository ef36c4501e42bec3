"""What the service is measured beside: bare Flask views that do the same I/O and decide nothing.

`gunicorn 'bench.bare:create()'`, with the store of `REDIS_URL` and the service's own gunicorn settings.
"""

import os

import orjson
from flask import Flask, Response, request
from redis import Redis

KEY = "bare:{%s}"
SIZE = 1800
"""Bytes of the value that is read and written: about a game's."""

ANSWER = orjson.dumps({"legal": True, "combination": None, "reason": None})

COMPARE_AND_SET = """
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or 0)
redis.call('HSET', KEYS[1], 'version', version + 1, 'value', ARGV[1])
return version + 1
"""


def create() -> Flask:
    """The application; it opens its connection after the fork, as the service does."""
    app = Flask("bare", static_folder=None)
    redis = Redis.from_url(os.environ["REDIS_URL"])
    script = redis.script_load(COMPARE_AND_SET)
    value = b"x" * SIZE

    @app.post("/constant")
    def constant() -> Response:
        orjson.loads(request.get_data())
        return Response(ANSWER, mimetype="application/json")

    @app.get("/get/<name>")
    def get(name: str) -> Response:
        redis.get(KEY % name)
        return Response(b"", 304)

    @app.post("/change/<name>")
    def change(name: str) -> Response:
        orjson.loads(request.get_data())
        redis.get(KEY % name)
        redis.evalsha(script, 1, f"changed:{{{name}}}", value)
        return Response(ANSWER, mimetype="application/json")

    return app
