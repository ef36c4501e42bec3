"""Random deals, and games of Thirteen played at random."""

from collections.abc import Iterator
from random import Random

from rules.cards import DECK, Card
from rules.game import Step
from rules.thirteen.combinations import by_strength
from rules.thirteen.options import Options
from rules.thirteen.play import apply, legal_actions, new_game
from rules.thirteen.state import Action, Event, Play, State
from tests.rules.thirteen.positions import cards, texts

Hands = list[tuple[Card, ...]]


def cards_of(action: Action) -> tuple[str, ...]:
    """The texts of the cards played, none for a pass."""
    return texts(action.cards) if isinstance(action, Play) else ()


def choose(random: Random, state: State) -> Action:
    """A legal action: all numbers of cards are equally likely, none too, so passes and bombs abound."""
    assert state.turn is not None
    actions = legal_actions(state, state.turn)
    size = random.choice(sorted({len(cards_of(action)) for action in actions}))
    return random.choice([action for action in actions if len(cards_of(action)) == size])


def play_out(random: Random, state: State) -> Iterator[tuple[Action, Step[State, Event]]]:
    """Each action to the end of the game, and what came of it; no game may take 2,000 of them."""
    for _ in range(2000):
        if state.turn is None:
            return
        action = choose(random, state)
        step = apply(state, action)
        yield action, step
        state = step.state
    raise AssertionError("the game does not end")


def seeded(random: Random, players: int, options: Options) -> Step[State, Event]:
    """A new game from a random seed."""
    first_seat = random.randrange(players) if options.first_lead == "seat" else None
    return new_game(players, random.randbytes(32), options, first_seat)


def random_hands(random: Random, players: int, size: int = 13) -> Hands:
    """Hands as from a shuffled deck or, half the time, with pairs and quads of ranks that lie close."""
    deck = random.sample(DECK, 52)
    if random.random() < 0.5:
        deck.sort(key=lambda card: ("3456789TJQKA2".index(card.rank) + random.randrange(3)) // 3)
        deck = deck[(cut := random.randrange(52)) :] + deck[:cut]
    return [by_strength(deck[seat * size : (seat + 1) * size]) for seat in range(players)]


def hands_before_a_bomb(random: Random, players: int, count: int) -> Hands:
    """Someone can lead so many 3s, the seat before answer with so many 2s, and the others hold bombs."""
    bombs = random.choice((_quads, _double_sequences))(random)[: players - 2]
    hands = [cards("3S 3C 3D")[:count], *bombs, cards("2S 2C 2D")[:count]]
    dealt = {card for hand in hands for card in hand}
    rest = random.sample([card for card in DECK if card not in dealt], 2 * players)
    hands = [by_strength([*hand, rest.pop(), rest.pop()]) for hand in hands]
    first = random.randrange(players)
    return hands[first:] + hands[:first]


def _quads(random: Random) -> Hands:
    return [cards(f"{rank}S {rank}C {rank}D {rank}H") for rank in random.sample("456789TJQKA", 2)]


def _double_sequences(random: Random) -> Hands:
    found = []
    for suits in ("SC", "DH"):
        pairs = random.randint(3, 6)
        low = random.randint(0, 11 - pairs)
        ranks = "456789TJQKA"[low : low + pairs]
        found.append(cards(" ".join(rank + suit for rank in ranks for suit in suits)))
    return found
