"""What browsers and caches are told: which pages may call (CORS), what is not to be kept, nor guessed at."""

import re

import pytest

from tests.driver import Table
from tests.faults.servers import Service
from tests.faults.wire import exchange, request
from tests.service.contract import document, locate, operations
from tests.service.scenes import GAMES

KEY = "the-right-key-0123456789"
PAGE, OTHER_PAGE = "https://play.example", "http://localhost:5173"
STRANGERS = (
    *(
        "https://evil.example",
        "http://play.example",
        "https://play.example:8443",
        "https://play.example.evil",
    ),
    *("https://evilplay.example", "https://playXexample", "https://sub.play.example", "null", "*", "file://"),
)
DEAL = {"game": "thirteen", "players": 2}
QUESTIONS = {("POST", one.path) for one in operations() if one.method == "post"}
STATUSES = {200, 201, 204, 304, 401, 403, 404, 405, 409, 412, 415, 422, 503}

READABLE = {"Cache-Control", "Content-Language", "Content-Type", "Expires", "Last-Modified", "Pragma"}
"""Header fields that a page may read anyway (Fetch standard: CORS-safelisted response-header names)."""

NOT_FOR_PAGES = {"Vary", "VaryByCaller", "VaryByForm", "VaryByAccept", "VaryByPreferences", "VaryByEncoding"}
NOT_FOR_PAGES |= {"Content-Security-Policy", "X-Accel-Buffering", "X-Content-Type-Options"}
NOT_FOR_PAGES |= {"WWW-Authenticate"}


def cors(answer):
    """The header fields about CORS."""
    return {name: value for name, value in answer.headers.items() if name.startswith("access-control-")}


def preflight(client, one, origin, headers="content-type"):
    """The answer to what a browser asks first."""
    path = re.sub(r"{\w+}", "a" * 22, one.path)
    asked = {"Access-Control-Request-Method": one.method.upper(), "Access-Control-Request-Headers": headers}
    return client.options(path, headers={"Origin": origin, **asked})


def words(text):
    """The names between the commas, in lower case."""
    return {word.strip().lower() for word in text.split(",")}


def documented(kind):
    """The names of header fields that openapi.yaml knows, of requests or of answers."""
    if kind == "answers":
        return set(document()["components"]["headers"])
    parameters = document()["components"]["parameters"]
    sent = {parameter["name"] for parameter in parameters.values() if parameter["in"] == "header"}
    return sent | {"Authorization", "Content-Type", "X-API-Key", "X-Request-ID"}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A client of a service that allows two pages, and asks for a key."""
    settings = {"CORS_ORIGINS": f"{PAGE}, {OTHER_PAGE}", "API_KEYS": KEY}
    with Service(tmp_path_factory.mktemp("service"), **settings) as running, running.client() as client:
        yield client


@pytest.mark.parametrize("origin", [PAGE, OTHER_PAGE])
def test_an_allowed_page_may_call_every_operation(client, origin):
    """A preflight brings neither key nor token, and passes all the same."""
    for one in operations():
        answer = preflight(client, one, origin, ",".join(sorted(documented("requests"))))
        assert answer.status_code == 200, one
        assert answer.headers["Access-Control-Allow-Origin"] == origin
        assert one.method.upper() in answer.headers["Access-Control-Allow-Methods"]
        allowed = words(answer.headers["Access-Control-Allow-Headers"])
        assert allowed == {name.lower() for name in documented("requests")}
        assert int(answer.headers["Access-Control-Max-Age"]) <= 7200
        assert "Origin" in answer.headers["Vary"]


def test_an_allowed_page_may_read_every_answer_errors_too(client):
    for answer in (
        client.get("/v1/rules", headers={"Origin": PAGE}),
        client.get("/nothing", headers={"Origin": PAGE}),
        client.delete("/livez", headers={"Origin": PAGE}),
        client.post("/v1/deals", json=DEAL, headers={"Origin": PAGE}),
        client.post("/v1/deals", json={}, headers={"Origin": PAGE, "X-API-Key": KEY}),
        client.get(f"/v1/games/{'a' * 22}", headers={"Origin": PAGE}),
    ):
        assert answer.headers["Access-Control-Allow-Origin"] == PAGE, answer
        shown = words(answer.headers["Access-Control-Expose-Headers"])
        assert shown == {name.lower() for name in documented("answers") - READABLE - NOT_FOR_PAGES}
        assert "access-control-allow-credentials" not in answer.headers


def test_another_page_is_told_nothing(client):
    for origin in STRANGERS:
        for answer in (
            preflight(client, operations()[0], origin),
            client.get("/livez", headers={"Origin": origin}),
        ):
            assert cors(answer) == {}, origin
            assert "Origin" in answer.headers["Vary"]
    assert cors(client.get("/livez")) == {}


def test_every_page_or_none(service):
    with service(CORS_ORIGINS="*").client() as client:
        assert cors(client.get("/livez", headers={"Origin": PAGE}))["access-control-allow-origin"] == "*"
    with service().client() as client:
        assert cors(client.get("/livez", headers={"Origin": PAGE})) == {}
        assert cors(preflight(client, operations()[0], PAGE)) == {}


def answers(client):
    """Answers of all operations and of nearly all statuses."""
    table = Table(client, "thirteen", 4, seed=GAMES["thirteen"]["seed"])
    for one in operations():
        path = one.path.replace("/v1/games/{id}", table.path).replace("{code}", "too_low")
        for method in (one.method, "head", "options", "put"):
            yield client.request(method, path)
            yield client.request(method, path, json=DEAL)
    yield table.answer
    yield client.get("/nothing")
    yield client.get(table.path, headers={"If-None-Match": "*"})
    yield client.get(f"{table.path}/events?limit=0")
    yield table.call("get", "/legal-moves", seat=0)
    yield table.call("get", token="x" * 43)
    yield table.call("delete", seat=0)
    yield table.move(1, {"type": "play", "cards": ["3S"]}, **{"If-Match": '"9"'})
    yield table.move(1, {"type": "play", "cards": ["3S"]})
    yield table.move(1, {"type": "pass"})
    yield table.call("delete", token=table.host)
    yield table.call("get")


def test_no_body_is_to_be_guessed_at_and_nothing_with_a_hand_or_a_token_is_kept(service, store, tried):
    kept = store()
    with service(REDIS_URL=kept.url).client() as client:
        seen = list(answers(client))
        kept.end()
        seen += [
            client.get("/readyz"),
            client.get(f"/v1/games/{'a' * 22}"),
            client.post("/v1/games", json=GAMES["thirteen"]),
        ]
    for answer in seen:
        told = f"{answer.status_code} to {answer.request.method} {answer.request.url}"
        assert answer.headers.get_list("X-Content-Type-Options") == ["nosniff"], told
        path, asked = answer.request.url.path, (answer.request.method, answer.request.url.path)
        if answer.status_code != 405 and (path.startswith("/v1/games") or asked in QUESTIONS):
            assert answer.headers["Cache-Control"] == "no-store", told
    assert {answer.status_code for answer in seen} >= STATUSES
    tried("answers whose headers were looked at", len(seen), 0)


def test_even_what_is_no_request_gets_an_answer_that_is_not_to_be_guessed_at(client):
    answer = exchange(client.base_url.port, request("GET", "/ /"))
    assert answer.status == 400
    assert answer.all("X-Content-Type-Options") == ["nosniff"]
    assert answer.all("Content-Type") == ["application/problem+json"]
    assert locate("components", "examples", "BadRequest", "value")[1] == answer.json()
