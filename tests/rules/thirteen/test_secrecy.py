"""No seat ever sees a card that it may not see, nor anything that depends on one."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from rules.cards import DECK, Card
from rules.thirteen.combinations import by_strength
from rules.thirteen.notation import dump_event
from rules.thirteen.options import PRESETS, Options
from rules.thirteen.play import apply, legal_actions, new_game
from rules.thirteen.state import Action, Play, State
from rules.thirteen.view import view, view_event
from tests.rules.thirteen.playouts import play_out, seeded
from tests.rules.thirteen.positions import ALL_OPTIONS, SEED

Known = frozenset[Card]


def games(players: int) -> Iterator[tuple[State, Action, Known]]:
    """Positions of random games, the move made in each, and the cards that all have seen by then.

    The card that the first play must contain is known to lie where it lies.
    """
    random = Random(players)
    for options in (*ALL_OPTIONS[::9], PRESETS["southern"]):
        state = seeded(random, players, options).state
        seen = frozenset({state.must_include} if state.must_include else ())
        for action, step in play_out(random, state):
            yield state, action, seen
            seen |= {*cards_in(action)}
            state = step.state


def cards_in(action: Action) -> tuple[Card, ...]:
    """The cards that a move puts on the table."""
    return action.cards if isinstance(action, Play) else ()


def with_others_dealt_anew(random: Random, state: State, seat: int | None, seen: Known) -> State:
    """The state with all cards that the seat has not seen dealt anew to the others and the rest."""
    own = state.hands[seat] if seat is not None else ()
    hidden = [card for card in DECK if card not in seen and card not in own]
    random.shuffle(hidden)
    hands = []
    for other, hand in enumerate(state.hands):
        stays = hand if other == seat else [card for card in hand if card in seen]
        hands.append(by_strength([*stays, *(hidden.pop() for _ in range(len(hand) - len(stays)))]))
    return replace(state, hands=tuple(hands))


def shown(state: State, seat: int | None) -> str:
    """All that a seat, or a spectator, can ask about a position, as text."""
    actions = [] if seat is None else [str(action) for action in legal_actions(state, seat)]
    return json.dumps([view(state, seat), actions])


def told(state: State, action: Action, seat: int | None) -> str:
    """What a seat, or a spectator, is told of a move, as text."""
    return json.dumps([view_event(dump_event(event), seat) for event in apply(state, action).events])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_positions_that_differ_in_hidden_cards_alone_look_the_same(players: int) -> None:
    random = Random(f"anew {players}")
    differing = 0
    for state, _, seen in games(players):
        for seat in (*range(players), None):
            other = with_others_dealt_anew(random, state, seat, seen)
            differing += other != state
            assert shown(other, seat) == shown(state, seat)
    assert differing > 500


@pytest.mark.parametrize("players", [2, 3, 4])
def test_moves_that_differ_in_hidden_cards_alone_are_told_the_same(players: int) -> None:
    random = Random(f"anew {players}")
    for state, action, seen in games(players):
        for seat in (*range(players), None):
            other = with_others_dealt_anew(random, state, seat, seen | {*cards_in(action)})
            assert told(other, action, seat) == told(state, action, seat)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_view_holds_a_card_of_another_hand(players: int) -> None:
    for state, action, seen in games(players):
        for seat in (*range(players), None):
            hidden = {c for other, hand in enumerate(state.hands) if other != seat for c in hand} - seen
            assert not texts_in(json.dumps(view(state, seat))) & {card.text for card in hidden}
            still_hidden = {card.text for card in hidden - {*cards_in(action)}}
            assert not texts_in(told(state, action, seat)) & still_hidden


def texts_in(text: str) -> set[str]:
    """Everything in a JSON text that could be a card."""
    return set(re.findall(r"\b[2-9TJQKA][SCDH]\b", text))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_start_shows_each_seat_its_own_hand_alone(players: int) -> None:
    step = new_game(players, SEED, Options(first_lead="lowest_card"))
    (event,) = [dump_event(event) for event in step.events]
    for seat, hand in enumerate(step.state.hands):
        assert texts_in(json.dumps(view_event(event, seat))) == {card.text for card in hand}
    assert texts_in(json.dumps(view_event(event, None))) == set()
