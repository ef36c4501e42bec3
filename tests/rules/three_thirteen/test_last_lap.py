"""R10 in play: the one full turn that everybody else has after someone has gone out."""

import pytest

from rules.three_thirteen import MOVES
from rules.three_thirteen.play import legal_actions
from rules.three_thirteen.state import Discard, Discarded, Draw, GoOut, RoundEnded, RoundStarted, State
from tests.rules.three_thirteen.positions import Piles, after, cards, played, position, reason, refusal

OUT = "7S 7C 7D KH"
OTHERS = ("5S 8D QH", "6S 9D KC", "4H 9C QD", "AH 6H TH", "2H 6D KS", "4D 9S JS", "5D 8C QC")
PILES: Piles = {"stock": "2C AS KD 2D 6C 8H TS JD", "discards": "8S TC"}


def gone_out(players: int, turn: int = 0) -> State:
    """Round 1 when the seat `turn` has just gone out with sevens."""
    others = OTHERS[: players - 1]
    return after(position(*others[:turn], OUT, *others[turn:], turn=turn, **PILES), "out KH")


@pytest.mark.parametrize(("players", "turn"), [(2, 0), (2, 1), (3, 1), (4, 3), (5, 0), (8, 5)])
def test_r10_every_other_player_has_exactly_one_more_turn_clockwise(players: int, turn: int) -> None:
    state, turns = gone_out(players, turn), []
    while state.round == 1:
        turns.append(state.turn)
        assert (state.went_out, state.final_turns) == (turn, players - len(turns))
        state, events = played(state, "draw stock", f"discard {state.stock[0]}")
    assert turns == [*range(turn + 1, players), *range(turn)]
    assert [type(event) for event in events] == [Discarded, RoundEnded, RoundStarted]


def test_r10_it_is_a_full_turn_from_either_pile() -> None:
    state = gone_out(3)
    assert legal_actions(state, 1) == (Draw(1, "stock"), Draw(1, "discard"))
    assert refusal(state, "discard 5S") == ("wrong_phase", {"phase": "draw"})
    state = after(state, "draw discard")
    assert state.hands[1] == cards("5S 8D QH KH")
    assert (state.turn, state.phase, state.final_turns) == (1, "discard", 2)
    state = after(state, "discard 8D", "draw stock", "discard 6S")
    assert state.round == 2


def test_r10_nobody_else_goes_out() -> None:
    state = position(OUT, "8S 8C 8H", "6S 9D KC", **PILES)
    state = after(state, "out KH", "draw stock")
    for text in ("out 2C", "out 2C: 8S 8C 8H", "out 9H", "out 2C: 9H"):
        assert refusal(state, text) == ("wrong_phase", {"phase": "discard"})
    assert legal_actions(state, 1) == tuple(Discard(1, it) for it in state.hands[1])


def test_r10_not_even_with_the_last_turn() -> None:
    state = after(gone_out(2), "draw discard")
    assert not any(isinstance(it, GoOut) for it in legal_actions(state, 1))
    assert reason(state, "out KH") == "wrong_phase"


def test_r10_a_fully_melded_hand_simply_scores_0() -> None:
    state = position(OUT, "8S 8C 8H", "6S 9D KC", **PILES)
    state = after(state, "out KH", "draw stock", "discard 2C", "draw stock", "discard AS")
    assert state.points == ((0,), (0,), (25,))


def test_r10_nobody_adds_to_melds_of_another() -> None:
    """A seven that would fit the sevens on the table can be held or discarded, and counts if it is held."""
    state = position(OUT, "7H 8D QH", **PILES)
    state = after(state, "out KH", "draw stock")
    assert MOVES == ("draw", "discard", "go_out")
    assert legal_actions(state, 1) == tuple(Discard(1, it) for it in state.hands[1])
    assert reason(state, "out 2C: 7S 7C 7D 7H") == "wrong_phase"
    assert after(state, "discard QH").points == ((0,), (2 + 7 + 8,))


def test_r10_after_the_last_lap_everybody_plays_again() -> None:
    state = after(gone_out(2), "draw stock", "discard 2C")
    assert (state.round, state.went_out, state.laid, state.final_turns) == (2, None, (), 0)
    assert (state.phase, [len(hand) for hand in state.hands]) == ("draw", [4, 4])
    assert len(state.discards) == 1
