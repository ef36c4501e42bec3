"""Clients of every kind, against a real server or none: in time or a `RedisError`, and nothing twice."""

import time

import gevent
import pytest
from flask import Flask, g
from redis import Redis
from redis.exceptions import (
    ConnectionError,
    RedisClusterException,
    RedisError,
    SlotNotCoveredError,
    TimeoutError,
)

from service.connection import PATIENCE_SECONDS, Answering, Script, connect
from tests.faults.proxy import Proxy
from tests.faults.servers import StoreServer, free_port


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with StoreServer(tmp_path_factory.mktemp("store")) as server:
        yield server


@pytest.fixture
def client(server):
    with connect(server.url) as client:
        yield client


@pytest.mark.parametrize(
    "url", ["redis://{0}", "redis+cluster://{0},{0}", "redis+sentinel://{0},{0}/games", "unix:///nowhere/{0}"]
)
def test_a_store_that_is_not_there_is_no_reason_not_to_start(url):
    client = connect(url.format(f"127.0.0.1:{free_port()}"))
    for _ in range(2):
        with pytest.raises(RedisError), Answering():
            client.get("x")


def test_a_cluster_that_is_none_is_one_that_does_not_answer(server):
    client = connect(f"redis+cluster://127.0.0.1:{server.port}")
    with pytest.raises(ConnectionError), Answering():
        client.get("x")


def test_a_sentinels_primary_is_reached_with_the_credentials_and_the_database_of_the_url():
    client = connect("redis+sentinel://user:se%20cret@one:1,[::1]/my-games/3")
    given = client.connection_pool.connection_kwargs
    assert [given[name] for name in ("username", "password", "db")] == ["user", "se cret", 3]
    sentinels = client.connection_pool.sentinel_manager.sentinels
    places = [sentinel.connection_pool.connection_kwargs for sentinel in sentinels]
    assert [(place["host"], place["port"]) for place in places] == [("one", 1), ("::1", 26_379)]
    assert {place.get("password") for place in places} == {None}


def test_a_write_whose_reply_is_lost_is_not_made_again(server):
    raw = server.client()
    with Proxy(server.port) as proxy, connect(proxy.url) as client:
        client.ping()
        proxy.cut_at_reply(1)
        with pytest.raises(ConnectionError):
            client.incr("counter")
        assert proxy.struck
    assert raw.get("counter") == b"1"
    raw.close()


def test_an_answer_that_does_not_come_is_not_waited_for(server):
    with Proxy(server.port) as proxy, connect(proxy.url) as client:
        client.ping()
        proxy.freeze()
        started = time.monotonic()
        with pytest.raises(TimeoutError):
            client.ping()
        assert time.monotonic() - started < PATIENCE_SECONDS


def test_whatever_waits_inside_ends_in_time():
    started = time.monotonic()
    with pytest.raises(TimeoutError), Answering(0.05):
        gevent.sleep(10)
    assert time.monotonic() - started < 1


def test_somebody_elses_limit_is_not_ours():
    with pytest.raises(gevent.Timeout), gevent.Timeout(0.05), Answering(5):
        gevent.sleep(10)


def test_the_questions_of_one_request_share_its_patience():
    def seconds_waited():
        started = time.monotonic()
        with pytest.raises(TimeoutError), Answering():
            gevent.sleep(10)
        return time.monotonic() - started

    app = Flask("test")
    with app.app_context():
        with Answering():
            gevent.sleep(PATIENCE_SECONDS - 0.2)
        assert seconds_waited() < 0.5
        assert seconds_waited() < 0.1
        assert g.waited >= PATIENCE_SECONDS
    with app.app_context():
        assert seconds_waited() > PATIENCE_SECONDS - 0.2


@pytest.mark.parametrize(
    "error", [RedisClusterException("down"), SlotNotCoveredError("1"), AttributeError("None"), IndexError(0)]
)
def test_all_that_a_cluster_client_raises_is_a_redis_error(error):
    with pytest.raises(ConnectionError, match=type(error).__name__), Answering():
        raise error


def test_redis_errors_and_our_own_stay_what_they_are():
    for error in (TimeoutError("late"), ZeroDivisionError()):
        with pytest.raises(type(error)) as raised, Answering():
            raise error
        assert raised.value is error


def test_a_script_is_given_to_a_server_that_does_not_know_it(client):
    script = Script(client, "throttle.lua")
    client.script_flush()
    refused, waiting = script(["rate:{x}"], [1_000_000, 5_000_000])
    assert (refused, waiting) == (0, 1_000_000)
    assert client.info("commandstats")["cmdstat_eval"]["calls"] == 1
    assert script(["rate:{x}"], [1_000_000, 5_000_000])[0] == 0
    assert client.info("commandstats")["cmdstat_eval"]["calls"] == 1


def test_the_query_of_a_url_is_kept(server):
    with connect(f"{server.url}?protocol=2&client_name=me") as client:
        assert isinstance(client, Redis)
        assert client.client_getname() == "me"
