"""Secrets that are easy to find, in whole games and through errors; then looked for where none may be."""

import json
import random
import re

import pytest

from tests.driver import Table
from tests.faults.servers import eventually
from tests.faults.wire import JSON, connect, exchange, post, request
from tests.service.test_secrecy import CARD, Record, entitled

KEY = "canary-api-key-c0ffee"
NAME = "Canary {} 🂡"
ONCE = "canary-idempotency-key"
SEED = "ca" * 16 + "fe" * 16
GAMES = [("thirteen", 3, {}), ("three_thirteen", 2, {"take_back": False})]

BARE_CARD = re.compile(r"(?<![\w-])[A2-9TJQK][SCDH](?![\w-])")
"""A card anywhere in a text; ids and digests have more letters and digits around."""


class Watched:
    """A service that logs all it can, its store, and all that it answers."""

    def __init__(self, running, kept):
        self.running, self.kept = running, kept
        self.answers = []
        self.client = running.client(headers={"X-API-Key": KEY}, event_hooks={"response": [self._note]})
        self.redis = kept.client()
        self.record = Record(self.redis)

    def _note(self, answer):
        answer.read()
        self.answers.append(answer)

    def written(self):
        """All that there is in the logs."""
        return self.running.said() + self.kept.said()


@pytest.fixture
def watched(service, store):
    kept = store(loglevel="debug")
    settings = {"LOG_LEVEL": "debug", "API_KEYS": KEY, "RATE_LIMIT": "1000000/second"}
    there = Watched(service(REDIS_URL=kept.url, **settings), kept)
    with there.client, there.redis:
        yield there


def secrets_of(tables):
    """What stands in no log, no name of a key and no error; hands apart, which are looked for as cards."""
    tokens = [token for table in tables for token in (table.host, *table.tokens)]
    return [*tokens, KEY, ONCE, SEED, "Canary", "🂡", "\\ud83c\\udca1"]


def found(words, text):
    """Those of the words that stand in the text."""
    return [word for word in words if word in text]


def play(watched, tables, rng, every):
    """Plays the games; each move is sent again with a key, and `every` so many moves requests go wrong."""
    for table in tables:
        for step, (seat, move, _) in enumerate(table.play(rng)):
            headers = {"Idempotency-Key": f"{ONCE} {step}"}
            table.move(seat, move, **headers)
            if step % every == 0:
                go_wrong(watched, table, seat)
                for viewer in [None, *range(len(table.tokens))]:
                    look(watched, table, viewer)


def look(watched, table, viewer):
    """A viewer's events show no card that it has no right to."""
    events = table.call("get", "/events?limit=1000", viewer)
    if table.get()["status"] != "finished":
        assert set(cards_in(events.json())) <= entitled(watched.record, table, viewer)


def cards_in(value):
    """Every card in a JSON value; what a wild card stands for in a meld is none."""
    if isinstance(value, dict):
        value = [below for name, below in value.items() if name != "represents"]
    if isinstance(value, list):
        return [card for below in value for card in cards_in(below)]
    return [value] if isinstance(value, str) and CARD.fullmatch(f'"{value}"') else []


def go_wrong(watched, table, seat):
    """Requests with hands and tokens in all the wrong places, whole and broken."""
    token, hand = table.tokens[seat], json.dumps(table.get(seat=seat)["you"]["hand"])
    bearer, moves = f"Authorization: Bearer {token}", f"{table.path}/moves"
    for sent in (
        request("GET", f"/v1/games/{token}"),
        request("GET", f"/{token}"),
        request("GET", f"{table.path}/{token}?access_token={token}"),
        request("GET", f"{table.path}/events?after={token}"),
        request("GET", f"http://{token}@localhost/livez"),
        request("GET", f"http://[{token}/livez"),
        request("GET", f"/{token} {token}"),
        request(token[:20], "/livez"),
        request("GET", table.path, f"Authorization Bearer {token}"),
        request("GET", table.path, f"Authorization : Bearer {token}"),
        request("GET", table.path, f"Authorization: Bearer {token}\r\n {token}"),
        request("GET", table.path, f"Authorization: {token}\0"),
        request("GET", table.path, f"Authorization: Bearer {token * 200}"),
        request("GET", table.path, f"X_Token: {token}", f"Expect: {token}"),
        request("GET", table.path, f"X-Request-ID: {NAME} {token}".encode().decode("latin-1")),
        request(version=token),
        post(moves, f'{{"type": "play", "cards": {hand}'.encode(), JSON, bearer),
        post(moves, f'{{"type": "{token}", "cards": {hand}}}'.encode(), JSON, bearer),
        post(moves, f'{{"{token}": {hand}}}'.encode(), JSON, bearer),
        post(moves, hand.encode(), f"Content-Type: {token}", bearer),
        post(moves, hand.encode(), JSON, bearer, f"Transfer-Encoding: {token}"),
        post(moves, f"{token}\r\n{hand}".encode(), JSON, bearer, "Transfer-Encoding: chunked"),
        token.encode() + b"\r\n\r\n",
    ):
        exchange(watched.running.port, sent)
    for part in (f"GET /{token}", f"GET / HTTP/1.1\r\n{bearer}", f"GET / HTTP/1.1\r\n{bearer}\r\n"):
        with connect(watched.running.port) as link:
            link.sendall(part.encode())


def fail(watched, tables):
    """Games that can't be read any more, then a store that is gone: 500s and 503s."""
    for table in tables:
        before = watched.record.state(table)
        statuses = set()
        for state in ({**before, "hands": [KEY]}, {**before, "hands": 3}, {**before, "seed": NAME}, []):
            watched.record.put(table, state)
            statuses |= {table.call("get", path, 0).status_code for path in ("", "/legal-moves", "/events")}
            statuses.add(table.move(0, {"type": "pass"}).status_code)
        assert 500 in statuses
        watched.redis.set(Record.key(table), json.dumps(before))
        assert table.call("get", seat=0).status_code == 503
    watched.kept.end()
    for table in tables:
        assert table.call("get", seat=0).status_code == 503
        assert table.move(0, {"type": "pass"}).status_code == 503


def test_no_secret_is_in_a_log_a_name_or_an_error(watched, times, tried):
    rng = random.Random(3)
    tables = [
        Table(watched.client, game, players, names=NAME, rules=rules, seed=SEED)
        for game, players, rules in GAMES * times(1, 2)
    ]
    play(watched, tables, rng, every=times(40, 10))
    secrets = secrets_of(tables)
    numbers = watched.client.get("/metrics").text
    assert found(secrets, numbers) == found([table.created["id"] for table in tables], numbers) == []
    assert BARE_CARD.findall(numbers) == []
    names = b"\n".join(watched.redis.keys("*")).decode()
    assert found(secrets, names) == []
    assert not BARE_CARD.search(names)
    fail(watched, tables)
    eventually(lambda: "store_unavailable" in watched.running.said())
    written = watched.written()
    assert "internal_error" in written
    assert found(secrets, written) == []
    assert BARE_CARD.findall(written) == []
    for answer in watched.answers:
        assert_keeps_secrets(answer, tables, secrets)
    tried("answers and log lines searched for secrets", len(watched.answers) + written.count("\n"), 0)


def assert_keeps_secrets(answer, tables, secrets):
    """An error says nothing secret; another answer tokens and the seed only when their time is."""
    told = f"{answer.status_code} to {answer.request.method} {answer.request.url}: {answer.text}"
    assert found(secrets, str(answer.headers)) == [], told
    tokens = [token for table in tables for token in (table.host, *table.tokens)]
    if answer.status_code >= 400:
        assert found(secrets, answer.text) == [], told
    elif answer.status_code == 201:
        assert len(found(tokens, answer.text)) == len(answer.json()["seats"]) + 1, told
    else:
        assert found([*tokens, KEY, ONCE], answer.text) == [], told
        assert SEED not in answer.text or '"status":"finished"' in answer.text, told
