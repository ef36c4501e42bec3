"""What may happen in a game of Three Thirteen: draws, discards, going out, the stock (R6, R9, R10, R14)."""

from __future__ import annotations

from dataclasses import replace

from rules.cards import Card
from rules.errors import Fault, IllegalAction, InvalidAction, Reason
from rules.game import OtherGamesMove, Step, out_of_turn
from rules.three_thirteen.arrangement import Meld, read_meld
from rules.three_thirteen.dealing import deck_count, first_dealer, refilled
from rules.three_thirteen.melds import arrange, check_melds, discards
from rules.three_thirteen.options import Options
from rules.three_thirteen.ranks import wild_rank
from rules.three_thirteen.rounds import end_round, start_round
from rules.three_thirteen.state import (
    DISCARD,
    DRAW,
    Action,
    AnyAction,
    Discard,
    Discarded,
    Draw,
    Drew,
    Event,
    GameStarted,
    GoOut,
    State,
    StockRefilled,
    WentOut,
    by_suit,
)

SOURCES = ("stock", "discard")


def new_game(
    players: int, seed: bytes, options: Options, first_seat: int | None = None
) -> Step[State, Event]:
    """Draws the first dealer by lot and deals round 1 (R3 to R5).

    Raises `InvalidAction` for a number of players or decks that can't be, and for a `first_seat`:
    the lot decides.
    """
    decks = deck_count(players, options)
    if first_seat is not None:
        raise InvalidAction(Fault.INVALID_VALUE, ("first_seat",), value=first_seat)
    dealer = first_dealer(players, seed)
    step = start_round(seed, options, 1, dealer, ((),) * players)
    return Step(step.state, (GameStarted(players, decks, dealer), *step.events))


def finished(state: State) -> bool:
    """Whether nobody may act any more."""
    return state.turn is None


def legal_actions(state: State, seat: int) -> tuple[Action, ...]:
    """All that `apply` accepts from this seat now; going out without naming melds stands for every way."""
    if out_of_turn(state.turn, seat):
        return ()
    if state.phase == DRAW:
        return tuple([Draw(seat, source) for source in SOURCES if not _undrawable(state, source)])
    hand = state.hands[seat]
    cards = [card for card in dict.fromkeys(hand) if not _undiscardable(state, seat, card)]
    plain: list[Action] = [Discard(seat, card) for card in cards]
    if state.went_out is not None:
        return tuple(plain)
    melded = {option.discard for option in discards(hand, state.round, state.options) if not option.penalty}
    return (*plain, *[GoOut(seat, card) for card in cards if card in melded])


def apply(state: State, action: AnyAction) -> Step[State, Event]:
    """The state after the action, and what happened; raises `IllegalAction` where it is refused."""
    refused = out_of_turn(state.turn, action.seat)
    if refused:
        raise refused
    match action:
        case OtherGamesMove():
            raise IllegalAction(Reason.WRONG_MOVE_FOR_GAME, type=action.type)
        case Draw():
            return _draw(state, action)
        case Discard():
            return _discard(state, action)
        case GoOut():
            return _go_out(state, action)


def _require_phase(state: State, phase: str) -> None:
    if state.phase != phase:
        raise IllegalAction(Reason.WRONG_PHASE, phase=state.phase)


def _draw(state: State, action: Draw) -> Step[State, Event]:
    _require_phase(state, DRAW)
    refused = _undrawable(state, action.source)
    if refused:
        raise refused
    events: tuple[Event, ...] = ()
    if action.source == "stock" and not state.stock:
        state, refill = _refill(state)
        events = (refill,)
    if action.source == "stock":
        card, taken = state.stock[0], None
        state = replace(state, stock=state.stock[1:])
    else:
        card = taken = state.discards[-1]
        state = replace(state, discards=state.discards[:-1])
    hand = by_suit((*state.hands[action.seat], card))
    after = replace(_with_hand(state, action.seat, hand), phase=DISCARD, taken=taken)
    return Step(after, (*events, Drew(action.seat, action.source, card)))


def _undrawable(state: State, source: str) -> IllegalAction | None:
    """R14: an empty stock needs a discard below the top one to be made of."""
    pile = state.discards if source == "discard" else state.stock or state.discards[:-1]
    return None if pile else IllegalAction(Reason.NO_SUCH_PILE, pile=source)


def _refill(state: State) -> tuple[State, StockRefilled]:
    refills = state.refills + 1
    stock = refilled(state.seed, state.round, refills, state.discards[:-1])
    after = replace(state, stock=stock, discards=state.discards[-1:], refills=refills)
    return after, StockRefilled(len(stock))


def _discard(state: State, action: Discard) -> Step[State, Event]:
    _require_phase(state, DISCARD)
    refused = _undiscardable(state, action.seat, action.card)
    if refused:
        raise refused
    hand = without(state.hands[action.seat], action.card)
    state = replace(_with_hand(state, action.seat, hand), discards=(*state.discards, action.card))
    return _next_turn(state, action.seat, Discarded(action.seat, action.card))


def _undiscardable(state: State, seat: int, card: Card) -> IllegalAction | None:
    """A card must be held; without `take_back`, the one just taken stays, but not another copy of it."""
    held = state.hands[seat].count(card)
    if not held:
        return IllegalAction(Reason.CARD_NOT_IN_HAND, card=card.text)
    if not state.options.take_back and card is state.taken and held == 1:
        return IllegalAction(Reason.TAKE_BACK_FORBIDDEN, card=card.text)
    return None


def _go_out(state: State, action: GoOut) -> Step[State, Event]:
    _require_phase(state, DISCARD)
    if state.went_out is not None:
        raise IllegalAction(Reason.WRONG_PHASE, phase=DISCARD)
    refused = _undiscardable(state, action.seat, action.discard)
    if refused:
        raise refused
    melds = _found(state, action) if action.melds is None else _given(state, action, action.melds)
    state = replace(
        _with_hand(state, action.seat, ()),
        discards=(*state.discards, action.discard),
        went_out=action.seat,
        laid=melds,
        final_turns=state.players,
    )
    return _next_turn(state, action.seat, WentOut(action.seat, action.discard, melds))


def _found(state: State, action: GoOut) -> tuple[Meld, ...]:
    """An arrangement of all cards but the discard; raises where there is none."""
    hand = state.hands[action.seat]
    best = arrange(without(hand, action.discard), state.round, state.options)
    if best.leftover:
        with_another = not discards(hand, state.round, state.options)[0].penalty
        if with_another:
            raise IllegalAction(Reason.WRONG_DISCARD, card=action.discard.text)
        raise _left_over([card for card, _ in best.leftover])
    return best.melds


def _given(state: State, action: GoOut, melds: tuple[tuple[Card, ...], ...]) -> tuple[Meld, ...]:
    """The melds as the player lays them; raises where they are not right or leave cards over."""
    hand = state.hands[action.seat]
    checked = check_melds(hand, melds, action.discard, state.round, state.options)
    if checked.reason:
        raise checked.reason
    if not checked.goes_out:
        raise _left_over(without(hand, action.discard, *[card for meld in melds for card in meld]))
    read = [read_meld(meld, wild_rank(state.round), state.options.high_aces) for meld in melds]
    return tuple([meld for meld in read if meld is not None])


def _left_over(cards: list[Card] | tuple[Card, ...]) -> IllegalAction:
    return IllegalAction(Reason.CARDS_LEFT_OVER, cards=[card.text for card in cards])


def _next_turn(state: State, seat: int, event: Event) -> Step[State, Event]:
    """Passes the turn on to the left, or ends the round after the last turn of the last lap (R4, R10)."""
    state = replace(state, turn=(seat + 1) % state.players, phase=DRAW, taken=None)
    if state.went_out is None:
        return Step(state, (event,))
    state = replace(state, final_turns=state.final_turns - 1)
    if state.final_turns:
        return Step(state, (event,))
    step = end_round(state)
    return Step(step.state, (event, *step.events))


def _with_hand(state: State, seat: int, hand: tuple[Card, ...]) -> State:
    return replace(state, hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]))


def without(hand: tuple[Card, ...], *cards: Card) -> tuple[Card, ...]:
    """The hand less these cards, each once."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)
