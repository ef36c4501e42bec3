"""What schemathesis is told about this service: whose tokens go with which game, and what a schema can't say.

It loads this module itself (SCHEMATHESIS_HOOKS).
"""

import re
from itertools import count

import schemathesis

from tests.service.test_openapi_mutations import LATER

_ID = re.compile(r"[A-Za-z0-9_-]{22}")

_games = {}
"""By id: what the creation of a game was answered."""

_number = count()


@schemathesis.hook
def after_call(_, case, response):
    """Remembers every game that was created."""
    if response.status_code == 201:
        made = response.json()
        _games[made["id"]] = made


@schemathesis.hook
def map_path_parameters(_, parameters):
    """An id that could be a game's becomes one's, most of the time."""
    if parameters and _ID.fullmatch(str(parameters.get("id"))) and _games and next(_number) % 4:
        known = sorted(_games)
        parameters["id"] = known[next(_number) % len(known)]
    return parameters


@schemathesis.hook
def map_query(_, query):
    """A wait that is right is a short one."""
    if query and str(query.get("wait")).isdigit() and 1 < int(query["wait"]) <= 30:
        query["wait"] = 1
    return query


@schemathesis.hook
def map_headers(_, headers):
    """Keys of requests that are right differ, but for some: else nearly all would be the same one."""
    key = headers and headers.get("Idempotency-Key")
    if key and re.fullmatch("[ -~]{1,100}", str(key)) and next(_number) % 8:
        headers["Idempotency-Key"] = f"{key} {next(_number)}"
    return headers


@schemathesis.auth(refresh_interval=None)
class Tokens:
    """Of a game that is known a seat's token, to delete it the host's."""

    def get(self, case, _):
        made = _games.get((case.path_parameters or {}).get("id"))
        if made is None:
            return None
        if case.operation.method.upper() == "DELETE":
            return made["host_token"]
        return made["seats"][next(_number) % len(made["seats"])]["token"]

    def set(self, case, token, _):
        if token is not None:
            case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.check
def refuses_only_what_a_schema_can_not_say(_, response, case):
    """Stands in for schemathesis' own check, which takes every body that fits its schema for right."""
    if response.status_code == 422 and case.meta and case.meta.generation.mode.is_positive:
        for error in response.json().get("errors", []):
            allowed = LATER.get(error["code"], set()) & {"*", error["pointer"]}
            assert allowed or _is_whole_with_a_fraction(case.body, error["pointer"]), error


def _is_whole_with_a_fraction(body, pointer):
    """JSON Schema takes 3.0 for an integer, the service does not."""
    for name in pointer.split("/")[1:]:
        body = body[int(name) if isinstance(body, list) else name]
    return isinstance(body, float) and body.is_integer()
