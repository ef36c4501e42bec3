"""What a view holds, for a seat and for a spectator, and what is shown of events."""

from dataclasses import replace
from random import Random

import pytest

from rules.shuffle import commitment
from rules.three_thirteen.notation import dump_event
from rules.three_thirteen.options import Options
from rules.three_thirteen.play import new_game
from rules.three_thirteen.rounds import end_round
from rules.three_thirteen.state import Drew, RoundStarted
from rules.three_thirteen.view import view, view_event
from tests.rules.three_thirteen.playouts import play_out, seeded
from tests.rules.three_thirteen.positions import SEED, Piles, after, card, cards, position

HANDS = ("4S 7D JH 2C", "5S 8D QH AC", "6S 9D KH KS")
PILES: Piles = {"stock": "3C AS KD", "discards": "8S TC"}
RULES = {"aces": "low", "decks": None, "leftover_wild": None, "take_back": True}


def player(seat: int, cards: int, total: int, *round_points: int) -> dict[str, object]:
    """What everyone sees of a player."""
    return {"seat": seat, "cards": cards, "total": total, "round_points": [*round_points]}


def test_view_of_a_seat_in_the_middle_of_a_turn() -> None:
    state = replace(position(*HANDS, **PILES, turn=1), points=((7,), (0,), (30,)))
    assert view(after(state, "draw discard"), 1) == {
        "game": "three_thirteen",
        "status": "in_progress",
        "turn": 1,
        "rules": RULES,
        "commitment": commitment(SEED),
        "round": 2,
        "wild_rank": "4",
        "dealer": 0,
        "phase": "discard",
        "stock": 3,
        "discard_top": "8S",
        "discard": 1,
        "went_out": None,
        "melds": [],
        "final_turns_left": None,
        "players": [player(0, 4, 7, 7), player(1, 5, 0, 0), player(2, 4, 30, 30)],
        "winners": None,
        "you": {"seat": 1, "hand": ["5S", "AC", "TC", "8D", "QH"]},
    }


def test_view_of_a_spectator_has_no_hand() -> None:
    state = position(*HANDS, **PILES)
    seen = view(state, None)
    assert "you" not in seen
    assert seen == {name: value for name, value in view(state, 1).items() if name != "you"}


def test_r5_view_before_the_first_turn() -> None:
    state = new_game(3, SEED, Options(aces="low_or_high", decks=5, leftover_wild=20, take_back=False)).state
    seen = view(state, None)
    assert seen["rules"] == {"aces": "low_or_high", "decks": 5, "leftover_wild": 20, "take_back": False}
    assert (seen["round"], seen["wild_rank"], seen["phase"]) == (1, "3", "draw")
    assert (seen["stock"], seen["discard"]) == (5 * 52 - 9 - 1, 1)
    assert (seen["turn"], seen["discard_top"]) == (state.turn, str(state.discards[0]))
    assert seen["players"] == [player(seat, 3, 0) for seat in range(3)]


@pytest.mark.parametrize(("round_", "rank"), [*enumerate("3456789TJQK", 1)])
def test_r8_view_tells_the_wild_rank(round_: int, rank: str) -> None:
    hand = " ".join(["2S"] * (round_ + 2))
    assert view(position(hand, hand), None)["wild_rank"] == rank


def test_r6_view_after_the_only_discard_has_been_taken() -> None:
    seen = view(after(position("4S 7D JH", "5S 8D QH", stock="3C", discards="TC"), "draw discard"), None)
    assert (seen["discard_top"], seen["discard"]) == (None, 0)


def test_r10_view_of_the_last_lap() -> None:
    state = position("7S 3C 7D KH", "5S 8D QH", "6S 9D KC", **PILES)
    seen = view(after(state, "out KH"), 0)
    assert (seen["went_out"], seen["final_turns_left"], seen["turn"]) == (0, 2, 1)
    assert seen["melds"] == [{"type": "set", "cards": ["7S", "7D", "3C"], "represents": ["7S", "7D", "7"]}]
    assert (seen["discard_top"], seen["you"]) == ("KH", {"seat": 0, "hand": []})
    seen = view(after(state, "out KH", "draw stock", "discard 3C"), 0)
    assert seen["final_turns_left"] == 1


def test_r13_view_of_the_end_knows_the_winners_and_the_seed() -> None:
    hand = "AS 2C 3D 4H 5S 6C 7D 8H 9S TC JD QH QD"
    state = end_round(position(hand, hand)).state
    seen = view(state, None)
    assert (seen["status"], seen["turn"], seen["phase"]) == ("finished", None, None)
    assert (seen["winners"], seen["seed"], seen["round"]) == ([0, 1], SEED.hex(), 11)
    assert seen["players"] == [player(seat, 13, 85, *[0] * 10, 85) for seat in (0, 1)]


def test_r13_view_has_neither_seed_nor_winners_before_the_end() -> None:
    state = seeded(Random(3), 3, Options()).state
    views = [view(step.state, 1) for _, step in play_out(Random(3), state)]
    assert views[-1]["seed"] == state.seed.hex()
    assert not any("seed" in seen or seen["winners"] for seen in views[:-1])


def test_a_card_drawn_from_the_stock_is_seen_by_its_drawer_alone() -> None:
    event = dump_event(Drew(1, "stock", card("TC")))
    known = {"type": "drew", "seat": 1, "from": "stock", "card": "TC"}
    assert view_event(event, 1) == known
    assert view_event(event, 0) == view_event(event, None) == {**known, "card": None}


def test_a_card_drawn_from_the_discard_pile_is_seen_by_all() -> None:
    event = dump_event(Drew(1, "discard", card("TC")))
    known = {"type": "drew", "seat": 1, "from": "discard", "card": "TC"}
    assert [view_event(event, seat) for seat in (0, 1, None)] == [known] * 3


def test_round_started_shows_only_the_own_hand() -> None:
    event = dump_event(RoundStarted(1, 0, 1, card("TC"), 45, (cards("4S 7D JH"), cards("5S 8D QH"))))
    public = {
        "type": "round_started",
        "seat": None,
        "round": 1,
        "wild_rank": "3",
        "dealer": 0,
        "turn": 1,
        "discard_top": "TC",
        "stock": 45,
    }
    assert view_event(event, None) == public
    assert view_event(event, 0) == {**public, "hand": ["4S", "7D", "JH"]}
    assert view_event(event, 1) == {**public, "hand": ["5S", "8D", "QH"]}


def test_all_else_that_happens_is_seen_by_all() -> None:
    start = seeded(Random(7), 7, Options(decks=2))
    steps = [start, *(step for _, step in play_out(Random(7), start.state, eager=0.02))]
    events = [dump_event(event) for step in steps for event in step.events]
    kinds = {event["type"]: event for event in events}
    assert {*kinds} - {"drew", "round_started"} == {
        "game_started",
        "discarded",
        "went_out",
        "stock_refilled",
        "round_ended",
        "game_over",
    }
    for event in events:
        if event["type"] not in ("drew", "round_started"):
            assert view_event(event, None) == view_event(event, 0) == event


def test_a_field_that_is_not_listed_is_not_shown() -> None:
    event = {"type": "discarded", "seat": 1, "card": "3S", "hand": ["4S"]}
    assert view_event(event, 1) == {"type": "discarded", "seat": 1, "card": "3S"}
