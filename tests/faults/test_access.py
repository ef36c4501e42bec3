"""Who may do what: every operation of openapi.yaml, with every kind of token and of API key."""

import hmac
import secrets
from itertools import product

import httpx
import pytest

from service.app import create_app
from service.auth import Unauthorized, digest, identify
from service.settings import Settings
from tests.driver import Table
from tests.faults.effort import builtins_called
from tests.faults.servers import Service
from tests.service.contract import examples, operations
from tests.service.scenes import JSON, MOVES

KEY, OTHER_KEY = "the-right-key-0123456789", "another-right-key-456789"
SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
"""That of the examples: of four players seat 1 leads."""

TOKENS = ("none", "garbage", "no bearer", "another game's", "another seat's", "own", "host")
KEYS = {"missing": {}, "wrong": {"X-API-Key": KEY[::-1]}, "right": {"X-API-Key": KEY}}

OPEN = {"getService", "getLiveness", "getReadiness", "getMetrics", "getOpenApi"}
OPEN |= {"getDocs", "getAsset", "listProblems", "getProblem"}
OPEN |= {"listRules", "getThirteenRules", "getThreeThirteenRules"}
ASKING = {
    "deal",
    "validatePlay",
    "validatePlayBatch",
    "listLegalPlays",
    "listLegalPlaysBatch",
    "scoreHand",
    "scoreHandBatch",
    "findBestDiscard",
    "validateMelds",
    "createGame",
}
LOOKING = {"getGame", "listEvents"}
PLAYING = {"makeMove", "listLegalMoves"}
HOSTING = {"deleteGame"}

DONE = {"createGame": 201, "deleteGame": 204}


def expected(id_, token, key):
    """The status that the operation has for this caller: the rules of access, whole."""
    done = DONE.get(id_, 200)
    known = token in ("another seat's", "own", "host")
    if id_ in OPEN:
        return done
    if id_ in ASKING:
        return done if key == "right" else 401
    if id_ in LOOKING:
        return done if known or token == "none" else 401
    assert id_ in PLAYING | HOSTING
    if not known:
        return 401
    if (token == "host") != (id_ in HOSTING):
        return 403
    return 409 if (id_, token) == ("makeMove", "another seat's") else done


def authorization(token, table, other):
    """The header fields of a caller with that kind of token, at that table; `other` is another one."""
    given = {
        "garbage": f"Bearer {secrets.token_urlsafe(32)}",
        "no bearer": table.tokens[1],
        "another game's": f"Bearer {other.tokens[1]}",
        "another seat's": f"Bearer {table.tokens[2]}",
        "own": f"Bearer {table.tokens[1]}",
        "host": f"Bearer {table.host}",
    }
    return {"Authorization": given[token]} if token in given else {}


def ask(client, one, table, headers):
    """The operation's answer at that table, with an example for its body."""
    path = one.path.replace("/v1/games/{id}", table.path).replace("{code}", "too_low")
    path = path.replace("{name}", "page.css")
    body = None
    if one.id == "makeMove":
        body = MOVES["play"]
    elif "requestBody" in one.spec:
        body = next(iter(examples(*one.keys, "requestBody", "content", JSON).values()))
    return client.request(one.method, path, headers=headers, json=body)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A service that asks for API keys."""
    with Service(tmp_path_factory.mktemp("service"), API_KEYS=f"{OTHER_KEY}, {KEY}") as guarded:
        yield guarded


def test_every_operation_has_a_rule():
    ruled = [*OPEN, *ASKING, *LOOKING, *PLAYING, *HOSTING]
    assert sorted(ruled) == sorted(one.id for one in operations())


def test_every_operation_with_every_token_and_every_key(guarded, tried):
    wrong = {}
    cells = list(product(operations(), TOKENS, KEYS))
    with guarded.client(headers=KEYS["right"]) as host, guarded.client() as client:
        other = Table(host, "thirteen", 4, seed=SEED)
        for one, token, key in cells:
            table = Table(host, "thirteen", 4, seed=SEED)
            answer = ask(client, one, table, authorization(token, table, other) | KEYS[key])
            due = expected(one.id, token, key)
            refused = due in (401, 403)
            unchanged = not refused or table.get()["version"] == 1
            silent = not refused or set(answer.json()) == {"type", "title", "status", "detail", "code"}
            challenged = answer.headers.get("WWW-Authenticate") == challenge(one.id, due)
            if answer.status_code != due or not (unchanged and silent and challenged):
                wrong[one.id, token, key] = (answer.status_code, due, answer.text[:100])
    assert wrong == {}
    tried("cells of the access matrix", len(cells), 0)


def challenge(id_, status):
    """What a 401 says is missing (RFC 9110, 11.6.1)."""
    if status != 401:
        return None
    return "ApiKey" if id_ in ASKING else "Bearer"


def test_each_key_of_several_is_right(guarded):
    for key in (KEY, OTHER_KEY):
        answer = httpx.post(
            f"{guarded.address}/v1/deals", json={"game": "thirteen", "players": 2}, headers={"X-API-Key": key}
        )
        assert answer.status_code == 200


def test_a_game_shows_a_seat_its_own_hand_and_nobody_elses(guarded):
    with guarded.client(headers=KEYS["right"]) as client:
        table = Table(client, "thirteen", 4, seed=SEED)
        hands = [table.get(seat=seat)["you"] for seat in range(4)]
        assert [you["seat"] for you in hands] == [0, 1, 2, 3]
        assert len({card for you in hands for card in you["hand"]}) == 52
        assert "you" not in table.get()
        assert "you" not in table.call("get", token=table.host).json()


def stored(redis):
    """Every key of a store and every value, as bytes."""
    parts = []
    for key in redis.scan_iter():
        parts.append(key)
        match redis.type(key):
            case b"hash":
                parts += [part for pair in redis.hgetall(key).items() for part in pair]
            case b"stream":
                fields = [fields for _, fields in redis.xrange(key)]
                parts += [part for entry in fields for pair in entry.items() for part in pair]
            case b"string":
                parts.append(redis.get(key))
            case kind:
                raise AssertionError(f"{key} is a {kind}: look into it here")
    return b"\n".join(parts)


def test_no_token_and_no_key_is_stored(service, store, times, tried):
    """Games made with an `Idempotency-Key` and without, played with one; their answers are kept, too."""
    kept = store()
    running = service(REDIS_URL=kept.url, API_KEYS=KEY, RATE_LIMIT="1000000/second")
    secret, digests = [KEY], []
    with running.client(headers=KEYS["right"]) as client:
        for number in range(times(10, 100)):
            key = {"Idempotency-Key": f"create-{secrets.token_hex(8)}"} if number % 2 else {}
            client.headers.update(key)
            table = Table(client, ("thirteen", "three_thirteen")[number % 2], 2)
            client.headers.pop("Idempotency-Key", None)
            turn = table.created["state"]["turn"]
            move = {"Idempotency-Key": f"move-{secrets.token_hex(8)}"}
            assert table.move(turn, table.moves(turn)[0], **move).status_code == 200
            secret += [*key.values(), *move.values(), table.host, *table.tokens]
            digests.append(digest(table.host))
    with kept.client() as redis:
        found = stored(redis)
    assert [word for word in secret if word.encode() in found] == []
    assert [word for word in digests if word.encode() not in found] == []
    tried("secrets searched for in the store", len(secret), 0)


@pytest.mark.parametrize("place", [*range(5), None])
def test_a_token_is_compared_with_all_of_the_game_in_constant_time(place):
    """So the time it takes says neither whether there was a match, nor where, nor how much was right."""
    tokens = [f"token {number}" for number in range(5)]
    host, *seats = map(digest, tokens)
    with builtins_called() as called:
        try:
            caller = identify(f"Bearer {tokens[place] if place is not None else 'x'}", seats, host)
        except Unauthorized:
            caller = None
    assert called[hmac.compare_digest] == 5
    assert (caller is None) == (place is None)


@pytest.mark.parametrize("key", [KEY, OTHER_KEY, "x"])
def test_an_api_key_is_compared_with_all_there_are_in_constant_time(key):
    """A question needs no store, so this service has none."""
    settings = Settings.from_env({"REDIS_URL": "unix:///nowhere.sock", "API_KEYS": f"{KEY},{OTHER_KEY}"})
    client = create_app(settings).test_client()
    with builtins_called() as called:
        client.post("/v1/deals", headers={"X-API-Key": key})
    assert called[hmac.compare_digest] == 2
