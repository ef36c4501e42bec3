"""R3 to R5, R8, R11 and R13: how rounds follow each other, how hands are scored, and the end of the game."""

from dataclasses import replace
from random import Random

import pytest

from rules.three_thirteen.arrangement import Arrangement, Meld
from rules.three_thirteen.dealing import deal_round
from rules.three_thirteen.options import Options
from rules.three_thirteen.play import finished, legal_actions
from rules.three_thirteen.rounds import end_round, start_round
from rules.three_thirteen.state import (
    Discarded,
    Event,
    GameOver,
    RoundEnded,
    RoundStarted,
    Scored,
    State,
    by_suit,
)
from tests.rules.three_thirteen.playouts import play_out, seeded
from tests.rules.three_thirteen.positions import SEED, Piles, after, card, cards, played, position, reason

THIRTEEN = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KC"
"""A run of all ranks, the king being wild."""

PLAIN = "AS 2C 3D 4H 5S 6C 7D 8H 9S TC JD QH"
"""No rank twice, and no two cards of a suit that are near each other: even with a wild there is no meld."""
PILES: Piles = {"stock": "2C AS 7H 2D 6C", "discards": "8S TC"}


def scored(*hands: str, **rules: object) -> tuple[int, ...]:
    """The points of each hand in the round that the size of the hands tells, where nobody has gone out."""
    state = position(*hands, options=Options.build(rules))
    return tuple(points[-1] for points in end_round(state).state.points)


@pytest.mark.parametrize("players", [2, 5, 8])
def test_r3_r4_r5_eleven_rounds_the_deal_passes_to_the_left(players: int) -> None:
    starts = [seeded(Random(players), players, Options()).state]
    first = starts[0].dealer
    for _, step in play_out(Random(players), starts[0]):
        if step.state.round != starts[-1].round:
            starts.append(step.state)
    assert [state.round for state in starts] == [*range(1, 12)]
    for state in starts:
        dealer = (first + state.round - 1) % players
        dealt = deal_round(players, state.seed, Options(), state.round, dealer)
        assert (state.dealer, state.turn, state.phase) == (dealer, (dealer + 1) % players, "draw")
        assert [len(hand) for hand in state.hands] == [state.round + 2] * players
        assert state.hands == tuple(by_suit(hand) for hand in dealt.hands)
        assert (state.discards, state.stock) == ((dealt.turned_up,), dealt.stock)
        assert (state.taken, state.refills, state.went_out, state.final_turns) == (None, 0, None, 0)


def test_r3_the_start_of_a_round_is_told() -> None:
    step = start_round(SEED, Options(), 7, 2, ((0,) * 6,) * 3)
    dealt = deal_round(3, SEED, Options(), 7, 2)
    hands = tuple(by_suit(hand) for hand in dealt.hands)
    assert step.events == (RoundStarted(7, 2, 0, dealt.turned_up, len(dealt.stock), hands),)
    assert step.state.points == ((0,) * 6,) * 3


def test_r3_r4_the_next_round_is_dealt_with_the_last_discard_of_the_round_before() -> None:
    state = after(position("7S 7C 7D KH", "5S 8D QH", turn=0, **PILES), "out KH", "draw stock")
    state, events = played(state, "discard QH")
    dealt = deal_round(2, SEED, Options(), 2, 0)
    hands = tuple(by_suit(hand) for hand in dealt.hands)
    sevens, left = Meld("set", cards("7S 7C 7D"), ("7S", "7C", "7D")), cards("5S 2C 8D")
    assert events == (
        Discarded(1, card("QH")),
        RoundEnded(
            1,
            (
                Scored(0, cards("7S 7C 7D"), Arrangement(0, (sevens,), ())),
                Scored(1, left, Arrangement(15, (), tuple(zip(left, (5, 2, 8), strict=True)))),
            ),
            (0, 15),
        ),
        RoundStarted(2, 0, 1, dealt.turned_up, len(dealt.stock), hands),
    )
    assert state == start_round(SEED, Options(), 2, 0, ((0,), (15,))).state


def test_r14_the_count_of_refills_starts_anew_in_each_round() -> None:
    state = position("7S 7C 7D KH", "5S 8D QH", discards="8S TC 2C")
    state = after(state, "out KH", "draw stock")
    assert state.refills == 1
    state = after(state, "discard QH")
    assert (state.round, state.refills) == (2, 0)


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("AS 2C 9D", 12),
        ("TC JD QH", 30),
        ("KS KC 4D", 24),
        ("4S 5C 6D", 15),
        ("4S 5S 6S", 0),
        ("QD QH QS", 0),
        ("3S 9C 7D", 19),
        ("3S 9C 9D", 0),
        ("3S 3C 8D", 0),
        ("3S 3C 3C", 0),
        ("AS 2S QC TD", 23),
        ("7S 7C 7D 7H 8H 9H", 0),
        ("2S 3S 4S 4C 4D", 5),
        ("JS JC JD QS KS TH 9S 8S 2D 4C", 23),
    ],
)
def test_r8_r11_points_of_a_hand(hand: str, points: int) -> None:
    assert scored(hand, hand) == (points, points)


@pytest.mark.parametrize(
    ("hand", "face_value"),
    [("3S 9C 7D", 3), ("4H 9C 7D 2S", 4), ("AS 2C 3D 4H 5S 6C 7D 8H 9S TH", 10), (f"{PLAIN} KH", 10)],
)
def test_leftover_wild_replaces_the_face_value_of_a_wild_left_over(hand: str, face_value: int) -> None:
    (points, _) = scored(hand, hand)
    for value in (0, 1, 25, 50):
        assert scored(hand, hand, leftover_wild=value) == (points - face_value + value,) * 2


def test_leftover_wild_is_for_wilds_left_over_alone() -> None:
    assert scored("3S 9C 9D", "4S 9C 7D", leftover_wild=25) == (0, 20)


@pytest.mark.parametrize(
    ("hand", "low", "high"),
    [
        ("AS 2C 9D", 12, 26),
        ("AS AC 9D", 11, 39),
        ("QS KS AS", 21, 0),
        ("KS AS 2S", 13, 27),
        ("AS 2S 3D", 0, 0),
        ("AS AC AD", 0, 0),
        ("QS 3D AS", 14, 0),
    ],
)
def test_r11_r12_aces_low_or_high(hand: str, low: int, high: int) -> None:
    assert scored(hand, hand) == (low, low)
    assert scored(hand, hand, aces="low_or_high") == (high, high)


def test_r11_who_went_out_has_0_whatever_the_discard() -> None:
    state = position("7S 7C 7D KH", "5S 8D QH", **PILES)
    state = after(state, "out KH", "draw discard", "discard 5S")
    assert state.points == ((0,), (28,))


@pytest.mark.parametrize("dearer", [0, 1])
def test_r13_after_round_11_the_lowest_total_wins(dearer: int) -> None:
    state, events = last_of_all(((3,) * 10, (3,) * 9 + (3 + dearer,)))
    assert [type(event) for event in events] == [Discarded, RoundEnded, GameOver]
    totals = (30, 30 + dearer + state.points[1][-1])
    assert events[-1] == GameOver((0,), totals)
    assert (state.totals, state.winners, finished(state), state.turn) == (totals, (0,), True, None)


def test_r13_equal_totals_win_together() -> None:
    cost = last_of_all(((0,) * 10, (0,) * 10))[0].points[1][-1]
    assert cost > 0
    state, events = last_of_all(((0,) * 9 + (cost,), (0,) * 10))
    assert events[-1] == GameOver((0, 1), (cost, cost))
    assert state.winners == (0, 1)


def test_r13_no_winner_before_round_11_has_ended() -> None:
    state = position("7S 7C 7D KH", "5S 8D QH", **PILES)
    assert not finished(after(state, "out KH", "draw stock", "discard QH"))


def test_r13_when_the_game_is_over_nobody_may_act() -> None:
    state, _ = last_of_all(((0,) * 10, (0,) * 10))
    for seat in range(2):
        assert legal_actions(state, seat) == ()
        assert reason(state, "draw stock", seat) == "game_over"


def last_of_all(points: tuple[tuple[int, ...], ...]) -> tuple[State, tuple[Event, ...]]:
    """What comes of the last discard of a game with these points before round 11; seat 0 goes out."""
    state = replace(position(f"{THIRTEEN} 2H", f"{PLAIN} QD", **PILES), points=points)
    return played(state, "out 2H", "draw stock", "discard 2C")
