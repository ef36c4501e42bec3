"""The commands for people, as processes of their own."""

import json
import os
import pty
import random
import re
import subprocess
import sys

import httpx
import pytest

from service.cli import main
from tests.driver import Table
from tests.system.test_races import every_event

SEED = "0" * 62 + "13"
HAND = ("KH", "KD", "2S", "3S", "5S", "6C")


def thirteens(*words, **environ):
    """The exit code, what was printed, and what was complained of."""
    plain = {name: value for name, value in os.environ.items() if name not in ("LANG", "LC_ALL")}
    command = [sys.executable, "-m", "service", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, env=plain | environ, timeout=60)
    return done.returncode, done.stdout, done.stderr


def test_a_deal_is_shown_with_symbols():
    code, said, _ = thirteens("deal", "three_thirteen", "--players", 2, "--round", 1, "--seed", SEED)
    assert code == 0
    assert re.search(r"^seat 0 +2♠ 5♣ J♦$", said, re.MULTILINE)
    assert re.search(r"^discard +7♣$", said, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("7S", "7H", "--table", "7C", "7D"), 0, "yes: pair 7♠ 7♥\n"),
        (("4S", "--table", "5S"), 1, "no: 4♠ does not beat 5♠.\n"),
        (
            ("5S", "5C", "5D", "5H", "--table", "2S", "2C", "--rule", "preset=southern"),
            0,
            "yes: quad 5♠ 5♣ 5♦ 5♥\n",
        ),
        (("10s", "--hand", "3S"), 1, "no: 10♠ is not in the hand.\n"),
    ],
)
def test_a_play_is_judged(words, code, said):
    assert thirteens("check", *words) == (code, said, "")


def test_a_hand_is_scored_and_with_a_card_more_a_discard_found():
    code, said, _ = thirteens("score", "--round", 4, *HAND)
    assert (code, said.splitlines()) == (
        0,
        ["points      10", "set         K♥ K♦ 6♣  as K♥ K♦ K", "left over   2♠ 3♠ 5♠"],
    )
    code, said, _ = thirteens("score", "--round", 4, *HAND, "QD")
    assert (code, said.splitlines()[0]) == (0, "discard     Q♦")


def test_json_is_what_the_api_answers(address):
    asked = {"hand": HAND, "round": 4, "rules": {"leftover_wild": 20}}
    answer = httpx.post(f"{address}/v1/three-thirteen/score-hand", json=asked).json()
    code, said, _ = thirteens("score", "--json", "--round", 4, "--rule", "leftover_wild=20", *HAND)
    assert (code, json.loads(said)) == (0, answer)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("check", "7X"), "cards/0: No card is written like this: 7X."),
        (("score", "--round", 4, "7S", "8S"), "hand: The hand has the wrong number of cards"),
        (("deal", "thirteen", "--players", 9), "players: "),
        (("check", "7S", "--rule", "bombs=always"), "rules/bombs: "),
        (("deal", "poker", "--players", 2), "invalid choice: 'poker'"),
        (("shuffle",), "invalid choice: 'shuffle'"),
        (("verify", "nowhere.json", "nowhere.json"), "nowhere.json: "),
        (("verify", "http://127.0.0.1:9/v1/games/x"), "http://127.0.0.1:9/v1/games/x: "),
    ],
)
def test_what_can_not_be_answered_is_said_in_a_line(words, complaint):
    code, said, complained = thirteens(*words)
    assert (code, said) == (2, "")
    assert complaint in complained
    assert len(complained.splitlines()) == 1


def test_messages_are_in_the_language_of_the_terminal():
    _, said, _ = thirteens("check", "4S", "--table", "5S", LANG="sk_SK.UTF-8")
    assert said == "no: 4♠ neprebije 5♠.\n"


@pytest.mark.parametrize("command", ["serve", "deal", "check", "score", "verify"])
def test_help_shows_examples(command):
    code, said, _ = thirteens(command, "--help")
    assert code == 0
    assert f"examples:\n  thirteens {command}" in said.replace(
        "PORT=9000 REDIS_URL=redis://127.0.0.1:6379/0 ", ""
    )


def test_red_suits_are_red_on_a_terminal_unless_it_has_no_colours():
    for environ, shown in (({}, "7♠ \033[31m7♥\033[0m"), ({"NO_COLOR": "1"}, "7♠ 7♥")):
        ours, its = pty.openpty()
        with os.fdopen(ours, "rb", 0) as terminal:
            command = [sys.executable, "-m", "service", "check", "7S", "7H"]
            subprocess.run(command, stdout=its, check=True, env=os.environ | environ, timeout=60)
            os.close(its)
            assert shown in terminal.read(1000).decode()


@pytest.fixture
def finished(address):
    """A function that plays a game to its end at the service: its address, its view, its events."""

    def play(game, **rules):
        with httpx.Client(base_url=address, timeout=20) as client:
            table = Table(client, game, 3, rules=rules)
            for _ in table.play(random.Random(3)):
                pass
            return f"{address}{table.path}", table.get(), every_event(table)

    return play


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("thirteen", {}),
        ("thirteen", {"preset": "southern", "first_lead": "seat"}),
        ("three_thirteen", {}),
        ("three_thirteen", {"aces": "low_or_high", "take_back": False}),
    ],
)
def test_a_finished_game_is_verified_move_by_move(finished, game, rules, tmp_path):
    where, view, events = finished(game, **rules)
    code, said, complained = thirteens("verify", where)
    assert (code, complained) == (0, "")
    assert [line[0] for line in said.splitlines()] == ["✓"] * 4
    random.Random(4).shuffle(places := list(range(1, len(events))))
    for place in places[:5]:
        assert verdict(tmp_path, view, spoilt(events, place)) == 1
    assert verdict(tmp_path, view, events[:-1]) == 1
    assert verdict(tmp_path, {**view, "seed": SEED}, events) == 1
    assert verdict(tmp_path, {**view, "players": view["players"][::-1]}, events) == 1
    assert verdict(tmp_path, {**view, "status": "in_progress"}, events) == 1
    for broken in ({"status": "finished"}, {}, [], 5, {**view, "game": "poker"}, {**view, "players": None}):
        assert verdict(tmp_path, broken, events) == 2, broken
    for broken in (None, 5, [None], [{}], [{"version": 1}]):
        assert verdict(tmp_path, view, broken) in (1, 2), broken
    assert verdict(tmp_path, view, events) == 0


def verdict(folder, view, events):
    """The exit code for a game and its events in files."""
    game, happened = folder / "game.json", folder / "events.json"
    game.write_text(json.dumps(view))
    happened.write_text(json.dumps({"events": events}))
    return main(["verify", str(game), str(happened)])


def spoilt(events, place):
    """The events with one of them told of another seat."""
    seat = events[place]["seat"]
    other = {**events[place], "seat": 0 if seat is None else (seat + 1) % 3}
    return [*events[:place], other, *events[place + 1 :]]
