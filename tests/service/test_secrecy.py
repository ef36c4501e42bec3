"""Nobody is shown a card it may not see: at every step of random games, and whatever the hidden cards are.

Two ways. What an answer shows is a subset of what its reader has a right to, worked out here from the
record of the game in the store. And hidden cards are swapped with each other in the store: not a byte of
any answer may change, refused moves included.
"""

import random
import re

import orjson
import pytest
from redis import Redis

from tests.driver import Table, choose

CARD = re.compile(r'"([A2-9TJQK][SCDH])"')
GAMES = [("thirteen", 2, {}), ("thirteen", 3, {"preset": "southern"}), ("thirteen", 4, {"pass_lock": False})]
GAMES += [("three_thirteen", 2, {}), ("three_thirteen", 2, {"take_back": False, "aces": "low_or_high"})]
STEPS = 60
DEALS = ("game_started", "round_started")


@pytest.fixture
def record(redis_url):
    """Reads and writes the stored state of a game, as an operator with the store's password could."""
    return Record(Redis.from_url(redis_url))


class Record:
    def __init__(self, redis):
        self.redis = redis

    def state(self, table):
        return orjson.loads(self.redis.hget(self.key(table), "state"))

    def put(self, table, state):
        self.redis.hset(self.key(table), "state", orjson.dumps(state))

    def events(self, table):
        entries = self.redis.xrange(f"g:{{{table.created['id']}}}:events")
        return [event for _, fields in entries for event in orjson.loads(fields[b"events"])]

    @staticmethod
    def key(table):
        return f"g:{{{table.created['id']}}}:state"


def cards(line):
    return [line[i : i + 2] for i in range(0, len(line), 2)]


def shown(answer):
    return set(CARD.findall(answer.text))


def answers(table, viewer):
    """Everything that a viewer (a seat, or `None`) can ask of a game without changing it."""
    asked = [table.call("get", path, viewer) for path in ("", "/events?after=0&limit=1000")]
    if viewer is not None:
        asked.append(table.call("get", "/legal-moves", viewer))
        refused = [{"type": "pass"}, {"type": "draw", "from": "stock"}]
        refused += [{"type": "discard", "card": "3S"}, {"type": "play", "cards": ["3S", "KH"]}]
        asked += [table.move(viewer, move, **{"If-Match": '"0"'}) for move in refused]
        if viewer != table.get()["turn"]:
            asked += [table.move(viewer, move) for move in refused]
    return asked


def public(event):
    """The cards that everybody has seen in an event, by the rules of the table."""
    match event["type"]:
        case "played":
            return event["combination"]["cards"]
        case "drew":
            return [event["card"]] if event["from"] == "discard" else []
        case "round_ended":
            return [card for one in event["hands"] for card in one["hand"]]
        case "went_out":
            return [event["discard"], *[card for meld in event["melds"] for card in meld["cards"]]]
    seen = [event.get(name) for name in ("card", "discard_top", "must_include")]
    return [card for card in [*seen, *(event.get("hand") or [])] if card]


def entitled(record, table, viewer):
    """What the viewer has seen so far: its own cards, past and present, and what everybody has seen."""
    seen = set()
    for event in record.events(table):
        seen |= set(public(event))
        if viewer is not None and event["type"] in DEALS and "hands" in event:
            seen |= set(event["hands"][viewer])
        if viewer is not None and event["type"] == "drew" and event["seat"] == viewer:
            seen.add(event["card"])
    return seen | (set(cards(record.state(table)["hands"][viewer])) if viewer is not None else set())


@pytest.mark.parametrize(("game", "players", "rules"), GAMES)
def test_no_answer_shows_a_card_that_its_reader_has_not_seen(plain_client, record, game, players, rules):
    table = Table(plain_client, game, players, rules=rules, seed="0b" * 32)
    rng = random.Random(5)
    for step, (seat, _, body) in enumerate(table.play(rng, most=STEPS)):
        if body["state"]["status"] == "finished":
            break
        told = set(CARD.findall(orjson.dumps(body).decode()))
        assert told <= entitled(record, table, seat)
        if step % 6 == 0:
            for viewer in [None, *range(players)]:
                allowed = entitled(record, table, viewer)
                for answer in answers(table, viewer):
                    assert shown(answer) - {"3S", "KH"} <= allowed, (viewer, answer.request.path)


def swapped(rng, state, viewer):
    """The state with the cards that the viewer can't see dealt anew over the places they are in."""
    hidden = [(("hands", seat), hand) for seat, hand in enumerate(state["hands"]) if seat != viewer]
    hidden += [(("stock",), state["stock"])] if "stock" in state else []
    pool = [card for _, line in hidden for card in cards(line)]
    rng.shuffle(pool)
    for path, line in hidden:
        part = "".join(pool.pop() for _ in cards(line))
        if len(path) == 2:
            state["hands"][path[1]] = part
        else:
            state["stock"] = part
    return state


@pytest.mark.parametrize(("game", "players", "rules"), [*GAMES, ("three_thirteen", 5, {})])
def test_no_byte_of_an_answer_depends_on_hidden_cards(plain_client, record, game, players, rules):
    table = Table(plain_client, game, players, rules=rules, seed="0c" * 32)
    rng = random.Random(6)
    changed = 0
    for step, (_, _, body) in enumerate(table.play(rng, most=STEPS)):
        if body["state"]["status"] == "finished":
            break
        if step % 6 == 0:
            for viewer in [None, *range(players)]:
                changed += changes_nothing(table, record, rng, viewer)
    assert changed > 10


def changes_nothing(table, record, rng, viewer):
    """Whether the hidden cards did change, when the answers are seen not to."""
    before = record.state(table)
    answered = [bytes_of(answer) for answer in answers(table, viewer)]
    other = swapped(rng, record.state(table), viewer)
    record.put(table, other)
    again = [bytes_of(answer) for answer in answers(table, viewer)]
    record.put(table, before)
    assert answered == again
    return other != before


def bytes_of(answer):
    headers = {name: value for name, value in answer.headers if name != "X-Request-ID"}
    return answer.status_code, headers, answer.data


def test_a_card_drawn_from_the_stock_is_shown_to_its_drawer_alone(client, record):
    table = Table(client, "three_thirteen", 2, seed="0d" * 32)
    turn = table.get()["turn"]
    top = record.state(table)["stock"][:2]
    body = table.move(turn, {"type": "draw", "from": "stock"}).get_json()
    assert body["events"][0]["card"] == top
    for viewer in (None, 1 - turn):
        assert table.get("/events?after=1", viewer)["events"][0]["card"] is None


def test_the_driver_plays_every_kind_of_move(client):
    """The games above are worth something only if moves of all kinds are made in them."""
    for game, kinds in (("thirteen", {"play", "pass"}), ("three_thirteen", {"draw", "discard", "go_out"})):
        table = Table(client, game, 2, seed="0e" * 32)
        assert {move["type"] for _, move, _ in table.play(random.Random(7), most=150)} == kinds
    assert choose(random.Random(1), {"game": "thirteen"}, [{"type": "pass"}]) == {"type": "pass"}
