"""Who may ask, and how often: API keys and rate limits."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.driver import Table
from tests.faults.servers import eventually
from tests.service.contract import operations
from tests.service.test_openapi_errors import ask

KEY, OTHER = "the-right-key-0123456789", "another-right-key-456789"
DEAL = {"game": "thirteen", "players": 2}
PLAYERS = [{"name": "Linh"}, {"name": "Nino"}]

LIMIT = re.compile(r'"default";r=(\d+);t=(\d+)')


def deal(client, **headers):
    """The answer to a question."""
    return client.post("/v1/deals", json=DEAL, headers=headers)


def remaining(answer):
    """What `RateLimit` says: requests that remain, seconds until all are there again."""
    return tuple(map(int, LIMIT.fullmatch(answer.headers["RateLimit"]).groups()))


def test_without_keys_the_service_is_open(service):
    with service().client() as client:
        assert deal(client).status_code == 200
        assert deal(client, **{"X-API-Key": "whatever"}).status_code == 200
        assert "RateLimit" not in deal(client).headers


def test_with_keys_questions_and_new_games_need_one_and_games_do_not(service):
    with service(API_KEYS=f"{KEY},{OTHER}").client() as client:
        for headers in ({}, {"X-API-Key": ""}, {"X-API-Key": KEY[:-1]}, {"X-API-Key": f"{KEY},{OTHER}"}):
            answer = deal(client, **headers)
            assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
            assert answer.headers["WWW-Authenticate"] == "ApiKey"
            made = client.post("/v1/games", json={"game": "thirteen", "players": PLAYERS}, headers=headers)
            assert made.status_code == 401
        for key in (KEY, OTHER):
            assert deal(client, **{"X-API-Key": key}).status_code == 200
        client.headers["X-API-Key"] = KEY
        table = Table(client, "thirteen", 2)
        del client.headers["X-API-Key"]
        turn = table.get()["turn"]
        assert table.move(turn, table.moves(turn)[0]).status_code == 200
        assert table.call("delete", token=table.host).status_code == 204


@pytest.mark.parametrize("workers", ["1", "4"])
def test_so_many_requests_are_answered_and_not_one_more(service, tried, workers):
    """All workers count together. One more is allowed only after three minutes."""
    running = service(RATE_LIMIT="20/hour", WEB_CONCURRENCY=workers)

    def asked(_):
        with running.client() as client:
            return deal(client)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(asked, range(60)))
    allowed = [answer for answer in answers if answer.status_code == 200]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert (len(allowed), len(refused)) == (20, 40)
    assert sorted(remaining(answer)[0] for answer in allowed) == list(range(20))
    for answer in answers:
        assert answer.headers["RateLimit-Policy"] == '"default";q=20;w=3600'
        assert 0 < remaining(answer)[1] <= 3600
    for answer in refused:
        wait = int(answer.headers["Retry-After"])
        assert answer.json()["code"] == "rate_limited"
        assert answer.json()["params"] == {"retry_after": wait}
        assert 0 < wait <= 180
        assert remaining(answer)[0] == 0
    tried("requests over a limit", len(refused), 0)


def test_after_as_long_as_retry_after_says_one_is_answered(service):
    with service(RATE_LIMIT="1/second").client() as client:
        refused = eventually(lambda: (answer := deal(client)).status_code == 429 and answer)
        time.sleep(int(refused.headers["Retry-After"]))
        assert deal(client).status_code == 200


def test_a_known_key_has_a_limit_of_its_own_and_all_others_share_their_address(service):
    """Keys that are made up do not get anybody past the limit of the address."""
    with service(RATE_LIMIT="5/hour", API_KEYS=f"{KEY},{OTHER}").client() as client:
        for number in range(5):
            assert deal(client, **{"X-API-Key": f"made-up-{number}"}).status_code == 401
        assert deal(client, **{"X-API-Key": "made-up-6"}).status_code == 429
        assert deal(client).status_code == 429
        assert [deal(client, **{"X-API-Key": KEY}).status_code for _ in range(6)] == [200] * 5 + [429]
        assert remaining(deal(client, **{"X-API-Key": OTHER}))[0] == 4


def test_each_address_has_a_limit_of_its_own_whatever_it_says_it_is(service):
    running = service(RATE_LIMIT="5/hour")
    there = httpx.HTTPTransport(local_address="127.0.0.2")
    with running.client() as here, running.client(transport=there) as elsewhere:
        for number in range(5):
            claims = {"X-Forwarded-For": f"10.0.0.{number}", "Forwarded": f"for=10.0.0.{number}"}
            assert deal(here, **claims, **{"X-API-Key": f"key {number}"}).status_code == 200
        assert deal(here, **{"X-Forwarded-For": "10.0.0.9", "X-Real-IP": "10.0.0.9"}).status_code == 429
        assert remaining(deal(elsewhere))[0] == 4


class Flasklike:
    """An HTTP client that opens what Flask's test client opens."""

    def __init__(self, client):
        self._client = client

    def open(self, path, method, **options):
        return self._client.request(method, path, **options)


def test_what_is_counted_is_all_under_v1_and_nothing_else(service):
    """So probes and the explanation of a 429 get through; a preflight is no request of the page's yet."""
    with service(RATE_LIMIT="1000/day").client() as client:
        for one in operations():
            answer = ask(Flasklike(client), one)
            assert ("RateLimit" in answer.headers) == one.path.startswith("/v1/"), one
            assert ("RateLimit-Policy" in answer.headers) == one.path.startswith("/v1/"), one
        left = remaining(deal(client))[0]
        client.options("/v1/deals")
        assert remaining(deal(client))[0] == left - 1


def test_who_asked_is_not_to_be_read_in_the_store_and_is_soon_forgotten(service, store):
    kept = store()
    running = service(REDIS_URL=kept.url, RATE_LIMIT="100/minute", API_KEYS=KEY)
    with running.client() as client, kept.client() as redis:
        deal(client)
        deal(client, **{"X-API-Key": KEY})
        names = redis.keys("rate:*")
        assert len(names) == 2
        assert not [name for name in names if b"127.0.0.1" in name or KEY.encode() in name]
        assert all(0 < redis.pttl(name) <= 61_000 for name in names)


@pytest.mark.parametrize(("away", "back"), [("end", "start"), ("freeze", "thaw")])
def test_without_the_store_each_process_counts_for_itself(service, store, away, back):
    """Questions stay answered and stay limited, from where the count was; then the store counts again."""
    kept = store()
    running = service(REDIS_URL=kept.url, RATE_LIMIT="10/hour")
    there = httpx.HTTPTransport(local_address="127.0.0.2")
    with running.client() as client, running.client(transport=there) as elsewhere, kept.client() as redis:
        assert remaining(deal(client))[0] == 9
        getattr(kept, away)()
        statuses = [deal(client).status_code for _ in range(12)]
        assert statuses == [200] * 9 + [429] * 3
        assert client.get(f"/v1/games/{'A' * 22}").status_code == 429
        assert client.get("/livez").status_code == 200
        getattr(kept, back)()
        running.until_ready()
        assert len(redis.keys("rate:*")) == 1
        eventually(lambda: deal(elsewhere) and len(redis.keys("rate:*")) == 2)
