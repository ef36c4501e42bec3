"""What a view holds, for a seat and for a spectator, and what is shown of events."""

from dataclasses import replace
from random import Random

from rules.shuffle import commitment
from rules.thirteen.combinations import describe
from rules.thirteen.notation import dump_event
from rules.thirteen.options import PRESETS, Options
from rules.thirteen.play import new_game
from rules.thirteen.state import GameStarted
from rules.thirteen.view import view, view_event
from tests.rules.thirteen.playouts import play_out, seeded
from tests.rules.thirteen.positions import SEED, after, position
from tests.rules.thirteen.positions import combination as written

RULES = {
    "preset": "classic",
    "first_lead": "lowest_card_included",
    "pass_lock": True,
    "bombs": "exact",
    "bomb_after_pass": "none",
    "finish": "play_on",
    "instant_wins": [],
}


def player(seat: int, cards: int, passed: bool = False, place: int | None = None) -> dict[str, object]:
    """What everyone sees of a player."""
    return {"seat": seat, "cards": cards, "passed": passed, "place": place}


def test_view_of_a_seat_in_the_middle_of_a_trick() -> None:
    state = after(position("3S 2H TS", "4S 4C", "5D 5H 9D"), "3S", "pass", "5D")
    assert view(state, 0) == {
        "game": "thirteen",
        "status": "in_progress",
        "turn": 0,
        "rules": RULES,
        "commitment": commitment(SEED),
        "table": {"seat": 2, "type": "single", "size": 1, "cards": ["5D"], "high_card": "5D"},
        "must_include": None,
        "players": [player(0, 2), player(1, 2, passed=True), player(2, 2)],
        "winner": None,
        "you": {"seat": 0, "hand": ["TS", "2H"]},
    }


def test_view_of_a_spectator_has_no_hand() -> None:
    state = position("3S 2H", "4S 4C")
    seen = view(state, None)
    assert "you" not in seen
    assert seen == {name: value for name, value in view(state, 1).items() if name != "you"}


def test_t17_view_before_the_first_play() -> None:
    state = new_game(3, SEED, Options()).state
    seen = view(state, None)
    assert (seen["table"], seen["must_include"]) == (None, str(state.must_include))


def test_t18_view_knows_the_winner_at_once_and_the_seed_at_the_end() -> None:
    state = after(position("3S", "4S 6S", "5S 7S"), "3S")
    seen = view(state, None)
    assert (seen["status"], seen["winner"], "seed" in seen) == ("in_progress", 0, False)
    assert seen["players"] == [player(0, 0, place=1), player(1, 2), player(2, 2)]
    seen = view(after(state, "pass", "pass", "6S", "pass", "4S"), None)
    assert (seen["status"], seen["turn"], seen["seed"]) == ("finished", None, SEED.hex())
    assert [shown["place"] for shown in seen["players"]] == [1, 2, 3]


def test_pass_lock_false_shows_who_has_passed_since_the_last_play() -> None:
    state = position("3S 7S", "4S TS", "5S 8S", pass_lock=False)
    passed = [shown["passed"] for shown in view(after(state, "3S", "pass"), None)["players"]]
    assert passed == [False, True, False]
    passed = [shown["passed"] for shown in view(after(state, "3S", "pass", "5S"), None)["players"]]
    assert passed == [False, False, False]


def test_combination_is_type_size_cards_and_high_card() -> None:
    assert describe(written("3S 3H")) == {
        "type": "pair",
        "size": 2,
        "cards": ["3S", "3H"],
        "high_card": "3H",
    }


def test_game_started_shows_only_the_own_hand() -> None:
    state = position("4S 5S", "3S 6S")
    event = dump_event(GameStarted(1, None, state.hands))
    public = {"type": "game_started", "seat": None, "players": 2, "turn": 1, "must_include": None}
    assert view_event(event, None) == public
    assert view_event(event, 0) == {**public, "hand": ["4S", "5S"]}
    assert view_event(event, 1) == {**public, "hand": ["3S", "6S"]}


def test_all_else_that_happens_is_seen_by_all() -> None:
    random = Random(5)
    options = replace(PRESETS["southern"], instant_wins=("six_pairs",))
    step = new_game(4, (9).to_bytes(32, "big"), options)
    events = [dump_event(event) for event in step.events[1:]]
    for _, step in play_out(random, seeded(random, 4, Options()).state):
        events += [dump_event(event) for event in step.events]
    kinds = {"instant_win", "played", "passed", "trick_won", "player_out", "game_over"}
    assert {event["type"] for event in events} == kinds
    for event in events:
        assert view_event(event, None) == view_event(event, 0) == event


def test_a_field_that_is_not_listed_is_not_shown() -> None:
    assert view_event({"type": "passed", "seat": 1, "hand": ["3S"]}, 0) == {"type": "passed", "seat": 1}
