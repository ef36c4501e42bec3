"""What a replica has: asked of real servers, and not taken from the wrong one."""

import time

import pytest
from redis.exceptions import TimeoutError

from service.connection import REPLICA_MILLISECONDS, connect, wait_for_replica
from service.idempotency import Memo
from service.store import Record, Store, StoreUnavailable
from tests.faults.servers import eventually

META = {"game": "thirteen"}


@pytest.fixture
def follow(store):
    """`follow(primary)`: a store that replicates it, in step."""

    def followed(primary):
        replica = store(repl_diskless_sync_delay="0")
        with replica.client() as link:
            link.replicaof("127.0.0.1", primary.port)
            eventually(lambda: link.info("replication")["master_link_status"] == "up")
        return replica

    return followed


def test_a_replica_has_what_was_written_before(store, follow):
    primary = store(repl_diskless_sync_delay="0")
    replica = follow(primary)
    with connect(primary.url) as client, replica.client() as link:
        for number in range(50):
            client.set("key", number)
            assert wait_for_replica(client, "key", 100, ("GET", "key")) == b"%d" % number
            assert link.get("key") == b"%d" % number
        assert 90 < client.ttl("key") <= 100


def test_every_replica_is_waited_for_but_one_that_hangs_not_for_long(store, follow):
    primary = store(repl_diskless_sync_delay="0")
    follow(primary)
    hanging = follow(primary)
    with connect(primary.url) as client:
        hanging.freeze()
        started = time.monotonic()
        client.set("key", "1")
        assert wait_for_replica(client, "key", 100, ("GET", "key")) == b"1"
        assert REPLICA_MILLISECONDS / 1000 <= time.monotonic() - started < 1


def test_a_service_that_wants_a_replica_is_ready_only_while_there_is_one(store, follow, service):
    """`/readyz` says 200 only where games can be made and moved in."""
    primary = store(repl_diskless_sync_delay="0")
    replica = follow(primary)
    running = service(REDIS_URL=primary.url, DURABILITY="replica")
    assert running.status("/readyz") == 200
    replica.kill()
    eventually(lambda: running.status("/readyz") == 503)
    replica.start()
    with replica.client() as link:
        link.replicaof("127.0.0.1", primary.port)
    eventually(lambda: running.status("/readyz") == 200)


def test_without_a_replica_in_step_there_is_no_waiting_for_long(store, follow):
    primary = store(repl_diskless_sync_delay="0")
    replica = follow(primary)
    with connect(primary.url) as client:
        client.set("key", "1")
        replica.freeze()
        started = time.monotonic()
        with pytest.raises(TimeoutError):
            wait_for_replica(client, "key", 100, ("GET", "key"))
        assert time.monotonic() - started < 0.8
        replica.kill()
        with pytest.raises(TimeoutError):
            wait_for_replica(client, "key", 100, ("GET", "key"))


def test_a_key_that_is_gone_is_on_no_replica(store, follow):
    primary = store(repl_diskless_sync_delay="0")
    follow(primary)
    with connect(primary.url) as client, pytest.raises(TimeoutError):
        wait_for_replica(client, "key", 100, ("GET", "key"))


class Promoting:
    """A client for a primary that fails after the next script, and for the one that is promoted then."""

    def __init__(self, primary, promoted):
        self._now, self._promoted = primary, promoted

    def __getattr__(self, name):
        return getattr(self._now, name)

    def evalsha(self, *words):
        """What the old primary answers, for the last time."""
        answer = self._now.evalsha(*words)
        self._now = self._promoted
        return answer


def test_a_change_that_was_not_there_when_a_replica_was_promoted_is_not_acknowledged(store, follow):
    old = store(repl_diskless_sync_delay="0")
    new = follow(old)
    follow(new)
    with connect(old.url) as primary, connect(new.url) as promoted:
        first = Record("id", 1, META, {"n": 1}, "then")
        second = Record("id", 2, META, {"n": 2}, "now")
        blank = Memo("print", 1)
        assert Store(primary, 100).commit(first, [], blank, None)
        eventually(lambda: promoted.exists("g:{id}:state"))
        promoted.replicaof("no", "one")

        for _ in range(2):  # made, and then found to be made
            with pytest.raises(StoreUnavailable, match=r"lost|no replica has"):
                Store(Promoting(primary, promoted), 100, "replica").commit(second, [{"n": 2}], blank, "key")
            assert Store(primary, 100).load("id").version == 2
            assert Store(promoted, 100).load("id").version == 1
        assert Store(promoted, 100, "replica").commit(second, [{"n": 2}], blank, "key")
        assert Store(promoted, 100).load("id").version == 2
