"""The store against a real server: compare-and-set, events, expiry, and failure as StoreUnavailable."""

import os

import pytest
from redis import Redis

from service.connection import connect
from service.store import EVENTS_KEPT, GameNotFound, Store, StoreUnavailable

META = {"game": "thirteen", "created_at": "2026-01-01T00:00:00.000Z"}


@pytest.fixture
def raw(redis_url):
    return Redis.from_url(redis_url)


@pytest.fixture
def store(redis_url):
    return Store(connect(redis_url), ttl=1000)


@pytest.fixture
def game(store):
    return store.create(os.urandom(8).hex(), META, {"n": 1}, [{"type": "started"}])


def test_what_is_created_is_loaded(store, game):
    assert store.load(game.id) == game
    assert (game.version, game.state, game.updated_at) == (1, {"n": 1}, META["created_at"])


def test_an_id_is_not_created_twice(store, game):
    with pytest.raises(StoreUnavailable):
        store.create(game.id, META, {"n": 2}, [])
    assert store.load(game.id) == game


def test_a_save_is_the_next_version(store, game):
    after = store.save(game, {"n": 2}, [{"type": "moved"}])
    assert after.version == 2
    assert store.load(game.id) == after
    assert after.meta == game.meta


def test_of_two_saves_upon_one_version_the_second_changes_nothing(store, game):
    first = store.save(game, {"n": 2}, [{"type": "first"}])
    assert store.save(game, {"n": 3}, [{"type": "second"}]) is None
    assert store.load(game.id) == first
    assert [it.events for it in store.happenings(game.id, 1, 10)[1]] == [[{"type": "first"}]]


def test_events_are_read_from_a_version_on_and_in_parts(store, game):
    record = game
    for n in range(2, 7):
        record = store.save(record, {"n": n}, [{"n": n}])
    record, part = store.happenings(game.id, 2, 3)
    assert record.version == 6
    assert [(it.version, it.events) for it in part] == [(n, [{"n": n}]) for n in (3, 4, 5)]
    assert [it.version for it in store.happenings(game.id, 0, 100)[1]] == [1, 2, 3, 4, 5, 6]
    assert store.happenings(game.id, 6, 10)[1] == []


def test_a_game_that_is_not_there_is_not_found(store, game):
    store.delete(game.id)
    for call in (
        lambda: store.load(game.id),
        lambda: store.happenings(game.id, 0, 1),
        lambda: store.save(game, {"n": 2}, []),
    ):
        with pytest.raises(GameNotFound):
            call()


def test_every_key_has_the_prefix_the_games_hash_tag_and_a_time_to_live(store, game, raw):
    store.save(game, {"n": 2}, [])
    keys = [key.decode() for key in raw.scan_iter(match=f"*{game.id}*")]
    assert sorted(keys) == [f"g:{{{game.id}}}:events", f"g:{{{game.id}}}:state"]
    assert all(990 < raw.ttl(key) <= 1000 for key in keys)


def test_a_change_renews_the_time_to_live(store, game, raw):
    key = f"g:{{{game.id}}}:state"
    raw.expire(key, 5)
    store.save(game, {"n": 2}, [])
    assert raw.ttl(key) > 990


def test_the_stream_is_trimmed_far_above_a_usual_game(store, game, raw):
    key = f"g:{{{game.id}}}:events"
    pipe = raw.pipeline()
    for n in range(2, EVENTS_KEPT + 1000):
        pipe.xadd(key, {"at": "t", "events": "[]"}, id=f"{n}-0")
    pipe.hset(f"g:{{{game.id}}}:state", "version", EVENTS_KEPT + 999)
    pipe.execute()
    store.save(store.load(game.id), {"n": 2}, [])
    assert EVENTS_KEPT <= raw.xlen(key) <= EVENTS_KEPT + 200


def test_a_store_that_is_not_there_is_unavailable(tmp_path):
    gone = Store(connect(f"unix://{tmp_path}/none.sock"), ttl=1000)
    for call in (
        gone.ping,
        lambda: gone.load("x"),
        lambda: gone.delete("x"),
        lambda: gone.happenings("x", 0, 1),
    ):
        with pytest.raises(StoreUnavailable):
            call()
