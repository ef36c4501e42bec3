"""Random games under all options, every step of them judged by `referee.py`.

The hands come from no seed: half of them are rich in 2s and bombs, and most are short.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from rules.cards import DECK
from rules.errors import IllegalAction
from rules.options import values
from rules.thirteen.dealing import first_lead
from rules.thirteen.notation import dump_event
from rules.thirteen.options import Options
from rules.thirteen.play import apply, legal_actions
from rules.thirteen.state import Action, Pass, Play, State
from tests.rules.thirteen.playouts import (
    Hands,
    cards_of,
    hands_before_a_bomb,
    play_out,
    random_hands,
    seeded,
)
from tests.rules.thirteen.positions import ALL_OPTIONS, SEED, cards, texts
from tests.rules.thirteen.referee import Cards, Moment, Referee, subsets

SMALL = 6
"""Up to so many cards in a hand all its subsets are tried."""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_t8_to_t18_random_games_agree_with_the_referee(players: int) -> None:
    random = Random(players)
    for options in ALL_OPTIONS:
        judge(random, *begin(random_hands(random, players, random.choice((3, 5, 8, 13))), options))


@pytest.mark.parametrize("players", [3, 4])
def test_t12_to_t16_tricks_with_twos_and_bombs_agree_with_the_referee(players: int) -> None:
    """Low cards are led, most pass, and 2s are played, so that those who passed can bomb."""
    random = Random(players)
    for options in ALL_OPTIONS:
        count = random.choice((1, 1, 2, 3))
        hands = hands_before_a_bomb(random, players, count)
        state, referee = begin(hands, replace(options, first_lead="lowest_card"))
        threes, twos = cards("3S 3C 3D")[:count], cards("2S 2C 2D")[:count]
        leader = next(seat for seat, hand in enumerate(hands) if threes[0] in hand)
        *passing, last = state.clockwise_from(leader)
        opening: list[Action] = [Play(leader, threes), *map(Pass, passing), Play(last, twos)]
        for action in opening:
            referee.moves.append((action.seat, cards_of(action)))
            state = apply(state, action).state
        judge(random, state, referee)


def begin(hands: Hands, options: Options) -> tuple[State, Referee]:
    """The state before the first lead, and a referee who has seen the hands."""
    lead, lowest = first_lead(hands, options)
    must_include = lowest if options.first_lead == "lowest_card_included" else None
    state = State(SEED, options, tuple(hands), (None,) * len(hands), lead, must_include)
    told = must_include.text if must_include else None
    return state, Referee([texts(hand) for hand in hands], values(options), lead, told)


def judge(random: Random, state: State, referee: Referee) -> None:
    """Plays a game out, with a look at each state and at what is told of each step."""
    check(random, state, referee.moment())
    for action, step in play_out(random, state):
        referee.moves.append((action.seat, cards_of(action)))
        assert [dump_event(event) for event in step.events] == referee.told()
        check(random, step.state, referee.moment())


def check(random: Random, state: State, moment: Moment) -> None:
    """The state is as the referee finds it, and allows and refuses what the referee does."""
    assert (state.turn, state.table is None) == (moment.turn, not moment.trick)
    assert [texts(hand) for hand in state.hands] == moment.hands
    assert list(state.places) == moment.places
    for seat in range(len(state.hands)):
        legal = legal_actions(state, seat)
        allowed = {frozenset(cards_of(action)) for action in legal}
        assert len(allowed) == len(legal)
        assert all(outcome(state, action) is None for action in legal)
        for chosen in tries(random, state, seat):
            refused = moment.reason(seat, chosen)
            assert outcome(state, as_action(seat, chosen)) == refused
            assert (frozenset(chosen) in allowed) == (refused is None)


def outcome(state: State, action: Action) -> str | None:
    """The reason for which `apply` refuses the action, None where it does not."""
    try:
        apply(state, action)
    except IllegalAction as refused:
        return refused.reason
    return None


def as_action(seat: int, chosen: Cards) -> Action:
    """The action that plays these cards, or passes where there are none."""
    return Play(seat, cards(" ".join(chosen))) if chosen else Pass(seat)


def tries(random: Random, state: State, seat: int) -> Iterator[Cards]:
    """What to try: a pass, subsets of the hand (all if it is small), and cards from anywhere."""
    yield ()
    hand = texts(state.hands[seat])
    if seat != state.turn:
        yield hand[:1] or ("3S",)
    elif len(hand) <= SMALL:
        yield from subsets(hand)
    else:
        for size in (1, 1, 2, 2, 3, 3, 4, 6, 8):
            low = random.randint(0, len(hand) - min(size, len(hand)))
            yield hand[low : low + size]
            yield tuple(random.sample(hand, min(size, len(hand))))
    yield from (texts(tuple(random.sample(DECK, size))) for size in (1, 2))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_t1_t2_cards_are_conserved(players: int) -> None:
    random = Random(players)
    for options in ALL_OPTIONS[::5]:
        state = seeded(random, players, options).state
        undealt = {*DECK} - {card for hand in state.hands for card in hand}
        assert len(undealt) == 52 - 13 * players
        played: list[str] = []
        for action, step in play_out(random, state):
            played += cards_of(action)
            held = [card.text for hand in step.state.hands for card in hand]
            assert sorted([*held, *played, *(card.text for card in undealt)]) == ALL_CARDS


ALL_CARDS = sorted(card.text for card in DECK)
