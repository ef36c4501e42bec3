"""Eight clients, four workers, one game, no `If-Match`: each version has one winner, no event is amiss."""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby

import pytest

from rules import GAMES
from tests.driver import Table, choose
from tests.faults.servers import Service
from tests.system.test_races import as_move, every_event

CLIENTS = 8


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A service with four workers and a store of its own."""
    with Service(tmp_path_factory.mktemp("race") / "service", WEB_CONCURRENCY="4") as service:
        yield service


@pytest.mark.parametrize(("game", "players"), [("thirteen", 4), ("three_thirteen", 3)])
def test_every_version_has_one_winner(running, times, tried, game, players):
    """Whoever comes second is told that it is no longer its turn, or has its move judged anew."""
    games, versions, refused = times(1, 5), 0, 0
    for number in range(games):
        seed = f"{number:064x}"
        with running.client() as client:
            table = Table(client, game, players, seed=seed)
            with ThreadPoolExecutor(CLIENTS) as pool:
                racers = [
                    pool.submit(race, running, table, racer, times(80, 250)) for racer in range(CLIENTS)
                ]
                answers = [answer for racer in racers for answer in racer.result()]
            end, happened = table.get(), every_event(table)
        assert {status for status, _ in answers} == {200, 409}
        won = sorted(version for status, version in answers if status == 200)
        assert won == list(range(2, end["version"] + 1))
        assert_the_game_itself(game, players, seed, happened, end)
        versions += end["version"]
        refused += Counter(status for status, _ in answers)[409]
    note = f"{versions:,} versions, one winner each; {refused:,} moves came too late"
    tried(f"8 clients, 4 workers, one game of {game}", games, 0, note)


def race(running, table, number, most):
    """Moves for whoever's turn it is, up to so many versions: (status, version) of each answer."""
    rng, answers = random.Random(number), []
    with running.client() as client:
        mine = table.through(client)
        view = mine.get()
        while view["status"] != "finished" and view["version"] < most:
            seat = view["turn"]
            view = mine.get(seat=seat)
            if moves := mine.moves(seat):
                answer = mine.move(seat, choose(rng, view, moves))
                answers.append((answer.status_code, answer.json().get("version")))
            view = mine.get()
    return answers


def assert_the_game_itself(name, players, seed, happened, end):
    """The moves that the events tell of, made anew from the seed, give these very events and this end."""
    game = GAMES[name]
    step = game.new_game(players, bytes.fromhex(seed), game.OPTIONS.build({}))
    assert [version for version, _ in by_version(happened)] == list(range(1, end["version"] + 1))
    for version, told in by_version(happened):
        if version > 1:
            step = game.apply(step.state, game.load_action(*next(filter(None, map(seat_and_move, told)))))
        seen = [game.view_event(game.dump_event(event), None) for event in step.events]
        assert seen == [
            {name: event[name] for name in event if name not in ("version", "at")} for event in told
        ]
    view = game.view(step.state, None)
    for player, shown in zip(view.pop("players"), end["players"], strict=True):
        assert player.items() <= shown.items()
    assert view.items() <= end.items()


def seat_and_move(event):
    """What the seat sent, whose melds the service laid down; `None` for what followed from it."""
    move = as_move(event)
    return move and (event["seat"], {name: move[name] for name in move if name != "melds"})


def by_version(happened):
    return [(version, list(events)) for version, events in groupby(happened, lambda event: event["version"])]
