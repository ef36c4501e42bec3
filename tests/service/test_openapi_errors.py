"""Every error that openapi.yaml shows for an operation is provoked, and reads exactly as shown."""

import json

import pytest
from redis import Redis

from service.app import create_app
from service.settings import Settings
from tests.service.contract import check, examples, operation, operations
from tests.service.scenes import DRAW, GAMES, LEAD, MOVES, PASS, Scene

PROBLEM = "application/problem+json"
STREAM = "text/event-stream"
POSTS = [one for one in operations() if one.method == "post"]
OF_GAMES = [one for one in operations() if "{id}" in one.path]
ASKED = [one for one in operations() if {"apiKey": []} in one.spec["security"]]
LIMITED = [one for one in operations() if one.path.startswith("/v1/")]
STORED = [one for one in operations() if one.path.startswith("/v1/games") or one.path == "/readyz"]

PAIR = [{"name": "Linh"}, {"name": "Nino"}]

INVALID = {
    ("deal", "round_missing"): {"game": "three_thirteen", "players": 2},
    ("deal", "too_many_players"): {"game": "thirteen", "players": 5},
    ("validatePlay", "no_card"): {"cards": ["11S"]},
    ("validatePlay", "card_twice"): {"cards": ["TS", "10♠"]},
    ("validatePlay", "table_no_combination"): {"cards": ["9S"], "table": ["3S", "4S"]},
    ("validatePlay", "several_faults"): {"cards": [7], "talbe": ["3S"], "rules": {"pass_lock": "no"}},
    ("validatePlayBatch", "no_items"): {"items": []},
    ("listLegalPlaysBatch", "no_items"): {"items": []},
    ("scoreHandBatch", "no_items"): {"items": []},
    ("listLegalPlays", "hand_missing"): {},
    ("listLegalPlays", "unknown_option"): {"hand": ["3S"], "rules": {"bombs": "always"}},
    ("scoreHand", "wrong_hand_size"): {"hand": ["3S", "4S", "5S"], "round": 2},
    ("scoreHand", "round_no_number"): {"hand": ["3S", "4S", "5S"], "round": "1"},
    ("findBestDiscard", "one_card_short"): {"hand": ["3S", "4S", "5S"], "round": 1},
    ("findBestDiscard", "option_out_of_range"): {
        "hand": ["3S", "4S", "5S", "6S"],
        "round": 1,
        "rules": {"leftover_wild": 99},
    },
    ("validateMelds", "too_many_copies"): {
        "hand": ["7S", "7S", "7S"],
        "round": 1,
        "melds": [],
        "rules": {"decks": 2},
    },
    ("validateMelds", "melds_missing"): {"hand": ["7S", "7S", "7S"], "round": 1},
    ("createGame", "name_missing"): {"game": "thirteen", "players": [{"name": "Linh"}, {}]},
    ("createGame", "too_few_decks"): {"game": "three_thirteen", "players": PAIR * 3, "rules": {"decks": 1}},
    ("createGame", "first_seat_not_asked_for"): {"game": "thirteen", "players": PAIR, "first_seat": 1},
    ("makeMove", "unknown_move"): {"type": "fold"},
    ("makeMove", "unknown_field"): {"type": "pass", "cards": ["3S"]},
}
"""By operation and example: the body that is refused with 422."""

ANY_BOMB = {**GAMES["thirteen"], "rules": {"bomb_after_pass": "any"}}
NO_TAKE_BACK = {**GAMES["three_thirteen"], "rules": {"take_back": False}}
THREE = (1, {"type": "play", "cards": ["3S"]})
SEVEN = (2, {"type": "play", "cards": ["7S"]})
TWO = [THREE, PASS, (3, {"type": "play", "cards": ["2D"]}), (0, {"type": "pass"}), (1, {"type": "pass"})]
TAKE = (0, {"type": "draw", "from": "discard"})

REFUSED = {
    "game_over": (GAMES["instant_win"], [], (0, {"type": "pass"})),
    "not_your_turn": (GAMES["thirteen"], [], (0, {"type": "pass"})),
    "wrong_move_for_game": (GAMES["thirteen"], [], (1, MOVES["draw"])),
    "wrong_phase": (GAMES["three_thirteen"], [], (0, {"type": "discard", "card": "7D"})),
    "passed_already": (ANY_BOMB, TWO, (2, {"type": "play", "cards": ["2S"]})),
    "must_lead": (GAMES["thirteen"], [], (1, {"type": "pass"})),
    "card_not_in_hand": (GAMES["thirteen"], [], (1, {"type": "play", "cards": ["3C"]})),
    "not_a_combination": (GAMES["thirteen"], [], (1, {"type": "play", "cards": ["3S", "4D"]})),
    "must_include_card": (GAMES["thirteen"], [], (1, {"type": "play", "cards": ["4D"]})),
    "bomb_does_not_apply": (
        GAMES["thirteen"],
        [THREE],
        (2, {"type": "play", "cards": ["QC", "QD", "KS", "KD", "AD", "AH"]}),
    ),
    "wrong_type": (GAMES["thirteen"], [THREE], (2, {"type": "play", "cards": ["5S", "5C"]})),
    "wrong_size": (GAMES["thirteen"], [LEAD, PASS], (3, {"type": "play", "cards": ["7C", "8H", "9H"]})),
    "too_low": (GAMES["thirteen"], [THREE, SEVEN], (3, {"type": "play", "cards": ["4S"]})),
    "not_a_meld": (
        GAMES["three_thirteen"],
        [DRAW],
        (0, {"type": "go_out", "discard": "4D", "melds": [["7S", "7D"]]}),
    ),
    "cards_left_over": (GAMES["three_thirteen"], [TAKE], (0, {"type": "go_out", "discard": "QH"})),
    "wrong_discard": (GAMES["three_thirteen"], [DRAW], (0, {"type": "go_out", "discard": "7H"})),
    "take_back_forbidden": (NO_TAKE_BACK, [TAKE], (0, {"type": "discard", "card": "QH"})),
}
"""By reason: the game, what was moved before, and the move that is refused with 409."""


OF_EVENTS = {"limit_out_of_range", "wait_out_of_range", "last_event_no_number"}


def shown(one, status):
    """The documented problems of that status, by name."""
    if str(status) not in one.spec["responses"]:
        return {}
    return examples(*one.keys, "responses", str(status), "content", PROBLEM)


def assert_shown(answer, one, status, name):
    assert (answer.status_code, answer.json) == (status, shown(one, status)[name])


def ask(client, one, **options):
    """The operation's answer, whatever it is about."""
    path = one.path.replace("{id}", "8Jf3kQ0nT2uXw5zR7yLhVA").replace("{code}", "too_low")
    return client.open(path, method=one.method, **options)


def send(client, one, **options):
    """The operation's answer; a move is sent by a seat of a game."""
    if one.id != "makeMove":
        return ask(client, one, **options)
    scene = Scene(client, GAMES["thirteen"])
    return scene.ask(one.id, scene.tokens[1], **options)


BY_ID = {"ids": lambda value: getattr(value, "id", value)}


@pytest.mark.parametrize("one", POSTS, **BY_ID)
def test_a_body_that_can_not_be_read(client, one):
    fine = {"content_type": "application/json"}
    assert_shown(send(client, one, data=b'{"cards": [', **fine), one, 400, "malformed_json")
    assert_shown(send(client, one, data=b"{}", content_type="text/plain"), one, 415, "unsupported_media_type")
    limit = 2**20 if one.id.endswith("Batch") else 2**16
    assert_shown(send(client, one, data=b" " * limit, **fine), one, 400, "malformed_json")
    assert_shown(send(client, one, data=b" " * (limit + 1), **fine), one, 413, "body_too_large")
    cut = {"data": b"{}", "environ_overrides": {"CONTENT_LENGTH": "3"}}
    assert_shown(send(client, one, **cut, **fine), one, 400, "bad_request")


@pytest.mark.parametrize(("one", "name"), INVALID, **BY_ID)
def test_a_body_that_does_not_fit(client, one, name):
    one = operation(one)
    assert_shown(send(client, one, json=INVALID[one.id, name]), one, 422, name)


@pytest.mark.parametrize("key", ["", "é", "x" * 256, '""'])
def test_an_idempotency_key_that_is_none(client, key):
    create, move = operation("createGame"), operation("makeMove")
    bad = {"Idempotency-Key": key}
    assert_shown(client.post("/v1/games", json=GAMES["thirteen"], headers=bad), create, 400, "bad_request")
    scene = Scene(client, GAMES["thirteen"])
    assert_shown(scene.ask(move.id, scene.tokens[1], bad, json=MOVES["play"]), move, 400, "bad_request")


def test_an_idempotency_key_that_came_with_another_body(client):
    create, move, key = operation("createGame"), operation("makeMove"), {"Idempotency-Key": "errors"}
    assert client.post("/v1/games", json=GAMES["thirteen"], headers=key).status_code == 201
    again = client.post("/v1/games", json=GAMES["three_thirteen"], headers=key)
    assert_shown(again, create, 422, "idempotency_key_reused")
    scene = Scene(client, GAMES["thirteen"])
    assert scene.ask(move.id, scene.tokens[1], key, json=MOVES["play"]).status_code == 200
    other = scene.ask(move.id, scene.tokens[1], key, json=MOVES["pass"])
    assert_shown(other, move, 422, "idempotency_key_reused")


def test_a_parameter_that_does_not_fit(client):
    one = next(one for one in OF_GAMES if one.id == "listEvents")
    asked = {
        "limit_out_of_range": {"query_string": {"limit": 0}},
        "wait_out_of_range": {"query_string": {"wait": 31}},
        "last_event_no_number": {"headers": {"Accept": STREAM, "Last-Event-ID": "x"}},
    }
    for name, options in asked.items():
        assert_shown(Scene(client, GAMES["thirteen"]).ask(one.id, **options), one, 422, name)
    assert list(shown(one, 422)) == list(asked)


def test_a_code_that_there_is_not(client):
    one = next(one for one in operations() if one.id == "getProblem")
    assert_shown(client.get("/problems/nonsense"), one, 404, "not_found")


@pytest.mark.parametrize("one", OF_GAMES, **BY_ID)
def test_a_game_or_a_token_that_is_not_known(client, one):
    body = {"json": {"type": "pass"}} if one.method == "post" else {}
    assert_shown(ask(client, one, **body), one, 404, "game_not_found")
    scene = Scene(client, GAMES["thirteen"])
    assert_shown(scene.ask(one.id, "x" * 43, **body), one, 401, "unauthorized")
    if "403" in one.spec["responses"]:
        other = scene.tokens[0] if one.id == "deleteGame" else scene.created["host_token"]
        assert_shown(scene.ask(one.id, other, **body), one, 403, "forbidden")


@pytest.fixture(scope="module")
def guarded(redis_url):
    """A client of a service that asks for API keys."""
    return create_app(Settings.from_env({"REDIS_URL": redis_url, "API_KEYS": "k" * 16})).test_client()


@pytest.mark.parametrize("one", ASKED, **BY_ID)
def test_a_key_that_is_not_known(guarded, one):
    for key in ({}, {"X-API-Key": "x" * 16}):
        answer = guarded.open(one.path, method=one.method, headers=key)
        assert_shown(check(answer), one, 401, "unauthorized")
        assert answer.headers["WWW-Authenticate"] == "ApiKey"


@pytest.fixture(scope="module")
def busy():
    """A client of a service that answers one request of an address a day."""
    limited = {"REDIS_URL": "unix:///nowhere.sock", "RATE_LIMIT": "1/day", "LOG_LEVEL": "error"}
    return create_app(Settings.from_env(limited)).test_client()


@pytest.mark.parametrize("one", LIMITED, **BY_ID)
def test_a_request_too_many(busy, one):
    caller = {"environ_base": {"REMOTE_ADDR": one.id}}
    assert ask(busy, one, **caller).status_code != 429
    answer = check(ask(busy, one, **caller))
    wait = answer.json["params"]["retry_after"]
    assert 86_000 < wait <= 86_400 == int(answer.headers["Retry-After"]) + 86_400 - wait
    assert json.loads(answer.text.replace(str(wait), "86400")) == shown(one, 429)["rate_limited"]


@pytest.mark.parametrize("name", REFUSED)
def test_a_move_that_is_refused(client, name):
    game, moves, (seat, move) = REFUSED[name]
    one = next(one for one in OF_GAMES if one.id == "makeMove")
    assert_shown(Scene(client, game, moves).move(seat, move), one, 409, name)
    assert set(shown(one, 409)) == set(REFUSED)


def test_a_move_for_a_version_that_is_past(client):
    one = next(one for one in OF_GAMES if one.id == "makeMove")
    scene = Scene(client, GAMES["thirteen"], [LEAD])
    answer = scene.ask(one.id, scene.tokens[2], {"If-Match": '"1"'}, json={"type": "pass"})
    assert_shown(answer, one, 412, "stale_version")


@pytest.fixture(scope="module")
def lonely():
    """A client of a service whose store is not there."""
    return create_app(Settings.from_env({"REDIS_URL": "unix:///nowhere.sock"})).test_client()


@pytest.mark.parametrize("one", STORED, **BY_ID)
def test_a_store_that_does_not_answer(lonely, one):
    body = GAMES["thirteen"] if one.id == "createGame" else {"type": "pass"}
    answer = ask(lonely, one, json=body) if one.method == "post" else ask(lonely, one)
    assert_shown(check(answer), one, 503, "store_unavailable")


@pytest.mark.parametrize("one", [one for one in OF_GAMES if "unsupported_state" in shown(one, 503)], **BY_ID)
def test_a_game_that_a_newer_version_has_saved(client, redis_url, one):
    scene = Scene(client, GAMES["thirteen"])
    with Redis.from_url(redis_url) as store:
        store.hset(f"g:{{{scene.created['id']}}}:state", "state", b'{"format": 2}')
    body = {"json": {"type": "pass"}} if one.method == "post" else {}
    assert_shown(scene.ask(one.id, scene.tokens[1], **body), one, 503, "unsupported_state")


@pytest.fixture(scope="module")
def broken(redis_url):
    """A client of a service that fails at every request."""
    app = create_app(Settings.from_env({"REDIS_URL": redis_url, "LOG_LEVEL": "error"}))

    @app.before_request
    def fail():
        raise RuntimeError("for the test")

    return app.test_client()


@pytest.mark.parametrize("one", operations(), **BY_ID)
def test_a_service_that_fails(broken, one):
    assert_shown(check(ask(broken, one)), one, 500, "internal_error")


def test_every_documented_error_is_one_of_these():
    provoked = {
        400: {"malformed_json", "bad_request"},
        401: {"unauthorized"},
        403: {"forbidden"},
        404: {"not_found", "game_not_found"},
        409: set(REFUSED),
        412: {"stale_version"},
        413: {"body_too_large"},
        415: {"unsupported_media_type"},
        422: {name for _, name in INVALID} | {"idempotency_key_reused"} | OF_EVENTS,
        429: {"rate_limited"},
        500: {"internal_error"},
        503: {"store_unavailable", "too_many_streams", "unsupported_state"},
    }
    for one in operations():
        for status in map(int, one.spec["responses"]):
            assert status < 400 or set(shown(one, status)) <= provoked[status]
    of_bodies = {(one.id, name) for one in POSTS for name in shown(one, 422)}
    of_keys = {(name, "idempotency_key_reused") for name in ("createGame", "makeMove")}
    assert of_bodies == set(INVALID) | of_keys
