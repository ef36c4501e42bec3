"""Many clients, four workers, one game: one winner a version, nothing lost, nothing twice, no 5xx."""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from rules import GAMES
from tests.driver import Table, choose

THREADS = 8


@pytest.mark.parametrize(("game", "players", "versions"), [("thirteen", 4, 500), ("three_thirteen", 3, 150)])
def test_eight_clients_race_on_one_game(address, game, players, versions):
    seed = "5a" * 32
    with httpx.Client(base_url=address, timeout=20) as client:
        table = Table(client, game, players, seed=seed)
        with ThreadPoolExecutor(THREADS) as pool:
            racers = [pool.submit(race, address, table, number, versions) for number in range(THREADS)]
            answers = [answer for racer in racers for answer in racer.result()]
        end = table.get()
        happened = every_event(table)
    statuses = Counter(status for status, _ in answers)
    assert set(statuses) <= {200, 409, 412}, statuses
    won = sorted(version for status, version in answers if status == 200)
    assert won == list(range(2, end["version"] + 1))
    assert sorted({event["version"] for event in happened}) == list(range(1, end["version"] + 1))
    assert_replayed(game, players, seed, happened, end)


def race(address, table, number, versions):
    """Moves for whoever's turn it is, as fast as it can, every other time with `If-Match`."""
    rng = random.Random(number)
    answers = []
    with httpx.Client(base_url=address, timeout=20) as client:
        mine = table.through(client)
        for turn in range(20 * versions):
            view = mine.get()
            if view["status"] == "finished" or view["version"] > versions:
                break
            seat = view["turn"]
            view = mine.get(seat=seat)
            moves = mine.moves(seat)
            if not moves:
                continue
            headers = {"If-Match": f'"{view["version"]}"'} if turn % 2 else {}
            answer = mine.move(seat, choose(rng, view, moves), **headers)
            answers.append((answer.status_code, answer.json().get("version")))
    return answers


def every_event(table):
    events, after = [], 0
    while page := table.get(f"/events?after={after}&limit=1000")["events"]:
        events += page
        after = page[-1]["version"]
    return events


def assert_replayed(name, players, seed, happened, end):
    """The events' moves, applied from the seed, lead to the very state that the store holds."""
    game = GAMES[name]
    state = game.new_game(players, bytes.fromhex(seed), game.OPTIONS()).state
    for event in happened:
        if move := as_move(event):
            state = game.apply(state, game.load_action(event["seat"], move)).state
    view = game.view(state, None)
    shared = view.keys() - {"players"}
    assert {key: view[key] for key in shared} == {key: end[key] for key in shared}
    assert [{**player, "name": f"Player {seat}"} for seat, player in enumerate(view["players"])] == end[
        "players"
    ]


def as_move(event):
    """The move behind an event that is public in full, else `None`."""
    match event["type"]:
        case "played":
            return {"type": "play", "cards": event["combination"]["cards"]}
        case "passed":
            return {"type": "pass"}
        case "drew":
            return {"type": "draw", "from": event["from"]}
        case "discarded":
            return {"type": "discard", "card": event["card"]}
        case "went_out":
            melds = [meld["cards"] for meld in event["melds"]]
            return {"type": "go_out", "discard": event["discard"], "melds": melds}
    return None
