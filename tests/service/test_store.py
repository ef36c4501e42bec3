"""The store against a real server: compare-and-set, events, expiry, and failure as StoreUnavailable."""

import os

import pytest
from redis import Redis

from service.connection import connect
from service.idempotency import Memo
from service.store import EVENTS_KEPT, GameNotFound, Record, Store, StoreUnavailable, now

META = {"game": "thirteen", "created_at": "2026-01-01T00:00:00.000Z"}


@pytest.fixture
def raw(redis_url):
    return Redis.from_url(redis_url)


@pytest.fixture
def store(redis_url):
    return Store(connect(redis_url), ttl=1000)


BLANK = Memo("", 0)


def save(store, before, state, events):
    """The next version of a game where it is stored, else `None`."""
    after = Record(before.id, before.version + 1, before.meta, state, now())
    return after if store.commit(after, events, BLANK, None) else None


@pytest.fixture
def game(store):
    record = Record(os.urandom(8).hex(), 1, META, {"n": 1}, META["created_at"])
    assert store.commit(record, [{"type": "started"}], BLANK, None) is BLANK
    return record


def test_what_is_created_is_loaded(store, game):
    assert store.load(game.id) == game
    assert (game.version, game.state, game.updated_at) == (1, {"n": 1}, META["created_at"])


def test_an_id_is_not_created_twice(store, game):
    again = Record(game.id, 1, META, {"n": 2}, now())
    assert store.commit(again, [], BLANK, None) is None
    assert store.load(game.id) == game


def test_a_save_is_the_next_version(store, game):
    after = save(store, game, {"n": 2}, [{"type": "moved"}])
    assert after.version == 2
    assert store.load(game.id) == after
    assert after.meta == game.meta


def test_of_two_saves_upon_one_version_the_second_changes_nothing(store, game):
    first = save(store, game, {"n": 2}, [{"type": "first"}])
    assert save(store, game, {"n": 3}, [{"type": "second"}]) is None
    assert store.load(game.id) == first
    assert [it.events for it in store.happenings(game.id, 1, 10)[1]] == [[{"type": "first"}]]


def test_events_are_read_from_a_version_on_and_in_parts(store, game):
    record = game
    for n in range(2, 7):
        record = save(store, record, {"n": n}, [{"n": n}])
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
        lambda: save(store, game, {"n": 2}, []),
    ):
        with pytest.raises(GameNotFound):
            call()


def test_every_key_has_the_prefix_the_games_hash_tag_and_a_time_to_live(store, game, raw):
    save(store, game, {"n": 2}, [])
    keys = [key.decode() for key in raw.scan_iter(match=f"*{game.id}*")]
    assert sorted(keys) == [f"g:{{{game.id}}}:events", f"g:{{{game.id}}}:state"]
    assert all(990 < raw.ttl(key) <= 1000 for key in keys)


def test_a_change_renews_the_time_to_live(store, game, raw):
    key = f"g:{{{game.id}}}:state"
    raw.expire(key, 5)
    save(store, game, {"n": 2}, [])
    assert raw.ttl(key) > 990


def test_the_stream_is_trimmed_far_above_a_usual_game(store, game, raw):
    key = f"g:{{{game.id}}}:events"
    pipe = raw.pipeline()
    for n in range(2, EVENTS_KEPT + 1000):
        pipe.xadd(key, {"at": "t", "events": "[]"}, id=f"{n}-0")
    pipe.hset(f"g:{{{game.id}}}:state", "version", EVENTS_KEPT + 999)
    pipe.execute()
    save(store, store.load(game.id), {"n": 2}, [])
    assert EVENTS_KEPT <= raw.xlen(key) <= EVENTS_KEPT + 200


def test_a_store_that_is_not_there_is_unavailable(tmp_path):
    gone = Store(connect(f"unix://{tmp_path}/none.sock"), ttl=1000)
    for call in (
        gone.check,
        lambda: gone.load("x"),
        lambda: gone.delete("x"),
        lambda: gone.happenings("x", 0, 1),
    ):
        with pytest.raises(StoreUnavailable):
            call()


def test_an_answer_is_kept_with_its_change_and_given_again_instead_of_a_second_one(store, game):
    after = Record(game.id, 2, game.meta, {"n": 2}, now())
    memo = Memo("asked", 2, b'{"version": 2}')
    assert store.commit(after, [{"n": 2}], memo, "key") is memo
    kept = store.commit(Record(game.id, 3, game.meta, {"n": 3}, now()), [{"n": 3}], Memo("asked", 3), "key")
    assert (kept.version, kept.body, kept.again) == (2, memo.body, True)
    assert store.load(game.id) == after
    assert store.recall(game.id, "key") == kept
    assert store.load_with_memo(game.id, "key") == (after, kept)
    assert store.load_with_memo(game.id, "other") == (after, None)
