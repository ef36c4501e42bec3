"""Positions of Thirteen written as text, random ones, and what is asked of them in the tests."""

from itertools import product

from rules.cards import Card, parse_card
from rules.errors import IllegalAction
from rules.thirteen.combinations import Combination, by_strength, classify
from rules.thirteen.options import Options
from rules.thirteen.play import apply
from rules.thirteen.state import Action, Event, Pass, Play, State

SEED = bytes(range(32))

ALL_OPTIONS = tuple(
    Options(first_lead=lead, pass_lock=lock, bombs=bombs, bomb_after_pass=late, finish=finish)
    for lead, lock, bombs, late, finish in product(
        ("lowest_card_included", "lowest_card", "seat"),
        (True, False),
        ("exact", "at_least", "southern"),
        ("none", "any", "four_pairs"),
        ("play_on", "first_out"),
    )
)


def cards(text: str) -> tuple[Card, ...]:
    """The cards written with spaces between them."""
    return tuple(parse_card(word) for word in text.split())


def combination(text: str) -> Combination:
    """The combination written with spaces between the cards."""
    found = classify(cards(text))
    assert found is not None
    return found


def position(*hands: str, turn: int = 0, options: Options | None = None, **rules: object) -> State:
    """A game with these hands, before a lead from the seat `turn`, with `options` or those named."""
    held = tuple(by_strength(cards(hand)) for hand in hands)
    return State(SEED, options or Options.build(rules), held, (None,) * len(hands), turn)


def action(seat: int, text: str) -> Action:
    """A play of the cards written, or a pass where that is written."""
    return Pass(seat) if text == "pass" else Play(seat, cards(text))


def after(state: State, *moves: str) -> State:
    """The state after moves, each made by the seat whose turn it is."""
    return played(state, *moves)[0]


def played(state: State, *moves: str) -> tuple[State, tuple[Event, ...]]:
    """The same, with the events of the last move."""
    events: tuple[Event, ...] = ()
    for text in moves:
        assert state.turn is not None
        state, events = _applied(state, action(state.turn, text))
    return state, events


def _applied(state: State, move: Action) -> tuple[State, tuple[Event, ...]]:
    step = apply(state, move)
    return step.state, step.events


def reason(state: State, text: str, seat: int | None = None) -> str | None:
    """Why the move is refused, None where it is not; by the seat whose turn it is if none is given."""
    mover = state.turn if seat is None else seat
    assert mover is not None
    try:
        apply(state, action(mover, text))
    except IllegalAction as refused:
        return refused.reason
    return None


def texts(hand: tuple[Card, ...]) -> tuple[str, ...]:
    """The cards' texts."""
    return tuple(card.text for card in hand)
