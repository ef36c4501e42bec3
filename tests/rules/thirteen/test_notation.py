"""States, actions, events and deals as JSON: what is written, and that it is read back."""

import json
from random import Random

import pytest

from rules.errors import InvalidAction, UnknownFormat
from rules.game import OtherGamesMove
from rules.options import values
from rules.shuffle import commitment
from rules.thirteen.notation import deal, dump, dump_action, dump_event, load, load_action
from rules.thirteen.options import PRESETS, Options
from rules.thirteen.play import apply, legal_actions, new_game
from rules.thirteen.state import (
    Event,
    GameOver,
    GameStarted,
    InstantWin,
    Pass,
    Passed,
    Play,
    Played,
    PlayerOut,
    TrickWon,
)
from tests.rules.thirteen.playouts import play_out, seeded
from tests.rules.thirteen.positions import ALL_OPTIONS, SEED, after, cards, combination, position


def test_dump_writes_all_there_is() -> None:
    state = after(position("3S 2H TS", "4S 4C", "5D 9D", bombs="southern"), "3S", "pass", "5D")
    assert dump(state) == {
        "format": 1,
        "seed": SEED.hex(),
        "options": values(Options(bombs="southern")),
        "hands": ["TS2H", "4S4C", "9D"],
        "places": [None, None, None],
        "turn": 0,
        "must_include": None,
        "trick": {"seat": 2, "cards": "5D", "passed": [1], "declined": []},
    }


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_state_is_read_back_from_json_text(players: int) -> None:
    random = Random(players)
    for options in (*ALL_OPTIONS[::7], PRESETS["southern"]):
        state = seeded(random, players, options).state
        assert load(json.loads(json.dumps(dump(state)))) == state
        for _, step in play_out(random, state):
            assert load(json.loads(json.dumps(dump(step.state)))) == step.state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_moves_from_json_text_replay_a_game_from_its_seed(players: int) -> None:
    random = Random(players)
    for options in ALL_OPTIONS[::7]:
        start = seeded(random, players, options).state
        moves, events, end = [], [], start
        for action, step in play_out(random, start):
            moves.append((action.seat, json.dumps(dump_action(action))))
            events.append(step.events)
            end = step.state
        first_seat = start.turn if options.first_lead == "seat" else None
        state = new_game(players, start.seed, Options.build(values(options)), first_seat).state
        assert state == start
        for (seat, body), expected in zip(moves, events, strict=True):
            step = apply(state, load_action(seat, json.loads(body)))
            assert step.events == expected
            state = step.state
        assert state == end


@pytest.mark.parametrize("data", [{}, {"format": 2}, {"format": "1"}, {"format": None, "seed": ""}])
def test_a_format_that_is_not_known_is_not_read(data: dict[str, object]) -> None:
    with pytest.raises(UnknownFormat) as raised:
        load(data)
    assert raised.value.version == data.get("format")


def test_legal_actions_are_read_back_from_their_bodies() -> None:
    state = after(position("3S 9S", "4S 4C 4D 2S 5H"), "3S")
    for action in legal_actions(state, 1):
        assert load_action(1, json.loads(json.dumps(dump_action(action)))) == action


def test_actions_as_bodies() -> None:
    assert dump_action(Play(2, cards("3S 3H"))) == {"type": "play", "cards": ["3S", "3H"]}
    assert dump_action(Pass(2)) == {"type": "pass"}


def test_cards_of_a_body_may_be_spelled_in_any_way() -> None:
    body = {"type": "play", "cards": ["10s", "T♥", "tc"]}
    assert load_action(3, body) == Play(3, cards("TS TH TC"))


@pytest.mark.parametrize("type_", ["draw", "discard", "go_out"])
def test_moves_of_the_other_game_are_known_as_such(type_: str) -> None:
    assert load_action(1, {"type": type_}) == OtherGamesMove(1, type_)


@pytest.mark.parametrize(
    ("body", "fault", "path"),
    [
        ({}, "missing_field", ("type",)),
        ({"type": 3}, "invalid_type", ("type",)),
        ({"type": "play"}, "missing_field", ("cards",)),
        ({"type": "play", "cards": "3S"}, "invalid_type", ("cards",)),
        ({"type": "play", "cards": []}, "out_of_range", ("cards",)),
        ({"type": "play", "cards": ["3S"] * 14}, "out_of_range", ("cards",)),
        ({"type": "play", "cards": ["3S", "1S"]}, "invalid_card", ("cards", 1)),
        ({"type": "play", "cards": [["3S"]]}, "invalid_card", ("cards", 0)),
        ({"type": "play", "cards": ["TS", "3S", "10s"]}, "duplicate_card", ("cards", 2)),
    ],
)
def test_malformed_bodies(body: dict[str, object], fault: str, path: tuple[str | int, ...]) -> None:
    with pytest.raises(InvalidAction) as raised:
        load_action(0, body)
    assert (raised.value.fault, raised.value.path) == (fault, path)


@pytest.mark.parametrize(
    ("event", "written"),
    [
        (
            GameStarted(1, cards("3S")[0], (cards("4S 5S"), cards("3S 6S"))),
            {
                "type": "game_started",
                "seat": None,
                "players": 2,
                "turn": 1,
                "must_include": "3S",
                "hands": [["4S", "5S"], ["3S", "6S"]],
            },
        ),
        (
            GameStarted(None, None, (cards("4S"), cards("3S"))),
            {
                "type": "game_started",
                "seat": None,
                "players": 2,
                "turn": None,
                "must_include": None,
                "hands": [["4S"], ["3S"]],
            },
        ),
        (
            InstantWin(1, "dragon", cards("3S 6S")),
            {"type": "instant_win", "seat": 1, "kind": "dragon", "hand": ["3S", "6S"]},
        ),
        (
            Played(0, combination("3S 3C"), 4),
            {
                "type": "played",
                "seat": 0,
                "cards_left": 4,
                "combination": {"type": "pair", "size": 2, "cards": ["3S", "3C"], "high_card": "3C"},
            },
        ),
        (Passed(2), {"type": "passed", "seat": 2}),
        (TrickWon(2, 3), {"type": "trick_won", "seat": 2, "leads": 3}),
        (PlayerOut(0, 1), {"type": "player_out", "seat": 0, "place": 1}),
        (
            GameOver(1, (None, 1)),
            {"type": "game_over", "seat": None, "winner": 1, "places": [None, 1]},
        ),
    ],
)
def test_events_as_json(event: Event, written: dict[str, object]) -> None:
    assert json.loads(json.dumps(dump_event(event))) == written


@pytest.mark.parametrize("players", [2, 3, 4])
def test_t17_deal_is_laid_open(players: int) -> None:
    answer = deal(players, SEED, Options())
    state = new_game(players, SEED, Options()).state
    assert {name: answer[name] for name in ("game", "players", "decks", "seed", "commitment")} == {
        "game": "thirteen",
        "players": players,
        "decks": 1,
        "seed": SEED.hex(),
        "commitment": commitment(SEED),
    }
    assert [set(hand) for hand in answer["hands"]] == [{c.text for c in hand} for hand in state.hands]
    assert len({card for part in (*answer["hands"], answer["undealt"]) for card in part}) == 52
    assert (answer["lead_seat"], answer["lead_card"]) == (state.turn, str(state.must_include))


def test_deal_with_first_lead_by_seat_has_no_lead_card() -> None:
    answer = deal(2, SEED, Options(first_lead="seat"))
    assert (answer["lead_seat"], answer["lead_card"]) == (0, None)


@pytest.mark.parametrize("name", ["round", "dealer"])
def test_deal_knows_no_rounds_and_no_dealer(name: str) -> None:
    assert deal(2, SEED, Options(), **{name: None}) == deal(2, SEED, Options())
    with pytest.raises(InvalidAction) as raised:
        deal(2, SEED, Options(), **{name: 0})
    assert (raised.value.fault, raised.value.path) == ("unknown_field", (name,))
