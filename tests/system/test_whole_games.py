"""Whole games over HTTP through gunicorn and the real store, every number of players and every option."""

import random

import pytest

from tests.driver import Table

THIRTEEN = [
    (2, {}),
    (3, {}),
    (4, {}),
    (4, {"preset": "southern"}),
    (3, {"preset": "southern", "instant_wins": ["dragon"], "bomb_after_pass": "any"}),
    (4, {"first_lead": "lowest_card", "pass_lock": False}),
    (2, {"first_lead": "seat", "bombs": "at_least"}),
    (4, {"bombs": "southern", "finish": "first_out", "bomb_after_pass": "four_pairs"}),
    (3, {"bombs": "at_least", "bomb_after_pass": "any", "instant_wins": ["four_twos", "six_pairs"]}),
    (4, {"instant_wins": ["five_consecutive_pairs"], "finish": "first_out"}),
]
THREE_THIRTEEN = [
    (2, {}),
    (3, {"aces": "low_or_high"}),
    (4, {"take_back": False}),
    (5, {"decks": 8}),
    (6, {"leftover_wild": 20}),
    (7, {"leftover_wild": 0, "aces": "low_or_high"}),
    (8, {}),
]


@pytest.mark.parametrize(("players", "rules"), THIRTEEN)
def test_thirteen_is_played_to_the_end(client, players, rules):
    for seed in range(5):
        table = Table(client, "thirteen", players, rules=rules, seed=f"{seed:064x}")
        moves = sum(1 for _ in table.play(random.Random(seed)))
        end = table.get()
        assert end["status"] == "finished"
        assert end["version"] == moves + 1
        assert_places(end, rules)


def assert_places(end, rules):
    """T18: the winner has no cards and the first place; without `first_out` all places are given."""
    places = [player["place"] for player in end["players"]]
    assert places[end["winner"]] == 1
    if end["version"] > 1:
        assert end["players"][end["winner"]]["cards"] == 0
        ends_early = rules.get("finish") == "first_out"
        given = [1] if ends_early else list(range(1, len(places) + 1))
        assert sorted(place for place in places if place) == given


@pytest.mark.parametrize(("players", "rules"), THREE_THIRTEEN)
def test_three_thirteen_is_played_to_the_end(client, players, rules):
    table = Table(client, "three_thirteen", players, rules=rules, seed=f"{players:064x}")
    for _ in table.play(random.Random(players)):
        pass
    end = table.get()
    points = [player["round_points"] for player in end["players"]]
    totals = [player["total"] for player in end["players"]]
    assert end["status"] == "finished"
    assert all(len(rounds) == 11 for rounds in points)
    assert totals == [sum(rounds) for rounds in points]
    assert end["winners"] == [seat for seat, total in enumerate(totals) if total == min(totals)]
    assert all(0 in rounds for rounds in zip(*points, strict=True))
