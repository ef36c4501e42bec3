"""Positions of Three Thirteen written as text, and what is asked of them in the tests."""

from itertools import product
from typing import TypedDict

from rules.cards import Card, parse_card
from rules.errors import IllegalAction
from rules.three_thirteen.options import Options
from rules.three_thirteen.play import apply
from rules.three_thirteen.state import DISCARD, DRAW, Action, Discard, Draw, Event, GoOut, State, by_suit

SEED = bytes(range(32))

FEWEST_DECKS = {2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 2, 8: 3}
"""R1: by the number of players the fewest decks that hold all hands of round 11 plus 13 cards."""


class Piles(TypedDict):
    """The piles of a position, the stock written from its top down, the discards from the oldest up."""

    stock: str
    discards: str


def all_options(players: int) -> tuple[Options, ...]:
    """All combinations of options, with the fewest decks, the usual number and the most."""
    several = product(("low", "low_or_high"), (FEWEST_DECKS[players], None, 8), (None, 0, 25), (True, False))
    return tuple(
        Options(aces=aces, decks=decks, leftover_wild=points, take_back=back)
        for aces, decks, points, back in several
    )


def cards(text: str) -> tuple[Card, ...]:
    """The cards written with spaces between them."""
    return tuple(parse_card(word) for word in text.split())


def card(text: str) -> Card:
    """The card written."""
    return parse_card(text)


def position(
    *hands: str,
    stock: str = "",
    discards: str = "",
    turn: int = 0,
    options: Options | None = None,
    **rules: object,
) -> State:
    """A round with these hands and piles, under `options` or those named.

    The size of the smallest hand tells the round, and whether the seat `turn` has drawn. Rounds before
    have cost nobody anything, and the seat before `turn` has dealt.
    """
    held = tuple(by_suit(cards(hand)) for hand in hands)
    round_ = min(map(len, held)) - 2
    phase = DRAW if len(held[turn]) == round_ + 2 else DISCARD
    dealer = (turn - 1) % len(hands)
    points = ((0,) * (round_ - 1),) * len(hands)
    chosen = options or Options.build(rules)
    return State(SEED, chosen, round_, dealer, turn, phase, held, cards(stock), cards(discards), points)


def action(seat: int, text: str) -> Action:
    """A move as it is written here.

    `draw stock`, `draw discard`, `discard 3S`, `out 3S` to let the rules find melds, or with the melds
    `out 3S: 4S 5S 6S, 7S 7C 7D`, and with none `out 3S:`.
    """
    verb, _, rest = text.partition(" ")
    if verb == "draw":
        return Draw(seat, rest)
    if verb == "discard":
        return Discard(seat, card(rest))
    discard, named, melds = rest.partition(":")
    laid = tuple(map(cards, melds.split(","))) if melds else ()
    return GoOut(seat, card(discard), laid if named else None)


def after(state: State, *moves: str) -> State:
    """The state after moves, each made by the seat whose turn it is."""
    return played(state, *moves)[0]


def played(state: State, *moves: str) -> tuple[State, tuple[Event, ...]]:
    """The same, with the events of the last move."""
    events: tuple[Event, ...] = ()
    for text in moves:
        assert state.turn is not None
        step = apply(state, action(state.turn, text))
        state, events = step.state, step.events
    return state, events


def refusal(state: State, text: str, seat: int | None = None) -> tuple[str, dict[str, object]] | None:
    """Why the move is refused, with the values behind it, None where it is not refused.

    It is made by the seat whose turn it is if none is given.
    """
    mover = state.turn if seat is None else seat
    assert mover is not None
    try:
        apply(state, action(mover, text))
    except IllegalAction as refused:
        return refused.reason, refused.params
    return None


def reason(state: State, text: str, seat: int | None = None) -> str | None:
    """Why the move is refused, None where it is not."""
    refused = refusal(state, text, seat)
    return refused and refused[0]


def texts(hand: tuple[Card, ...]) -> tuple[str, ...]:
    """The cards' texts."""
    return tuple(card.text for card in hand)
