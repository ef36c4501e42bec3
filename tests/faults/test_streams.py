"""Streams of games through whatever happens: no version is missed or comes twice, no hidden card is shown."""

import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice

import orjson
import pytest

from service.store import channel
from tests.driver import Table
from tests.faults.load import Load
from tests.faults.punctual import in_play, punctual_load
from tests.faults.servers import ends, eventually
from tests.faults.streaming import Connection, Follower, listed

DEALT = {"thirteen": "game_started", "three_thirteen": "round_started"}


class Audience:
    """Everybody who follows a game: each seat, and a spectator."""

    def __init__(self, address, played):
        self.played = played
        self.seats = [None, *range(len(played.table.tokens))]
        tokens = [None, *played.table.tokens]
        self.followers = [Follower(address, played.table.path, token) for token in tokens]
        for follower in self.followers:
            follower.start()

    def wrong(self, client):
        """What they missed, saw twice or saw otherwise than the JSON form has it, once they saw all."""
        wrong, table = [], self.played.table.through(client)
        version = table.get()["version"]
        for seat, follower in zip(self.seats, self.followers, strict=True):
            follower.until(version).stop()
            wrong += follower.faults
            if follower.events() != listed(table, seat, follower.base):
                wrong.append((seat, "not what the JSON form tells"))
        return wrong


@contextmanager
def followed(running, load):
    """A load whose first games are followed by everybody; afterwards `audiences` have seen it all."""
    audiences = []
    with load:
        eventually(lambda: len(load.games) >= 4)
        audiences += [Audience(running.address, game) for game in list(load.games)[:4]]
        for audience in audiences:
            for follower in audience.followers:
                follower.until(1)
        yield audiences
        load.plays_on()


def entered(running, tried, row, often, audiences):
    """Looks whether all is right, and enters it in the table; how many resets there were."""
    with running.client() as client:
        wrong = [fault for audience in audiences for fault in audience.wrong(client)]
    followers = [follower for audience in audiences for follower in audience.followers]
    told = sum(len(follower.told) for follower in followers)
    connected = sum(follower.statuses.count(200) for follower in followers)
    resets = sum(len(follower.resets) for follower in followers)
    note = f"{told:,} messages over {connected:,} connections, {resets} resets"
    tried(row, often, len(wrong), note)
    assert wrong == []
    return resets


def test_connections_are_cut_under_load(service, times, tried):
    """Who connects again, perhaps to another worker, goes on with what comes next."""
    running, cuts = service(WEB_CONCURRENCY="2"), times(40, 1000)
    load = Load(running.address)
    with followed(running, load) as audiences:
        for _ in range(cuts):
            reading = [one for audience in audiences for one in audience.followers if one.is_alive()]
            if not reading:  # their games are over
                audiences.append(Audience(running.address, load.games[-1]))
                reading = audiences[-1].followers
            random.choice(reading).cut()
            time.sleep(random.uniform(0, 0.05))  # a moment that nobody has chosen
    assert entered(running, tried, "streams cut under load", cuts, audiences) == 0


def test_a_worker_is_killed_with_streams_open(service, times, tried):
    running, kills = service(WEB_CONCURRENCY="2"), times(1, 20)
    load = Load(running.address)
    with followed(running, load) as audiences:
        for _ in range(kills):
            victim = random.choice(running.workers())
            os.kill(victim, signal.SIGKILL)
            assert ends([victim])
            eventually(lambda: len(running.workers()) == 2)
            load.plays_on()
    assert entered(running, tried, "kill -9 of a worker with streams open", kills, audiences) == 0


def test_the_store_is_away_for_a_while(service, store, times, tried):
    """The streams stay open and go on: the client need not connect again."""
    kept, stops = store(), times(1, 10)
    running = service(REDIS_URL=kept.url, WEB_CONCURRENCY="2")
    with followed(running, Load(running.address)) as audiences:
        for _ in range(stops):
            kept.end()
            time.sleep(random.uniform(0.5, 3))
            kept.start()
    connected = [follower.statuses for audience in audiences for follower in audience.followers]
    assert {statuses.count(200) for statuses in connected} == {1}
    assert entered(running, tried, "store stopped with streams open", stops, audiences) == 0
    assert "Traceback" not in running.said()


def test_a_primary_fails_with_streams_open(watched, service, times, tried):
    running, failures = service(REDIS_URL=watched.url, WEB_CONCURRENCY="2"), times(1, 5)
    with followed(running, punctual_load(running)) as audiences:
        for _ in range(failures):
            primary, *_ = watched.shard_of("any")
            primary.kill()
            eventually(lambda gone=primary: watched.primaries() and gone not in watched.primaries())
            watched.heal()
    entered(running, tried, "Sentinel: primary killed with streams open", failures, audiences)
    assert "Traceback" not in running.said()


def test_a_cluster_fails_over_with_streams_open(cluster, service, times, tried):
    running, failures = service(REDIS_URL=cluster.url, WEB_CONCURRENCY="2"), times(1, 5)
    load = punctual_load(running)
    with followed(running, load) as audiences:
        for _ in range(failures):
            primary, *_ = cluster.shard_of(in_play(load))
            primary.kill()
            load.plays_on()
            cluster.heal()
    entered(running, tried, "Redis Cluster: primary killed with streams open", failures, audiences)
    assert "Traceback" not in running.said()


def test_a_stop_ends_all_streams(service, times, tried):
    """Each ends as a whole, not cut off; what waits for events is answered."""
    stops, streams = times(1, 10), 40
    for _ in range(stops):
        running = service(WEB_CONCURRENCY="2")
        with running.client() as client:
            table = Table(client, "thirteen", 2)
        held = [Connection(running.address, table.path) for _ in range(streams)]
        with running.client(headers={"Connection": "close"}) as poller, ThreadPoolExecutor(1) as pool:
            polled = pool.submit(poller.get, f"{table.path}/events?after=1&wait=30")
            for stream in held:
                assert next(stream.messages()).id == 1
            started = time.monotonic()
            assert running.end() == 0
            took = time.monotonic() - started
            assert polled.result().json() == {"events": [], "version": 1}
        assert [stream.whole() for stream in held] == [[]] * streams
        for stream in held:
            stream.close()
        assert took < 5
        assert "cut off" not in running.said()
    tried("SIGTERM with streams open", stops, 0, f"{streams} streams each ended whole, exit code 0")


def test_streams_that_idle_disturb_nobody_and_are_still_there(service, times, tried):
    running, streams = service(WEB_CONCURRENCY="1"), times(100, 500)
    with running.client() as client, Load(running.address) as load:
        idle = [Table(client, "thirteen", 2) for _ in range(streams)]
        held = [Connection(running.address, table.path) for table in idle]
        told = [stream.messages() for stream in held]
        assert {next(messages).id for messages in told} == {1}
        load.plays_on()
        for table in idle:
            turn = table.get()["turn"]
            assert table.move(turn, table.moves(turn)[0]).status_code == 200
        assert {next(messages).id for messages in told} == {2}
        for stream in held:
            stream.close()
    tried("idle streams held by one worker under load", streams, load.lost)
    assert load.lost == 0


@pytest.mark.parametrize("game", ["thirteen", "three_thirteen"])
def test_a_stream_has_no_card_that_its_reader_may_not_see(service, game):
    """Not by what the JSON form tells, but by what kind of event may have a card for whom."""
    running = service()
    with running.client() as client:
        table = Table(client, game, 3)
        followers = [Follower(running.address, table.path, token) for token in (None, *table.tokens)]
        for follower in followers:
            follower.start()
        moves = list(table.play(random.Random(5), most=60))
        for follower in followers:
            follower.until(moves[-1][2]["version"]).stop()
    for seat, follower in zip((None, 0, 1, 2), followers, strict=True):
        for event in follower.events():
            if event["type"] == "drew" and event["from"] == "stock":
                assert (event["card"] is not None) == (event["seat"] == seat)
            elif event["type"] == DEALT[game]:
                assert "hands" not in event
                assert ("hand" in event) == (seat is not None)


def rss(pid):
    """The memory of a process, in KiB."""
    with open(f"/proc/{pid}/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def test_who_does_not_read_costs_little_and_holds_up_nobody(service, store, tried):
    """A game with 40 MB of events, and readers who take their time: the worker reads on only as they do."""
    kept, versions, readers = store(), 2000, 10
    running = service(REDIS_URL=kept.url, WEB_CONCURRENCY="1")
    with running.client() as client, kept.client() as redis:
        table = Table(client, "thirteen", 2)
        key = f"g:{{{table.created['id']}}}:state"
        passed = orjson.dumps([{"type": "passed", "seat": 0}] * 250)
        for version in range(2, versions + 1):
            entry = {"at": "2026-11-29T12:00:00.000Z", "events": passed}
            redis.xadd(channel(table.created["id"]), entry, id=f"{version}-0")
        redis.hset(key, mapping={"version": versions, "nonce": "other"})
        (worker,) = running.workers()
        before = rss(worker)
        slow = [Connection(running.address, table.path) for _ in range(readers)]
        for _ in range(20):
            assert table.get()["version"] == versions
        grown = rss(worker) - before
        assert grown < 100 * 1024
        told = [message.id for message in islice(slow[0].messages(), versions)]
        assert told == list(range(1, versions + 1))
        for stream in slow:
            stream.close()
    tried("streams that nobody reads", readers, 0, f"worker grown by {grown // 1024} MiB")
