"""Events as they happen, from real processes with a real store: what a stream and a long poll promise."""

import random
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.api.streams import Place
from service.store import Happening, channel
from tests.driver import Table, choose
from tests.faults.servers import Service, StoreServer, eventually
from tests.faults.streaming import Connection, Follower, listed

SEED = "0c" * 32


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    with StoreServer(tmp_path_factory.mktemp("store")) as kept:
        yield kept


@pytest.fixture(scope="module")
def running(tmp_path_factory, kept):
    folder = tmp_path_factory.mktemp("service")
    with Service(folder, REDIS_URL=kept.url, MAX_STREAMS="8", CORS_ORIGINS="*") as running:
        yield running


@pytest.fixture
def client(running):
    with running.client() as client:
        yield client


@pytest.fixture
def redis(kept):
    with kept.client() as redis:
        yield redis


@pytest.fixture
def follow(running):
    """`follow(table, seat)`: somebody who follows the game."""
    followers = []

    def start(table, seat=None):
        follower = Follower(running.address, table.path, None if seat is None else table.tokens[seat])
        followers.append(follower)
        follower.start()
        return follower

    yield start
    for follower in followers:
        follower.stop()


@pytest.fixture
def opened(running):
    """`opened(table, last=3)`: a stream of the game, from whatever worker."""
    connections = []

    def open_(table, **options):
        connections.append(Connection(running.address, table.path, **options))
        return connections[-1]

    yield open_
    for connection in connections:
        connection.close()


def step(table):
    """One move of whoever's turn it is; the version it makes."""
    rng = random.Random(1)
    turn = table.get()["turn"]
    view = table.get(seat=turn)
    answer = table.move(turn, choose(rng, view, table.moves(turn)))
    assert answer.status_code == 200, answer.text
    return answer.json()["version"]


@pytest.mark.parametrize("game", ["thirteen", "three_thirteen"])
def test_each_viewer_is_told_what_the_json_form_tells_and_the_stream_ends_with_the_game(client, follow, game):
    table = Table(client, game, 2)
    viewers = {seat: follow(table, seat) for seat in (None, 0, 1)}
    for _ in table.play(random.Random(3)):
        pass
    for seat, viewer in viewers.items():
        viewer.join(20)
        assert (viewer.faults, viewer.resets, viewer.statuses[-1]) == ([], [], 204)
        assert viewer.events() == listed(table, seat)
        assert [message.data["version"] for message in viewer.told] == [message.id for message in viewer.told]
    assert viewers[0].events() != viewers[None].events()


def test_a_message_comes_soon(client, opened):
    table = Table(client, "thirteen", 2)
    messages = opened(table).messages()
    assert next(messages).id == 1
    took = []
    for _ in range(5):
        version = step(table)
        moved = time.monotonic()
        assert next(messages).id == version
        took.append(time.monotonic() - moved)
    assert sorted(took)[2] < 0.5, "hints do not come: it takes a look to find a move"


def test_a_lost_hint_delays_and_loses_nothing(client, follow, redis):
    """Versions that nobody was told of are found, and in order."""
    table = Table(client, "thirteen", 2)
    follower = follow(table).until(1)
    assert redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub") >= 1
    last = [step(table) for _ in range(5)][-1]
    assert follower.until(last).faults == []


def test_a_subscription_that_breaks_is_made_again(client, opened, redis):
    table = Table(client, "thirteen", 2)
    stream = opened(table)
    assert next(stream.messages()).id == 1
    wanted = channel(table.created["id"])
    eventually(lambda: redis.pubsub_numsub(wanted)[0][1] == 1)
    redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
    eventually(lambda: redis.pubsub_numsub(wanted)[0][1] == 1)
    stream.close()
    eventually(lambda: redis.pubsub_numsub(wanted)[0][1] == 0)


def test_the_head_of_a_stream(client, running):
    table = Table(client, "thirteen", 2)
    asked = {"Accept": "text/event-stream;q=0.9, application/json;q=0.1", "Origin": "https://a.example"}
    with client.stream("GET", f"{table.path}/events", headers=asked) as answer:
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Accel-Buffering"] == "no"
        assert answer.headers["Vary"] == "Authorization, Accept"
        assert answer.headers["Connection"] == "close"
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        lines = answer.iter_lines()
        assert [next(lines) for _ in range(3)] == ["retry: 2000", "", "id: 1"]
    head = client.head(f"{table.path}/events", headers=asked)
    assert (head.status_code, head.headers["Content-Type"]) == (200, "text/event-stream; charset=utf-8")


@pytest.mark.parametrize("accept", [None, "*/*", "application/json", "text/event-stream;q=0.5, */*"])
def test_json_is_for_who_asks_for_no_stream(client, accept):
    table = Table(client, "thirteen", 2)
    headers = {"Accept": accept} if accept else {}
    answer = client.get(f"{table.path}/events", headers=headers)
    assert answer.headers["Content-Type"] == "application/json"


def test_a_wrong_token_and_a_game_that_is_not_there_have_no_stream(opened, client):
    table = Table(client, "thirteen", 2)
    assert opened(table, token="x" * 43).status == 401
    assert opened(table, token=table.host).status == 200
    table.path = f"/v1/games/{'a' * 22}"
    assert opened(table).status == 404


def test_a_stream_goes_on_where_the_client_says(opened, client):
    table = Table(client, "thirteen", 2)
    versions = [step(table) for _ in range(4)]
    messages = opened(table, last=versions[1]).messages()
    assert [next(messages).id for _ in range(2)] == versions[2:]
    with client.stream(
        "GET",
        f"{table.path}/events?after=1",
        headers={"Accept": "text/event-stream", "Last-Event-ID": str(versions[2])},
    ) as answer:
        lines = answer.iter_lines()
        assert [next(lines) for _ in range(3)][-1] == f"id: {versions[3]}"


def test_a_version_beyond_the_game_is_a_reset_and_the_stream_goes_on(opened, client):
    table = Table(client, "thirteen", 2)
    version = step(table)
    messages = opened(table, last=1000).messages()
    assert next(messages) == ("reset", version, {"version": version})
    assert next_of(table, messages).event == "message"


def next_of(table, messages):
    version = step(table)
    message = next(messages)
    assert message.id == version
    return message


def test_what_is_no_longer_kept_is_a_reset(opened, client, redis):
    table = Table(client, "thirteen", 2)
    versions = [step(table) for _ in range(6)]
    redis.xtrim(channel(table.created["id"]), minid="5-0", approximate=False)
    messages = opened(table, last=2).messages()
    assert next(messages) == ("reset", 4, {"version": 4})
    assert [next(messages).id for _ in range(3)] == versions[3:] == [5, 6, 7]
    messages = opened(table, last=4).messages()
    assert next(messages).id == 5, "nothing is missing after version 4"


def test_a_version_that_the_store_has_lost_and_made_again_is_a_reset(opened, client, redis):
    """As when a replica becomes the primary that has not got the last version yet."""
    table = Table(client, "thirteen", 2)
    step(table)
    key, events = f"g:{{{table.created['id']}}}:state", channel(table.created["id"])
    before = {name: redis.dump(name) for name in (key, events)}
    messages = opened(table).messages()
    assert [next(messages).id for _ in range(2)] == [1, 2]
    assert next_of(table, messages).id == 3
    for name, value in before.items():
        redis.restore(name, 100_000_000, value, replace=True)
    assert step(table) == 3
    assert next(messages) == ("reset", 3, {"version": 3})
    assert next_of(table, messages).id == 4


@pytest.mark.parametrize("how", ["deleted", "expired"])
def test_a_stream_ends_when_its_game_is_gone(client, follow, redis, how):
    table = Table(client, "thirteen", 2)
    follower = follow(table).until(1)
    if how == "deleted":
        assert table.call("delete", token=table.host).status_code == 204
    else:
        for name in redis.keys(f"g:{{{table.created['id']}}}:*"):
            redis.pexpire(name, 1)
    follower.join(20)
    assert follower.statuses == [200, 404]


def test_a_client_that_hangs_up_gives_its_place_back(client, opened):
    table = Table(client, "thirteen", 2)
    held = [opened(table) for _ in range(8)]
    assert {one.status for one in held} == {200}
    refused = opened(table)
    assert (refused.status, refused.answer.headers["Retry-After"]) == (503, "5")
    assert client.get(f"{table.path}/events?after=1&wait=1").status_code == 503
    assert client.get(f"{table.path}/events?after=0&wait=1").status_code == 200, "it need not wait"
    for one in held:
        one.cut()
    eventually(lambda: opened(table).status == 200, seconds=5)


def test_a_long_poll_is_answered_when_there_is_something(client, running):
    table = Table(client, "thirteen", 2)
    with ThreadPoolExecutor(1) as pool, running.client() as other:
        asked = time.monotonic()
        poll = pool.submit(other.get, f"{table.path}/events?after=1&wait=20")
        assert not poll.done()
        version = step(table)
        body = poll.result().json()
        assert time.monotonic() - asked < 10
    assert body == table.get("/events?after=1")
    assert body["version"] == version


def test_a_long_poll_waits_only_for_what_may_come(client):
    table = Table(client, "thirteen", 2)
    finished = Table(client, "thirteen", 2)
    for _ in finished.play(random.Random(3)):
        pass
    last = finished.get()["version"]
    started = time.monotonic()
    assert table.get("/events?wait=30")["version"] == 1
    assert table.get("/events?after=9&wait=30") == {"events": [], "version": 1}
    assert finished.get(f"/events?after={last}&wait=30") == {"events": [], "version": last}
    assert table.call("head", "/events?after=1&wait=30").status_code == 200
    assert time.monotonic() - started < 10
    started = time.monotonic()
    assert table.get("/events?after=1&wait=1") == {"events": [], "version": 1}
    assert time.monotonic() - started >= 1


A1, A2, A3, B2 = (Happening(v, "t", [{"type": t}]) for v, t in ((1, "a"), (2, "a"), (3, "a"), (2, "b")))


@pytest.mark.parametrize(
    ("after", "pieces", "told"),
    [
        (0, [[A1, A2], [A2], [A2, A3]], [[A1, A2], [], [A3]]),
        (1, [[A1], [A1, A2]], [[], [A2]]),
        (1, [[A2, A3]], [[A2, A3]]),
        (1, [[A3]], [None]),
        (5, [[]], [None]),
        (1, [[A1, A2], [B2, A3]], [[A2], None]),
        (1, [[A1, A2], [A3]], [[A2], [A3]]),
    ],
    ids=["all", "later", "trimmed", "a gap", "beyond", "another in its place", "trimmed meanwhile"],
)
def test_what_follows_a_version(after, pieces, told):
    place = Place(after)
    assert [place.next(piece) for piece in pieces] == told
