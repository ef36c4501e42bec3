"""Idempotency-Key: a request sent again, however often and at whatever moment, is carried out once."""

import json
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.driver import Table
from tests.faults.servers import Service

GAMES = [("thirteen", 3), ("three_thirteen", 2)]
NEW = {"game": "thirteen", "players": [{"name": "An"}, {"name": "Binh"}]}
OTHER = NEW | {"players": [{"name": "An"}, {"name": "Chau"}]}
AT_ONCE = 20
SEED = "07" * 32


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A service with three workers and a store of its own, shared by the tests here."""
    with Service(tmp_path_factory.mktemp("once") / "service", WEB_CONCURRENCY="3") as service:
        yield service


@pytest.fixture
def client(running):
    with running.client() as client:
        yield client


@pytest.fixture(params=GAMES, ids=lambda param: param[0])
def table(client, request):
    return Table(client, *request.param, seed=SEED)


def new_key():
    return {"Idempotency-Key": str(uuid.uuid4())}


def create(client, body=NEW, **headers):
    return client.post("/v1/games", json=body, headers=headers)


def mover(table):
    """The seat to move, and the moves it may make."""
    seat = table.get()["turn"]
    return seat, table.moves(seat)


def told(answer):
    """All of an answer that has to be the same when it is given again."""
    return answer.status_code, answer.content, answer.headers["ETag"], answer.headers.get("Location")


def replayed(answer):
    return answer.headers.get("Idempotent-Replayed") == "true"


def refused(answer, status, code):
    return (answer.status_code, answer.json()["code"]) == (status, code)


def versions(table):
    """The versions that the game's events tell of, each once."""
    found = Counter(event["version"] for event in table.get("/events?limit=1000")["events"])
    return sorted(found)


def at_once(service, sends):
    """The answers to requests sent at the same time, each on a connection of its own."""
    clients = [service.client() for _ in sends]
    try:
        with ThreadPoolExecutor(len(sends)) as pool:
            assert {answer.status_code for answer in pool.map(lambda one: one.get("/livez"), clients)} == {
                200
            }
            return list(pool.map(lambda send, one: send(one), sends, clients))
    finally:
        for one in clients:
            one.close()


def test_a_creation_sent_again_gives_the_same_game_and_tokens(client):
    key = new_key()
    first, *others = [create(client, **key) for _ in range(4)]
    assert first.status_code == 201
    assert not replayed(first)
    assert all(replayed(again) and told(again) == told(first) for again in others)
    token = first.json()["seats"][1]["token"]
    view = client.get(first.headers["Location"], headers={"Authorization": f"Bearer {token}"}).json()
    assert (view["version"], view["you"]["seat"]) == (1, 1)


def test_a_move_sent_again_is_made_once_whatever_was_played_since(table):
    seat, moves = mover(table)
    key = new_key()
    first = table.move(seat, moves[0], **key, **{"If-Match": '"1"'})
    assert first.status_code == 200
    for version in range(2, 6):
        again = table.move(seat, moves[0], **key, **{"If-Match": '"1"'})
        assert replayed(again)
        assert told(again) == told(first)
        assert table.get()["version"] == version
        other, others_moves = mover(table)
        assert table.move(other, others_moves[0]).status_code == 200
    assert versions(table) == [1, 2, 3, 4, 5, 6]


def test_what_counts_is_the_body_not_how_it_is_written(table):
    seat, moves = mover(table)
    key = new_key()
    first = table.move(seat, moves[0], **key)
    rewritten = json.dumps(dict(reversed(moves[0].items())), indent=2)
    headers = key | {"Content-Type": "application/json"}
    again = table.call("post", "/moves", seat, content=rewritten, headers=headers)
    assert replayed(again)
    assert told(again) == told(first)


def test_twenty_creations_at_once_make_one_game(running, times, tried):
    rounds = times(2, 25)
    for _ in range(rounds):
        key = new_key()
        answers = at_once(running, [lambda one, key=key: create(one, **key)] * AT_ONCE)
        assert {answer.status_code for answer in answers} == {201}
        assert len(set(map(told, answers))) == 1
        assert Counter(map(replayed, answers)) == {False: 1, True: AT_ONCE - 1}
    tried("20 creations at once with the same key", rounds, 0, "one game, the same bytes for all")


def test_twenty_moves_at_once_are_made_once(running, table, times, tried):
    rounds = times(2, 25)
    for version in range(2, 2 + rounds):
        seat, moves = mover(table)
        answers = at_once(running, [mover_of(table, seat, moves[0], new_key())] * AT_ONCE)
        assert {answer.status_code for answer in answers} == {200}
        assert len(set(map(told, answers))) == 1
        assert Counter(map(replayed, answers)) == {False: 1, True: AT_ONCE - 1}
        assert answers[0].json()["version"] == version
    assert versions(table) == list(range(1, 2 + rounds))
    tried("20 moves at once with the same key", rounds, 0, "made once, the same bytes for all")


def mover_of(table, seat, move, key):
    return lambda one: table.through(one).move(seat, move, **key)


def test_of_two_bodies_at_once_with_one_key_one_is_carried_out(running, client, times):
    for _ in range(times(2, 25)):
        table, key = Table(client, "thirteen", 2, seed=SEED), new_key()
        seat, moves = mover(table)
        sends = [mover_of(table, seat, move, key) for move in moves[:2]] * 5
        answers = at_once(running, sends)
        assert {answer.status_code for answer in answers} == {200, 422}
        assert len({told(answer) for answer in answers if answer.status_code == 200}) == 1
        assert table.get()["version"] == 2


def test_the_same_key_with_another_body_is_refused(table):
    seat, moves = mover(table)
    key = new_key()
    assert create(table.client, **key).status_code == 201
    assert refused(create(table.client, OTHER, **key), 422, "idempotency_key_reused")
    assert table.move(seat, moves[0], **key).status_code == 200
    assert refused(table.move(seat, {"type": "pass"}, **key), 422, "idempotency_key_reused")
    assert versions(table) == [1, 2]


def test_a_key_is_its_callers_own(table):
    """For other seats, in other games, and with other API keys the same key is another one."""
    key, seats = new_key(), set()
    while len(seats) < len(table.tokens):
        seat, moves = mover(table)
        answer = table.move(seat, moves[0], **({} if seat in seats else key))
        assert (answer.status_code, replayed(answer)) == (200, False)
        seats.add(seat)
    twin = Table(table.client, *GAMES[0], seed=SEED)
    seat, moves = mover(twin)
    assert not replayed(twin.move(seat, moves[0], **key))
    callers = [{"X-API-Key": name * 16} for name in "abc"]
    made = [create(table.client, **key, **caller) for caller in callers]
    assert len({answer.json()["id"] for answer in made}) == len(callers)


def test_nobody_is_given_an_answer_for_knowing_the_key(table):
    seat, moves = mover(table)
    key = new_key()
    assert table.move(seat, moves[0], **key).status_code == 200
    strangers = [(None, 401, "unauthorized"), ("x" * 43, 401, "unauthorized"), (table.host, 403, "forbidden")]
    for token, status, code in strangers:
        answer = table.call("post", "/moves", token=token, json=moves[0], headers=key)
        assert refused(answer, status, code)
    neighbour = table.move((seat + 1) % len(table.tokens), moves[0], **key)
    assert neighbour.status_code == 409
    assert not replayed(neighbour)


def test_a_refused_move_is_not_kept(table):
    """The same key and body are judged anew, and carried out once the game allows it."""
    seat, moves = mover(table)
    assert table.move(seat, moves[0]).status_code == 200
    turn, moves = mover(table)
    waiting = (turn + 1) % len(table.tokens)
    move = {"thirteen": {"type": "pass"}, "three_thirteen": {"type": "draw", "from": "stock"}}
    move, key = move[table.created["state"]["game"]], new_key()
    assert refused(table.move(waiting, {"type": "play", "cards": ["99"]}, **key), 422, "invalid_request")
    for _ in range(2):
        assert refused(table.move(waiting, move, **key), 409, "not_your_turn")
    assert table.move(turn, moves[-1]).status_code == 200
    made = [table.move(waiting, move, **key) for _ in range(2)]
    assert [(answer.status_code, replayed(answer)) for answer in made] == [(200, False), (200, True)]
    assert versions(table) == [1, 2, 3, 4]


@pytest.mark.parametrize("key", ["", '""', "x" * 256, "tab\tin it", "d\u00e9j\u00e0"], ids=repr)
def test_a_malformed_key_is_refused(client, key):
    table = Table(client, "thirteen", 2, seed=SEED)
    seat, moves = mover(table)
    raw = {"Idempotency-Key": key.encode("latin-1")}
    assert refused(table.move(seat, moves[0], **raw), 400, "bad_request")
    assert refused(create(client, **raw), 400, "bad_request")
    assert versions(table) == [1]


@pytest.mark.parametrize(("key", "same"), [("x" * 255, None), ("a-b_c.d", '"a-b_c.d"'), ("a b", "a b")])
def test_a_key_is_any_printable_text_quoted_or_not(client, key, same):
    table = Table(client, "thirteen", 2, seed=SEED)
    seat, moves = mover(table)
    first = table.move(seat, moves[0], **{"Idempotency-Key": key})
    again = table.move(seat, moves[0], **{"Idempotency-Key": same or key})
    assert replayed(again)
    assert told(again) == told(first)
