"""How a round starts and ends, and the game with the last one (R3 to R5, R11, R13)."""

from __future__ import annotations

from dataclasses import replace

from rules.game import Step
from rules.three_thirteen.arrangement import Arrangement
from rules.three_thirteen.dealing import deal_round
from rules.three_thirteen.melds import arrange
from rules.three_thirteen.options import Options
from rules.three_thirteen.ranks import ROUNDS
from rules.three_thirteen.state import (
    DRAW,
    Event,
    GameOver,
    RoundEnded,
    RoundStarted,
    Scored,
    State,
    by_suit,
)


def start_round(
    seed: bytes, options: Options, round_: int, dealer: int, points: tuple[tuple[int, ...], ...]
) -> Step[State, Event]:
    """Deals a round; `points` are those of the rounds before, by seat."""
    players = len(points)
    dealt = deal_round(players, seed, options, round_, dealer)
    hands = tuple([by_suit(hand) for hand in dealt.hands])
    turn = (dealer + 1) % players
    state = State(seed, options, round_, dealer, turn, DRAW, hands, dealt.stock, (dealt.turned_up,), points)
    started = RoundStarted(round_, dealer, turn, dealt.turned_up, len(dealt.stock), hands)
    return Step(state, (started,))


def end_round(state: State) -> Step[State, Event]:
    """Scores all hands, and deals the next round at once or ends the game."""
    scored = tuple([_scored(state, seat) for seat in range(state.players)])
    points = tuple([(*state.points[it.seat], it.arrangement.penalty) for it in scored])
    state = replace(state, points=points)
    ended = RoundEnded(state.round, scored, state.totals)
    if state.round == ROUNDS[-1]:
        return Step(replace(state, turn=None), (ended, GameOver(state.winners, state.totals)))
    dealer = (state.dealer + 1) % state.players
    step = start_round(state.seed, state.options, state.round + 1, dealer, points)
    return Step(step.state, (ended, *step.events))


def _scored(state: State, seat: int) -> Scored:
    """The hand at its cheapest (R11); whoever went out has laid everything down."""
    if seat == state.went_out:
        laid = by_suit([card for meld in state.laid for card in meld.cards])
        return Scored(seat, laid, Arrangement(0, state.laid, ()))
    hand = state.hands[seat]
    return Scored(seat, hand, arrange(hand, state.round, state.options))
