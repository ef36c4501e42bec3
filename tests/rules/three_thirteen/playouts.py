"""Games of Three Thirteen played by players who want to win, more or less."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from rules.game import Step
from rules.three_thirteen.melds import arrange, discards
from rules.three_thirteen.options import Options
from rules.three_thirteen.play import apply, legal_actions, new_game, without
from rules.three_thirteen.rounds import start_round
from rules.three_thirteen.state import Action, Discard, Draw, Event, GoOut, State

Played = tuple[Action, Step[State, Event]]


def keen(state: State) -> Action:
    """Goes out where possible, keeps what melds best, and takes of the discards what helps."""
    assert state.turn is not None
    actions = legal_actions(state, state.turn)
    hand = state.hands[state.turn]
    if isinstance(actions[0], Draw):
        top = state.discards[-1]
        best = discards((*hand, top), state.round, state.options)[0]
        helps = best.discard is not top and best.penalty < arrange(hand, state.round, state.options).penalty
        return Draw(state.turn, "discard" if helps else "stock")
    if isinstance(actions[-1], GoOut):
        return actions[-1]
    ranked = discards(hand, state.round, state.options)
    return next(move for it in ranked if (move := Discard(state.turn, it.discard)) in actions)


def naming_melds(random: Random, state: State, action: GoOut) -> GoOut:
    """Going out with melds named, these and their cards in any order."""
    kept = without(state.hands[action.seat], action.discard)
    melds = [meld.cards for meld in arrange(kept, state.round, state.options).melds]
    random.shuffle(melds)
    return replace(action, melds=tuple(tuple(random.sample(meld, len(meld))) for meld in melds))


def choose(random: Random, state: State, eager: float) -> Action:
    """Mostly the keen action, but going out only with the chance `eager`, and now and then anything."""
    action = keen(state)
    if random.random() < (1 - eager if isinstance(action, GoOut) else 0.1):
        return random.choice([it for it in legal_actions(state, action.seat) if not isinstance(it, GoOut)])
    if isinstance(action, GoOut) and random.random() < 0.5:
        return naming_melds(random, state, action)
    return action


def play_out(random: Random, state: State, eager: float = 1) -> Iterator[Played]:
    """Each action to the end of the game, and what came of it; no game may take 20,000 of them."""
    for _ in range(20_000):
        if state.turn is None:
            return
        action = choose(random, state, eager)
        step = apply(state, action)
        yield action, step
        state = step.state
    raise AssertionError("the game does not end")


def play_round(random: Random, state: State, eager: float = 1) -> Iterator[Played]:
    """The same to the end of the round."""
    before = state
    for action, step in play_out(random, state, eager):
        yield action, step
        if step.state.round != before.round:
            return


def seeded(random: Random, players: int, options: Options) -> Step[State, Event]:
    """A new game from a random seed."""
    return new_game(players, random.randbytes(32), options)


def seeded_round(random: Random, players: int, options: Options, round_: int) -> State:
    """A round just dealt from a random seed, by any dealer; the rounds before cost nobody anything."""
    points = ((0,) * (round_ - 1),) * players
    return start_round(random.randbytes(32), options, round_, random.randrange(players), points).state
