"""Whatever the cards are that a viewer can't see: not a byte changes of any answer it can get.

At many points of random games the hidden cards are dealt anew in the store, in the state and in the events
both, and everything is asked again: views, events, legal moves, moves made and refused, answers replayed.
(tests/service/test_secrecy.py has a smaller version in one process.)
"""

import random
import re
from contextlib import contextmanager

import orjson
import pytest

from tests.driver import Table, choose
from tests.faults.servers import Service, StoreServer
from tests.faults.streaming import streamed
from tests.service.test_secrecy import DEALS, Record, swapped

GAMES = [
    ("thirteen", 2, {}),
    ("thirteen", 4, {"preset": "southern", "bomb_after_pass": "any"}),
    ("three_thirteen", 2, {"take_back": False}),
    ("three_thirteen", 3, {"aces": "low_or_high"}),
]
REFUSED = [
    {"type": "pass"},
    {"type": "play", "cards": ["3S", "KH"]},
    {"type": "draw", "from": "stock"},
    {"type": "discard", "card": "3S"},
    {"type": "go_out", "discard": "3S", "melds": [["4S", "5S", "6S"]]},
    {"type": "play", "cards": ["3S", "3s"]},
    {"type": "play"},
    [],
]
TIMES = re.compile(rb"\d{4}-\d\d-\d\dT[\d:.]+Z")


class Hidden(Record):
    """A game's record in the store, whose cards can be changed for a while."""

    def keys(self, table):
        return self.redis.keys(f"g:{{{table.created['id']}}}:*")

    @contextmanager
    def unchanged(self, table):
        """Afterwards everything of the game is as before."""
        kept = {key: self.redis.dump(key) for key in self.keys(table)}
        yield
        for key in self.keys(table):
            if key not in kept:
                self.redis.unlink(key)
        for key, value in kept.items():
            self.redis.restore(key, 100_000_000, value, replace=True)

    def swap(self, rng, table, viewer):
        """Deals the cards anew that the viewer does not see; says whether that changed anything."""
        state, stream = self.state(table), self.key(table).replace(":state", ":events")
        other = swapped(rng, self.state(table), viewer)
        self.put(table, other)
        happened = self.redis.xrange(stream)
        self.redis.unlink(stream)
        for id_, fields in happened:
            events = [_otherwise(rng, event, viewer) for event in orjson.loads(fields[b"events"])]
            self.redis.xadd(stream, {**fields, b"events": orjson.dumps(events)}, id=id_)
        return other != state


def _otherwise(rng, event, viewer):
    """The event with other cards where the viewer sees none."""
    if event["type"] in DEALS and "hands" in event:
        pool = [card for seat, hand in enumerate(event["hands"]) if seat != viewer for card in hand]
        rng.shuffle(pool)
        hands = [
            hand if seat == viewer else [pool.pop() for _ in hand] for seat, hand in enumerate(event["hands"])
        ]
        return {**event, "hands": hands}
    if event["type"] == "drew" and event["from"] == "stock" and event["seat"] != viewer:
        return {**event, "card": rng.choice(["3S", "KH", "AD", "7C"])}
    return event


def ask(table, viewer, turn, move, done):
    """Everything a viewer (a seat, or `None`) can ask of a game, in which it is the turn of seat `turn`.

    `move`: one to be made, where it is the viewer's turn. `done`: the viewer's moves so far, with their keys.
    """
    paths = ("", "/events?limit=1000", "/events?after=3&limit=2", "/events?after=x", "/legal-moves")
    yield from (table.call("get", path, viewer) for path in paths)
    yield streamed(table, viewer)
    yield table.call("get", "", viewer, headers={"If-None-Match": "*"})
    yield from (table.call("get", path, token="x" * 43) for path in paths)
    yield from (table.call("post", "/moves", token=token, json=REFUSED[0]) for token in (None, table.host))
    if viewer is None:
        return
    yield table.call("delete", "", viewer)
    yield from (table.move(viewer, body, **{"If-Match": '"0"'}) for body in REFUSED)
    for body, key in done[-2:]:
        yield table.move(viewer, body, **{"Idempotency-Key": key})
        yield table.move(viewer, REFUSED[1], **{"Idempotency-Key": key})
    if viewer != turn:
        yield from (table.move(viewer, body) for body in REFUSED)
    elif move:
        yield from (table.move(viewer, move, **{"Idempotency-Key": "now"}) for _ in range(2))


def bytes_of(answer):
    """An answer without what is new in each: the request's id and the time."""
    headers = [
        (name, value) for name, value in answer.headers.items() if name not in ("x-request-id", "date")
    ]
    return answer.status_code, headers, TIMES.sub(b"now", answer.content)


def tells_nothing(view, move):
    """Whether by the rules a move uncovers no card that was hidden before."""
    draws = move == {"type": "draw", "from": "stock"}
    return not draws and not (move["type"] == "discard" and view["went_out"] is not None)


def compare(hidden, rng, table, viewer, asked):
    """Asks twice, the second time with other hidden cards; how many answers there were, if any changed."""
    with hidden.unchanged(table):
        before = [bytes_of(answer) for answer in ask(table, viewer, *asked)]
    with hidden.unchanged(table):
        changed = hidden.swap(rng, table, viewer)
        after = [bytes_of(answer) for answer in ask(table, viewer, *asked)]
    assert before == after
    return len(after) if changed else 0


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Clients of a service and of its store, which the tests here share."""
    folder = tmp_path_factory.mktemp("interference")
    with (
        StoreServer(folder / "store") as kept,
        Service(folder / "service", REDIS_URL=kept.url) as running,
        running.client() as client,
        kept.client() as redis,
    ):
        yield client, redis


@pytest.mark.parametrize(("game", "players", "rules"), GAMES)
def test_no_byte_of_any_answer_depends_on_hidden_cards(shared, times, tried, game, players, rules):
    client, redis = shared
    hidden, rng = Hidden(redis), random.Random(players)
    compared, done = 0, [[] for _ in range(players)]
    table = Table(client, game, players, rules=rules, seed="0c" * 32)
    view = table.get()
    for step in range(times(30, 120)):
        if view["status"] == "finished":
            break
        turn = view["turn"]
        view = table.get(seat=turn)
        move = choose(rng, view, table.moves(turn))
        if step % times(10, 5) == 0:
            shown = move if tells_nothing(view, move) else None
            for viewer in (None, *range(players)):
                mine = done[viewer] if viewer is not None else []
                compared += compare(hidden, rng, table, viewer, (turn, shown, mine))
        done[turn].append((move, f"key {step}"))
        answer = table.move(turn, move, **{"Idempotency-Key": f"key {step}"})
        assert answer.status_code == 200, answer.text
        view = answer.json()["state"]
    assert compared > 100
    tried("answers compared with other hidden cards", compared, 0)
