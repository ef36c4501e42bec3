"""The service on a Redis Cluster of three primaries and three replicas, which is broken under load."""

from concurrent.futures import ThreadPoolExecutor

from rules import thirteen
from tests.driver import Table
from tests.faults.punctual import Punctual, in_play, punctual_load
from tests.faults.servers import eventually


def test_games_are_played_to_the_end(cluster, service, times, tried):
    running, count = service(REDIS_URL=cluster.url, WEB_CONCURRENCY="2"), times(10, 1000)
    with ThreadPoolExecutor(4) as pool:
        moves = sum(pool.map(lambda number: play(running, f"{number:064x}"), range(count)))
    tried("Redis Cluster: games played", count, 0, f"{moves:,} moves, none answered 503")


def play(running, seed):
    """A game that is played as the rules have it, whose seed is known, and that no answer contradicts."""
    client = Punctual(running.address)
    table = Table(client, "thirteen", 2, seed=seed)
    state, version = thirteen.new_game(2, bytes.fromhex(seed), thirteen.OPTIONS()).state, 1
    while not thirteen.finished(state):
        action = max(thirteen.legal_actions(state, state.turn), key=lambda it: len(getattr(it, "cards", ())))
        answer = table.move(state.turn, thirteen.dump_action(action)).json()
        state, version = thirteen.apply(state, action).state, version + 1
        assert answer["version"] == version
    seen = table.get(seat=0)
    assert [seen["you"], seen["winner"]] == [thirteen.view(state, 0)[name] for name in ("you", "winner")]
    assert client.failures == 0
    client.http.close()
    return version - 1


def test_slots_move_under_load(cluster, service, times, tried):
    running = service(REDIS_URL=cluster.url, WEB_CONCURRENCY="2", DURABILITY="replica")
    count = times(100, 3000)
    with punctual_load(running) as load:
        source, _ = cluster.shard_of(in_play(load))
        target = next(node for node in cluster.primaries() if node is not source)
        cluster.move_slots(source, target, count)
        load.plays_on()
    note = f"{load.acknowledged:,} moves acknowledged, {load.failures:,} answered 503"
    tried("Redis Cluster: slots moved under load", count, load.lost, note)
    assert load.lost == 0


def goes_on_being_asked(load):
    """Returns after some more requests."""

    def asked():
        return load.moves() + sum(client.failures for client in load.clients)

    before = asked()
    eventually(lambda: asked() > before + 20)


def test_a_slot_moves_to_a_node_the_service_has_not_met(cluster, service, tried, tmp_path):
    running = service(REDIS_URL=cluster.url, WEB_CONCURRENCY="2")
    with cluster.one_more(tmp_path / "new") as new, punctual_load(running) as load:
        game_id = in_play(load)
        (source, _), slot = cluster.shard_of(game_id), cluster.slot_of(game_id)
        for there, back in ((source, new), (new, source)):
            with cluster.moving(there, back, [slot]):
                goes_on_being_asked(load)
            load.plays_on()
    note = f"{load.acknowledged:,} moves acknowledged, {load.failures:,} answered 503"
    tried("Redis Cluster: slot moved to a new node and back", 1, load.lost, note)
    assert load.lost == 0
