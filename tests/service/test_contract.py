"""The judge itself: it refuses what the document does not describe."""

import json

import pytest
from werkzeug.test import EnvironBuilder, TestResponse
from werkzeug.wrappers import Request

from tests.service import contract

EVERY = {"X-Request-ID": "a", "X-Content-Type-Options": "nosniff"}
ALIVE = {**EVERY, "Content-Type": "application/json"}
PROBLEM = {
    **EVERY,
    "Content-Type": "application/problem+json",
    "Content-Language": "en",
    "Vary": "Accept-Language",
}


def answer(path, body, status=200, headers=ALIVE, method="GET"):
    request = Request(EnvironBuilder(path=path, method=method).get_environ())
    data = json.dumps(body).encode() if body is not None else b""
    return TestResponse([data], str(status), headers, request)


def problem(code, status, **more):
    return {"type": f"/problems/{code}", "title": "t", "status": status, "detail": "d", "code": code, **more}


@pytest.mark.parametrize(
    "fine",
    [
        answer("/livez", {"status": "ok"}),
        answer("/livez", None, method="HEAD"),
        answer("/nothing", problem("not_found", 404), 404, PROBLEM),
        answer("/livez", problem("method_not_allowed", 405), 405, {**PROBLEM, "Allow": "GET"}, "POST"),
        answer("/v1/rules/thirteen", problem("internal_error", 500), 500, PROBLEM),
    ],
)
def test_what_is_described_passes(fine):
    assert contract.check(fine) is fine


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (answer("/livez", {"status": "ok", "hand": ["3S"]}), "hand"),
        (answer("/livez", {}), "status"),
        (answer("/livez", {"status": "ok"}, 201), "status is not described"),
        (answer("/livez", {"status": "ok"}, headers={}), "without X-Request-ID"),
        (answer("/livez", {"status": "ok"}, headers={**ALIVE, "X-Request-ID": "a b"}), "X-Request-ID: a b"),
        (answer("/livez", {"status": "ok"}, headers={**ALIVE, "Content-Type": "text/html"}), "text/html"),
        (answer("/livez", None), "Expecting value"),
        (answer("/nothing", {"status": "ok"}), "not described"),
        (answer("/livez", problem("method_not_allowed", 405), 405, PROBLEM, "POST"), "without Allow"),
        (answer("/v1/rules", problem("internal_error", 503), 500, PROBLEM), "says 503"),
        (answer("/v1/rules", problem("not_found", 500), 500, PROBLEM), "no example shows the code not_found"),
        (answer("/v1/rules", problem("internal_error", 500, hint="x"), 500, PROBLEM), "hint"),
    ],
)
def test_what_is_not_described_fails(wrong, why):
    with pytest.raises((AssertionError, ValueError), match=why):
        contract.check(wrong)


@pytest.mark.parametrize(
    ("method", "path", "operation_id"),
    [
        ("GET", "/", "getService"),
        ("POST", "/v1/games", "createGame"),
        ("GET", "/v1/games/x", "getGame"),
        ("HEAD", "/v1/games/x", "getGame"),
        ("DELETE", "/v1/games/x", "deleteGame"),
        ("GET", "/v1/games/x/legal-moves", "listLegalMoves"),
        ("GET", "/openapi.yaml", "getOpenApi"),
    ],
)
def test_a_request_finds_its_operation(method, path, operation_id):
    assert contract.find(method, path).id == operation_id


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/v1"), ("PUT", "/v1/games/x"), ("GET", "/openapiXyaml")]
)
def test_another_request_finds_none(method, path):
    assert contract.find(method, path) is None


@pytest.mark.parametrize("card", ["TS", "10S", "ts", "10♠", "a♥"])
def test_every_spelling_of_a_card_is_a_card(card):
    assert contract.accepts(contract.operation("validatePlay"), {"cards": [card]})


@pytest.mark.parametrize("card", ["", "3", "1S", "11S", "TS\n", "3S ", "3♤", "૩S", None, 3])
def test_what_is_no_card_is_none(card):
    assert not contract.accepts(contract.operation("validatePlay"), {"cards": [card]})


@pytest.mark.parametrize(
    ("at", "good", "bad"),
    [
        ("Time", "2026-11-29T12:00:00.000Z", "2026-02-30T12:00:00.000Z"),
        ("Location", "/v1/games/8Jf3kQ0nT2uXw5zR7yLhVA", "/v1/games/8Jf3kQ0nT2uXw5zR7yLhVA\n"),
    ],
)
def test_formats_and_ends_of_lines_are_checked(at, good, bad):
    keys = ("components", "headers", at, "schema") if at == "Location" else ("components", "schemas", at)
    assert contract.fault(keys, good) is None
    assert contract.fault(keys, bad) is not None
