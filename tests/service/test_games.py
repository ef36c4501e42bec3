"""Stored games: creating, looking, moving, versions, events, deleting; who may do what."""

import random

import pytest

from rules.shuffle import commitment
from tests.driver import Table

SEED = "07" * 32
GAMES = [("thirteen", 3), ("three_thirteen", 2)]


@pytest.fixture(params=GAMES, ids=lambda param: param[0])
def table(client, request):
    return Table(client, *request.param, seed=SEED)


def code(answer, status):
    assert answer.status_code == status, answer.text
    return answer.get_json()["code"]


def mover(table):
    """The seat to move and a move it may make."""
    seat = table.get()["turn"]
    return seat, table.moves(seat)[0]


def test_a_new_game_is_created_with_its_address_and_tokens(table):
    made, answer = table.created, table.answer
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/v1/games/{made['id']}"
    assert answer.headers["ETag"] == '"1"'
    assert made["version"] == made["state"]["version"] == 1
    assert made["commitment"] == commitment(bytes.fromhex(SEED)) == made["state"]["commitment"]
    assert len({made["host_token"], *table.tokens}) == len(table.tokens) + 1
    assert [(seat["seat"], seat["name"]) for seat in made["seats"]] == [
        (n, f"Player {n}") for n in range(len(table.tokens))
    ]
    assert made["state"] == table.get()


def test_games_without_a_seed_are_dealt_differently(client):
    assert len({Table(client, "thirteen", 2).created["commitment"] for _ in range(10)}) == 10


def test_a_seat_sees_its_hand_and_a_spectator_and_the_host_see_none(table):
    hands = [table.get(seat=seat)["you"] for seat in range(len(table.tokens))]
    assert [you["seat"] for you in hands] == list(range(len(table.tokens)))
    assert [len(you["hand"]) for you in hands] == [player["cards"] for player in table.get()["players"]]
    assert "you" not in table.get()
    host = table.call("get", token=table.host)
    assert host.get_json() == table.get()


def test_what_a_token_shows_is_kept_by_no_cache(table):
    for answer in (table.call("get", seat=0), table.call("get", "/legal-moves", 0), table.answer):
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Authorization" in answer.headers["Vary"]


def test_a_look_with_the_current_etag_is_not_modified(table):
    assert table.call("get", headers={"If-None-Match": '"1"'}).status_code == 304
    assert table.call("get", headers={"If-None-Match": 'W/"1"'}).status_code == 304
    assert table.call("get", headers={"If-None-Match": '"0", "1"'}).status_code == 304
    assert table.call("get", headers={"If-None-Match": '"0"'}).status_code == 200
    seat, move = mover(table)
    table.move(seat, move)
    assert table.call("get", headers={"If-None-Match": '"1"'}).headers["ETag"] == '"2"'


@pytest.mark.parametrize("token", ["x", "x" * 43])
def test_a_token_of_another_game_or_of_none_is_unauthorized(client, table, token):
    other = Table(client, "thirteen", 2)
    for bad in (token, other.host, other.tokens[0]):
        for method, path in (("get", ""), ("get", "/legal-moves"), ("get", "/events"), ("delete", "")):
            answer = table.call(method, path, token=bad)
            assert code(answer, 401) == "unauthorized"
            assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert code(table.call("post", "/moves", token=bad, json={"type": "pass"}), 401) == "unauthorized"


def test_moves_are_for_seats_and_deleting_is_for_the_host(table):
    assert code(table.call("post", "/moves", json={"type": "pass"}), 401) == "unauthorized"
    assert code(table.call("post", "/moves", token=table.host, json={"type": "pass"}), 403) == "forbidden"
    assert code(table.call("get", "/legal-moves"), 401) == "unauthorized"
    assert code(table.call("get", "/legal-moves", token=table.host), 403) == "forbidden"
    assert code(table.call("delete"), 401) == "unauthorized"
    assert code(table.call("delete", seat=0), 403) == "forbidden"


def test_a_deleted_game_is_gone_for_everyone(table):
    assert table.call("delete", token=table.host).status_code == 204
    for answer in (
        table.call("get"),
        table.call("get", seat=0),
        table.call("get", "/events"),
        table.call("delete", token=table.host),
        table.move(0, {"type": "pass"}),
    ):
        assert code(answer, 404) == "game_not_found"


@pytest.mark.parametrize("game_id", ["x", "..", "{x}", "x" * 500, "a%0d%0ab", "%00", "ꙮ"])
def test_an_id_that_is_none_is_not_found(client, game_id):
    assert client.get(f"/v1/games/{game_id}").status_code == 404


def test_a_move_is_answered_with_its_events_and_the_seats_view(table):
    seat, move = mover(table)
    answer = table.move(seat, move)
    body = answer.get_json()
    assert answer.headers["ETag"] == '"2"'
    assert body["version"] == body["state"]["version"] == 2
    assert body["state"] == table.get(seat=seat)
    assert body["events"] == table.get("/events?after=1", seat)["events"]
    assert {event["version"] for event in body["events"]} == {2}


def test_a_refused_move_changes_nothing(table):
    before = table.get()
    seat = (before["turn"] + 1) % len(table.tokens)
    answer = table.move(seat, table.moves(before["turn"])[0])
    assert code(answer, 409) == "not_your_turn"
    assert answer.get_json()["params"]["turn"] == before["turn"]
    assert table.get() == before


def test_a_move_of_the_other_game_is_refused_in_its_turn(table):
    turn = table.get()["turn"]
    other = {"thirteen": {"type": "draw", "from": "stock"}, "three_thirteen": {"type": "pass"}}
    move = other[table.created["state"]["game"]]
    assert code(table.move(turn, move), 409) == "wrong_move_for_game"
    assert code(table.move((turn + 1) % len(table.tokens), move), 409) == "not_your_turn"


def test_legal_moves_are_for_the_seat_whose_turn_it_is(table):
    turn = table.get()["turn"]
    assert table.moves(turn)
    assert table.moves((turn + 1) % len(table.tokens)) == []


@pytest.mark.parametrize(
    ("header", "status"),
    [('"1"', 200), ("*", 200), ('"0", "1"', 200), ('"2"', 412), ('W/"1"', 412), ("junk", 412)],
)
def test_if_match_is_honoured(table, header, status):
    seat, move = mover(table)
    answer = table.move(seat, move, **{"If-Match": header})
    assert answer.status_code == status
    if status == 412:
        assert (answer.get_json()["code"], answer.get_json()["params"]) == ("stale_version", {"version": 1})
        assert table.get()["version"] == 1


@pytest.mark.parametrize(
    ("move", "fault"),
    [
        ({}, ("/type", "missing_field")),
        ({"type": "fold"}, ("/type", "invalid_value")),
        ({"type": 1}, ("/type", "invalid_type")),
        ({"type": "play"}, ("/cards", "missing_field")),
        ({"type": "play", "cards": []}, ("/cards", "out_of_range")),
        ({"type": "play", "cards": ["3S", "3s"]}, ("/cards/1", "duplicate_card")),
        ({"type": "pass", "cards": ["3S"]}, ("/cards", "unknown_field")),
        ({"type": "draw"}, ("/from", "missing_field")),
        ({"type": "draw", "from": "hand"}, ("/from", "invalid_value")),
        ({"type": "draw", "source": "stock"}, ("/source", "unknown_field")),
        ({"type": "discard", "card": "1S"}, ("/card", "invalid_card")),
        ({"type": "go_out"}, ("/discard", "missing_field")),
        ({"type": "go_out", "discard": "3S", "melds": [["3S", 4]]}, ("/melds/0/1", "invalid_type")),
        ({"type": "go_out", "discard": "3S", "melds": [[]]}, ("/melds/0", "out_of_range")),
    ],
)
def test_malformed_moves_are_told_where_and_why(table, move, fault):
    answer = table.move(0, move)
    assert code(answer, 422) == "invalid_request"
    assert fault in [(error["pointer"], error["code"]) for error in answer.get_json()["errors"]]
    assert table.get()["version"] == 1


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"game": "chess"}, ("/game", "invalid_value")),
        ({"game": "thirteen"}, ("/players", "missing_field")),
        ({"game": "thirteen", "players": [{"name": "a"}]}, ("/players", "out_of_range")),
        ({"game": "thirteen", "players": [{"name": "a"}] * 5}, ("/players", "out_of_range")),
        ({"game": "thirteen", "players": [{"name": "a"}, {}]}, ("/players/1/name", "missing_field")),
        ({"game": "thirteen", "players": [{"name": "a"}, "b"]}, ("/players/1", "invalid_type")),
        (
            {"game": "thirteen", "players": [{"name": "a"}, {"name": ""}]},
            ("/players/1/name", "invalid_value"),
        ),
        (
            {"game": "thirteen", "players": [{"name": "a"}, {"name": "b\n"}]},
            ("/players/1/name", "invalid_value"),
        ),
        (
            {"game": "thirteen", "players": [{"name": "a"}, {"name": "   "}]},
            ("/players/1/name", "invalid_value"),
        ),
        (
            {"game": "thirteen", "players": [{"name": "a"}, {"name": "b" * 41}]},
            ("/players/1/name", "invalid_value"),
        ),
        (
            {"game": "thirteen", "players": [{"name": "a"}] * 2, "first_seat": 0},
            ("/first_seat", "invalid_value"),
        ),
        (
            {
                "game": "thirteen",
                "players": [{"name": "a"}] * 2,
                "first_seat": 2,
                "rules": {"first_lead": "seat"},
            },
            ("/first_seat", "out_of_range"),
        ),
        (
            {"game": "three_thirteen", "players": [{"name": "a"}] * 2, "first_seat": 0},
            ("/first_seat", "invalid_value"),
        ),
        (
            {"game": "three_thirteen", "players": [{"name": "a"}] * 5, "rules": {"decks": 1}},
            ("/rules/decks", "out_of_range"),
        ),
    ],
)
def test_malformed_games_are_told_where_and_why(client, body, fault):
    answer = client.post("/v1/games", json=body)
    assert code(answer, 422) == "invalid_request"
    assert [(error["pointer"], error["code"]) for error in answer.get_json()["errors"]] == [fault]


def test_names_in_any_script_are_kept(client):
    names = ["Nguyễn Văn Ánh", "გიორგი", "Ľubomír", "Айбек", "🂡"]
    body = {"game": "three_thirteen", "players": [{"name": name} for name in names]}
    state = client.post("/v1/games", json=body).get_json()["state"]
    assert [player["name"] for player in state["players"]] == names


def test_events_are_read_from_a_version_on_in_whole_versions(table):
    for _ in table.play(random.Random(1), most=6):
        pass
    every = table.get("/events")
    assert every["version"] == 7
    assert [event["version"] for event in every["events"]] == sorted(
        event["version"] for event in every["events"]
    )
    paged, after = [], 0
    while after < 7:
        page = table.get(f"/events?after={after}&limit=2")
        paged, after = paged + page["events"], page["version"]
    assert paged == every["events"]
    assert table.get("/events?after=7") == {"events": [], "version": 7}
    assert table.get("/events?after=1000") == {"events": [], "version": 7}


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "after=1.5", "after=", "limit=0", "limit=1001", "after=9e9", "limit=-5"]
)
def test_a_malformed_query_is_refused(table, query):
    answer = table.call("get", f"/events?{query}")
    assert code(answer, 422) == "invalid_request"
    assert answer.get_json()["errors"][0]["pointer"] == "/" + query.split("=")[0]


def test_a_whole_game_ends_with_its_seed_and_refuses_more(table):
    last = None
    for seat, _, body in table.play(random.Random(2)):
        if body["state"]["status"] == "in_progress":
            assert "seed" not in body["state"]
        last = (seat, body)
    seat, body = last
    assert (body["state"]["status"], body["state"]["turn"], body["state"]["seed"]) == ("finished", None, SEED)
    assert body["events"][-1]["type"] == "game_over"
    assert code(table.move(seat, {"type": "pass"}), 409) == "game_over"
    assert table.moves(seat) == []
