"""Recorded games of both kinds, replayed move by move from their seeds.

A recording has `game`, `players`, `seed` (hex), `rules`, `first_seat`, `moves` (`seat` and the `move`
as a body), `events` (those of the start, then of each move, in full) and `final`, the spectator's view
of the end. A position is written down and read back before each move.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from rules import GAMES
from rules.game import Game, Step

RECORDINGS = sorted((Path(__file__).parent / "playthroughs").glob("*.json"))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_recorded_game(path: Path) -> None:
    recording = json.loads(path.read_text(encoding="utf-8"))
    game = GAMES[recording["game"]]
    options = game.OPTIONS.build(recording["rules"])
    seed = bytes.fromhex(recording["seed"])
    step = game.new_game(recording["players"], seed, options, recording["first_seat"])
    assert told(game, step) == recording["events"][0]
    for made, expected in zip(recording["moves"], recording["events"][1:], strict=True):
        state = game.load(as_json(game.dump(step.state)))
        assert state == step.state
        step = game.apply(state, game.load_action(made["seat"], made["move"]))
        assert told(game, step) == expected
    assert game.finished(step.state)
    assert as_json(game.view(step.state, None)) == recording["final"]


def told(game: Game[Any, Any, Any], step: Step[Any, Any]) -> Any:
    """The events of a step as JSON."""
    return as_json([game.dump_event(event) for event in step.events])


def as_json(value: Any) -> Any:
    """The value as it comes out of JSON text."""
    return json.loads(json.dumps(value))


def test_both_games_are_recorded() -> None:
    assert {json.loads(path.read_text(encoding="utf-8"))["game"] for path in RECORDINGS} == {*GAMES}
