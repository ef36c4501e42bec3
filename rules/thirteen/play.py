"""What may happen in a game of Thirteen: the deal, plays and passes, tricks, and the end (T8 to T18)."""

from __future__ import annotations

from dataclasses import replace

from rules.cards import Card
from rules.errors import IllegalAction, Reason
from rules.game import OtherGamesMove, Step, out_of_turn
from rules.thirteen.combinations import BOMBS, Combination, by_strength, can_be_bombed, classify, refusal
from rules.thirteen.dealing import deal_hands, first_lead, instant_win
from rules.thirteen.options import Options
from rules.thirteen.plays import legal_plays
from rules.thirteen.state import (
    Action,
    AnyAction,
    Event,
    GameOver,
    GameStarted,
    InstantWin,
    Pass,
    Passed,
    Play,
    Played,
    PlayerOut,
    State,
    Trick,
    TrickWon,
)


def new_game(
    players: int, seed: bytes, options: Options, first_seat: int | None = None
) -> Step[State, Event]:
    """Deals and names who leads, or ends the game at once where a dealt hand wins (T2, T17).

    Raises `InvalidAction` for a number of players or a `first_seat` that can't be.
    """
    hands = tuple(by_strength(hand) for hand in deal_hands(players, seed)[0])
    turn, lowest = first_lead(hands, options, first_seat)
    won = instant_win(hands, options)
    if won is not None:
        return _won_at_once(State(seed, options, hands, (None,) * players, None), *won)
    must_include = lowest if options.first_lead == "lowest_card_included" else None
    state = State(seed, options, hands, (None,) * players, turn, must_include)
    return Step(state, (GameStarted(turn, must_include, hands),))


def _won_at_once(state: State, seat: int, kind: str) -> Step[State, Event]:
    places = tuple(1 if other == seat else None for other in range(len(state.hands)))
    started = GameStarted(None, None, state.hands)
    won = InstantWin(seat, kind, state.hands[seat])
    return Step(replace(state, places=places), (started, won, GameOver(seat, places)))


def finished(state: State) -> bool:
    """Whether nobody may act any more."""
    return state.turn is None


def legal_actions(state: State, seat: int) -> tuple[Action, ...]:
    """All that `apply` accepts from this seat now: plays, weakest first, then the pass."""
    if out_of_turn(state.turn, seat):
        return ()
    plays: list[Action] = [
        Play(seat, combination.cards)
        for combination in legal_plays(state.hands[seat], state.table, state.options, state.must_include)
        if not _barred(state, seat, combination)
    ]
    return (*plays, Pass(seat)) if state.trick else tuple(plays)  # T13


def apply(state: State, action: AnyAction) -> Step[State, Event]:
    """The state after the action, and what happened; raises `IllegalAction` where it is refused."""
    refused = out_of_turn(state.turn, action.seat)
    if refused:
        raise refused
    match action:
        case OtherGamesMove():
            raise IllegalAction(Reason.WRONG_MOVE_FOR_GAME, type=action.type)
        case Pass():
            return _pass(state, action.seat)
        case Play():
            return _play(state, action.seat, action.cards)


def _barred(state: State, seat: int, combination: Combination | None) -> bool:
    """Whether the seat's pass in this trick bars the play: any but the bombs of `bomb_after_pass`."""
    if state.trick is None or seat not in state.trick.passed:
        return False
    if combination is None or combination.shape not in BOMBS:
        return True
    return state.options.bomb_after_pass == "four_pairs" and combination.shape.width < 4


def _pass(state: State, seat: int) -> Step[State, Event]:
    trick = state.trick
    if trick is None:
        raise IllegalAction(Reason.MUST_LEAD)
    passed = trick.passed if seat in trick.passed else (*trick.passed, seat)
    trick = replace(trick, passed=passed, declined=(*trick.declined, seat))
    return _turn_after(state, trick, seat, (Passed(seat),))


def _play(state: State, seat: int, cards: tuple[Card, ...]) -> Step[State, Event]:
    combination = _judged(state, seat, cards)
    hand = tuple([card for card in state.hands[seat] if card not in cards])
    hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
    passed = state.trick.passed if state.trick and state.options.pass_lock else ()
    trick = Trick(seat, combination, passed)
    after = replace(state, hands=hands, must_include=None, trick=trick)
    played = Played(seat, combination, len(hand))
    return _turn_after(after, trick, seat, (played,)) if hand else _out(after, trick, played)


def _judged(state: State, seat: int, cards: tuple[Card, ...]) -> Combination:
    """The combination that the seat may play with these cards; raises `IllegalAction` for any other."""
    combination = classify(cards)
    if _barred(state, seat, combination):
        raise IllegalAction(Reason.PASSED_ALREADY)
    hand = state.hands[seat]
    refused = refusal(cards, combination, state.table, state.options, hand, state.must_include)
    if refused:
        raise refused
    assert combination is not None, "what is no combination has been refused"
    return combination


def _out(state: State, trick: Trick, played: Played) -> Step[State, Event]:
    """The trick's last play was its player's last card: a place, and perhaps the end (T18)."""
    place = len(state.places) - state.places.count(None) + 1
    places = {trick.seat: place}
    remaining = [seat for seat, hand in enumerate(state.hands) if hand]
    over = len(remaining) == 1 or state.options.finish == "first_out"
    if len(remaining) == 1 and state.options.finish == "play_on":
        places[remaining[0]] = place + 1
    after = replace(state, places=tuple(places.get(seat, old) for seat, old in enumerate(state.places)))
    out = PlayerOut(trick.seat, place)
    if not over:
        return _turn_after(after, trick, trick.seat, (played, out))
    end = GameOver(after.places.index(1), after.places)
    return Step(replace(after, turn=None), (played, out, end))


def _turn_after(state: State, trick: Trick, seat: int, events: tuple[Event, ...]) -> Step[State, Event]:
    """Passes the turn on from `seat`; where nobody may answer the trick, ends it (T14 to T16)."""
    for turn in state.clockwise_from(seat):
        if _may_answer(state, trick, turn):
            return Step(replace(state, turn=turn, trick=trick), events)
    after_last_play = (trick.seat, *state.clockwise_from(trick.seat))
    leads = next(turn for turn in after_last_play if state.hands[turn])
    return Step(replace(state, turn=leads, trick=None), (*events, TrickWon(trick.seat, leads)))


def _may_answer(state: State, trick: Trick, seat: int) -> bool:
    """Whether the seat gets another turn in the trick (T12, T15, `pass_lock`, `bomb_after_pass`)."""
    if seat == trick.seat or seat in trick.declined or not state.hands[seat]:
        return False
    late_bombs = state.options.bomb_after_pass != "none"
    return seat not in trick.passed or (late_bombs and can_be_bombed(trick.combination, state.options))
