"""No seat ever sees a card that it may not see, nor anything that depends on one."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

from rules.cards import Card
from rules.three_thirteen.notation import dump_event
from rules.three_thirteen.options import Options
from rules.three_thirteen.play import apply, legal_actions, new_game, without
from rules.three_thirteen.state import Action, Discard, Draw, GoOut, RoundEnded, State, by_suit
from rules.three_thirteen.view import view, view_event
from tests.rules.three_thirteen.playouts import play_out, seeded
from tests.rules.three_thirteen.positions import FEWEST_DECKS, SEED

TABLES = [2, 3, 8]

Hands = Sequence[tuple[Card, ...]]


def games(players: int) -> Iterator[tuple[State, Action]]:
    """Positions of games, some of them with a stock that runs out, and the move made in each."""
    random = Random(players)
    fewest = Options(decks=FEWEST_DECKS[players], take_back=False)
    for options, eager in ((fewest, 0.1), (Options(aces="low_or_high"), 1)):
        state = seeded(random, players, options).state
        for action, step in play_out(random, state, eager):
            yield state, action
            state = step.state


def viewers(random: Random, state: State) -> tuple[int | None, ...]:
    """Who looks: the player to move, another one, and a spectator."""
    assert state.turn is not None
    return state.turn, (state.turn + random.randrange(1, state.players)) % state.players, None


def uncovered(state: State, action: Action) -> Hands:
    """By seat the cards of the hands that a move shows to all; at the end of a round these are all hands."""
    if any(isinstance(event, RoundEnded) for event in apply(state, action).events):
        return state.hands
    shown: list[tuple[Card, ...]] = [()] * state.players
    if isinstance(action, Discard):
        shown[action.seat] = (action.card,) * state.hands[action.seat].count(action.card)
    if isinstance(action, GoOut):
        shown[action.seat] = state.hands[action.seat]
    return shown


def dealt_anew(
    random: Random, state: State, seat: int | None, shown: Hands | None = None, top: int = 0
) -> State:
    """The state with all cards that the seat does not see dealt anew to the other hands and the stock.

    The cards `shown` stay in their hands, and so many at the `top` of the stock where they are.
    """
    stay = [*(shown or [()] * state.players)]
    if seat is not None:
        stay[seat] = state.hands[seat]
    hidden = [card for hand, kept in zip(state.hands, stay, strict=True) for card in without(hand, *kept)]
    hidden += state.stock[top:]
    random.shuffle(hidden)
    hands = []
    for hand, kept in zip(state.hands, stay, strict=True):
        hands.append(by_suit([*kept, *(hidden.pop() for _ in range(len(hand) - len(kept)))]))
    return replace(state, hands=tuple(hands), stock=(*state.stock[:top], *hidden))


def shown(state: State, seat: int | None) -> str:
    """All that a seat, or a spectator, can ask about a position, as text."""
    actions = [] if seat is None else [str(action) for action in legal_actions(state, seat)]
    return json.dumps([view(state, seat), actions])


def told(state: State, action: Action, seat: int | None) -> str:
    """What a seat, or a spectator, is told of a move, as text."""
    return json.dumps([view_event(dump_event(event), seat) for event in apply(state, action).events])


@pytest.mark.parametrize("players", TABLES)
def test_positions_that_differ_in_hidden_cards_alone_look_the_same(players: int) -> None:
    random = Random(f"anew {players}")
    differing = 0
    for state, _ in games(players):
        for seat in viewers(random, state):
            other = dealt_anew(random, state, seat)
            differing += other.hands != state.hands
            assert shown(other, seat) == shown(state, seat)
    assert differing > 500


@pytest.mark.parametrize("players", TABLES)
def test_moves_that_differ_in_hidden_cards_alone_are_told_the_same(players: int) -> None:
    random = Random(f"anew {players}")
    differing = 0
    for state, action in games(players):
        for seat in viewers(random, state):
            drawn = isinstance(action, Draw) and action.seat == seat
            other = dealt_anew(random, state, seat, uncovered(state, action), int(drawn))
            differing += other.hands != state.hands
            assert told(other, action, seat) == told(state, action, seat)
    assert differing > 500


@pytest.mark.parametrize("players", TABLES)
def test_views_hold_no_cards_but_the_own_hand_and_what_lies_open(players: int) -> None:
    random = Random(f"open {players}")
    for state, action in games(players):
        melds = [text for meld in state.laid for text in (*map(str, meld.cards), *meld.represents)]
        for seat in viewers(random, state):
            own = [] if seat is None else [card.text for card in state.hands[seat]]
            seen = texts_in(json.dumps(view(state, seat)))
            assert seen <= {*own, *melds, *(card.text for card in state.discards[-1:])}
            if isinstance(action, Draw) and action.source == "stock" and seat != action.seat:
                assert texts_in(told(state, action, seat)) == set()


def texts_in(text: str) -> set[str]:
    """Everything in a JSON text that could be a card."""
    return set(re.findall(r"\b[2-9TJQKA][SCDH]\b", text))


@pytest.mark.parametrize("players", TABLES)
def test_the_start_shows_each_seat_its_own_hand_alone(players: int) -> None:
    step = new_game(players, SEED, Options())
    events = [dump_event(event) for event in step.events]
    top = step.state.discards[0].text
    for seat, hand in enumerate(step.state.hands):
        seen = texts_in(json.dumps([view_event(event, seat) for event in events]))
        assert seen == {top, *(card.text for card in hand)}
    assert texts_in(json.dumps([view_event(event, None) for event in events])) == {top}


def test_the_seed_is_in_no_view_before_the_end() -> None:
    """Of two games in the same position from different seeds the commitment alone differs."""
    state = new_game(3, SEED, Options()).state
    other = replace(state, seed=bytes(32))
    for seat in (0, 1, 2, None):
        views = view(state, seat), view(other, seat)
        assert {name for name in views[0] if views[0][name] != views[1][name]} == {"commitment"}
        assert SEED.hex() not in json.dumps(views)
