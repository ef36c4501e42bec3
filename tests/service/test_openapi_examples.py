"""Every request that openapi.yaml shows is sent, and gives the answer that stands beside it."""

import re

import pytest
import yaml

from tests.service import contract
from tests.service.contract import examples, operation, operations
from tests.service.scenes import DRAW, GAMES, JSON, LAST, LAST_DRAW, LEAD, MOVES, OUT, PASS, Scene, tamed

QUESTIONS = [
    (one, name)
    for one in operations()
    if "requestBody" in one.spec and one.id not in ("createGame", "makeMove")
    for name in examples(*one.keys, "requestBody", "content", JSON)
]

DOCUMENT, NUMBERS = operation("getOpenApi"), operation("getMetrics")
GETS = [
    one
    for one in operations()
    if one.method == "get" and one not in (DOCUMENT, NUMBERS) and not one.path.startswith("/v1/games")
]
PLAIN = [one for one in GETS if JSON in one.response(200)[1]["content"]]
TEXTS = [
    (one, media, begins)
    for one in GETS
    for media in one.response(200)[1]["content"]
    if media != JSON
    for begins in examples(*one.keys, "responses", "200", "content", media).values()
]
FILES = {"text/javascript": "docs.js", "text/css": "page.css"}

THREE = (1, {"type": "play", "cards": ["3S"]})
SEVEN = (2, {"type": "play", "cards": ["7S"]})

MADE = {
    "play": ("thirteen", [], 1),
    "pass": ("thirteen", [LEAD], 2),
    "draw": ("three_thirteen", [], 0),
    "discard": ("three_thirteen", [DRAW, OUT, LAST_DRAW], 1),
    "go_out": ("three_thirteen", [DRAW], 0),
}
"""By move: the game, what was moved before, and the seat."""

SEEN = {
    ("getGame", "thirteen_spectator"): ("thirteen", [LEAD], None),
    ("getGame", "thirteen_seat"): ("thirteen", [LEAD, PASS], 3),
    ("getGame", "thirteen_finished"): ("instant_win", [], None),
    ("getGame", "three_thirteen_seat"): ("three_thirteen", [DRAW], 0),
    ("listLegalMoves", "to_follow"): ("thirteen", [LEAD, PASS], 3),
    ("listLegalMoves", "to_draw"): ("three_thirteen", [], 0),
    ("listLegalMoves", "others_turn"): ("three_thirteen", [], 1),
    ("listEvents", "thirteen"): ("thirteen", [LEAD, PASS], 2),
    ("listEvents", "instant_win"): ("instant_win", [], None),
    ("listEvents", "three_thirteen"): ("three_thirteen", [DRAW, OUT, LAST_DRAW, LAST], None),
}
"""By operation and example: the game, what was moved before, and the seat that looks (None: a spectator)."""

STREAM = "text/event-stream"
STREAMED = {"finished": {}, "reset": {"Last-Event-ID": "3"}}
"""By example of a stream, all of a game that an instant win has finished: the header fields sent besides."""


def shown(one, name, status=200):
    """The documented answer."""
    return examples(*one.keys, "responses", str(status), "content", JSON)[name]


@pytest.mark.parametrize(("one", "name"), QUESTIONS, ids=lambda value: getattr(value, "id", value))
def test_a_question_has_its_documented_answer(client, one, name):
    body = examples(*one.keys, "requestBody", "content", JSON)[name]
    answer = client.post(one.path, json=body)
    assert (answer.status_code, answer.json) == (200, shown(one, name))


@pytest.mark.parametrize("one", PLAIN, ids=lambda one: one.id)
def test_what_takes_nothing_gives_its_documented_answer(client, one):
    answer = client.get(one.path.replace("{code}", "too_low"))
    assert answer.status_code == 200
    assert [answer.json] == list(examples(*one.keys, "responses", "200", "content", JSON).values())


@pytest.mark.parametrize(("one", "media", "begins"), TEXTS, ids=lambda value: getattr(value, "id", None))
def test_a_page_and_a_file_begin_as_documented(client, one, media, begins):
    path = one.path.replace("{code}", "too_low").replace("{name}", FILES.get(media, ""))
    answer = client.get(path, headers={"Accept": media})
    assert (answer.status_code, answer.mimetype) == (200, media)
    assert answer.text.startswith(begins)


def test_the_document_begins_as_documented(client):
    begins = examples(*DOCUMENT.keys, "responses", "200", "content", "application/yaml")["beginning"]
    served = yaml.safe_load(client.get(DOCUMENT.path).text)
    assert served["openapi"] == begins["openapi"]
    assert served["info"].items() >= begins["info"].items()


def test_the_numbers_are_named_as_documented(client):
    """Every line that is shown but its number, after a move that was made and one that was refused."""
    scene = Scene(client, GAMES["thirteen"], [THREE, SEVEN])
    assert scene.move(3, {"type": "play", "cards": ["4S"]}).json["code"] == "too_low"
    shown_lines = examples(*NUMBERS.keys, "responses", "200", "content", "text/plain")["some"].splitlines()
    served = client.get(NUMBERS.path).text.splitlines()
    known = {line if line[0] == "#" else line.rpartition(" ")[0] for line in served}
    assert {line if line[0] == "#" else line.rpartition(" ")[0] for line in shown_lines} <= known


@pytest.mark.parametrize("name", GAMES)
def test_a_game_begins_as_documented(client, name):
    answer = client.post("/v1/games", json=GAMES[name])
    assert answer.status_code == 201
    assert tamed(answer.json) == tamed(shown(operation("createGame"), name, 201))


@pytest.mark.parametrize("name", MOVES)
def test_a_move_brings_what_is_documented(client, name):
    game, moves, seat = MADE[name]
    answer = Scene(client, GAMES[game], moves).move(seat, MOVES[name])
    assert answer.status_code == 200
    assert tamed(answer.json) == tamed(shown(operation("makeMove"), name))


@pytest.mark.parametrize(("operation_id", "name"), SEEN, ids=lambda value: value)
def test_a_game_is_seen_as_documented(client, operation_id, name):
    game, moves, seat = SEEN[operation_id, name]
    scene = Scene(client, GAMES[game], moves)
    answer = scene.ask(operation_id, None if seat is None else scene.tokens[seat])
    assert answer.status_code == 200
    assert tamed(answer.json) == tamed(shown(operation(operation_id), name))


@pytest.mark.parametrize("name", STREAMED)
def test_a_stream_reads_as_documented(client, name):
    scene = Scene(client, GAMES["instant_win"])
    answer = scene.ask("listEvents", headers={"Accept": STREAM, **STREAMED[name]})
    assert answer.status_code == 200
    text = examples(*operation("listEvents").keys, "responses", "200", "content", STREAM)[name]
    assert tamed_text(answer.text) == tamed_text(text)


def tamed_text(stream):
    """The text of a stream without what differs from one game to the next."""
    return re.sub(r'"at":"[^"]+"', '"at":"…"', stream)


def test_every_documented_success_is_one_of_these():
    documented = {
        (one.id, name)
        for one in operations()
        for status in ("200", "201")
        if status in one.spec["responses"]
        for media in one.response(int(status))[1]["content"]
        for name in examples(*one.keys, "responses", status, "content", media)
    }
    sent = {(one.id, name) for one, name in QUESTIONS}
    plain = {(one_id, name) for one_id, name in documented if operation(one_id) in [*GETS, DOCUMENT, NUMBERS]}
    games = {("createGame", name) for name in GAMES} | {("makeMove", name) for name in MADE} | set(SEEN)
    assert documented == sent | plain | games | {("listEvents", name) for name in STREAMED}


def test_an_example_of_a_game_tells_one_story():
    made = {name: shown(operation("createGame"), name, 201) for name in GAMES}
    ids = {game["id"] for game in made.values()}
    assert len(ids) == len(GAMES)
    tokens = [seat["token"] for game in made.values() for seat in game["seats"]]
    tokens += [game["host_token"] for game in made.values()]
    assert len(set(tokens)) == len(tokens)
    for one_id, name in SEEN:
        if one_id == "getGame":
            state = shown(operation(one_id), name)
            assert state["id"] == made[SEEN[one_id, name][0]]["id"]
            assert state["created_at"] <= state["updated_at"]
    assert contract.examples("components", "parameters", "GameId")["game"] in ids
