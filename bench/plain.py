"""The plain ways to do what the rules do quickly: exact, unoptimised, and measured beside them."""

from functools import cache
from itertools import combinations

from rules.cards import Card, Rank
from rules.thirteen.combinations import Combination, beats, classify
from rules.thirteen.options import Options

PLACES = {rank: place for place, rank in enumerate(Rank, 1)}
WIDEST = 5
"""Places of the longest run that need be looked at: longer ones are two."""

Naturals = tuple[tuple[int, str], ...]


def score(hand: list[str], round: int) -> int:
    """The penalty under the default rules, by a search over the natural cards left, the lowest first (R11).

    Each is left, or opens a run, or a set. What was found for the same cards and wilds is remembered.
    """
    wild = round + 2
    cards = sorted((PLACES[Rank(text[0])], text[1]) for text in hand)
    naturals = tuple(card for card in cards if card[0] != wild)
    wilds = len(cards) - len(naturals)

    @cache
    def saved(left: Naturals, free: int) -> int:
        if not left:
            return 0
        (place, suit), rest = left[0], left[1:]
        best = saved(rest, free)
        for meld, need in _opened(left, place, suit):
            if need <= free:
                best = max(best, sum(map(_points, meld)) + saved(_without(left, meld), free - need))
        return best

    penalty = sum(map(_points, naturals)) - saved(naturals, wilds)
    melded = penalty < sum(map(_points, naturals)) or wilds >= 3
    return penalty + (0 if melded else wilds * min(wild, 10))


def _points(card: tuple[int, str]) -> int:
    return min(card[0], 10)


def _opened(left: Naturals, place: int, suit: str) -> list[tuple[Naturals, int]]:
    """The natural cards of melds whose first card is this one, and the wilds that each needs."""
    same = [card for card in left[1:] if card[0] == place]
    melds = []
    for more in range(len(same) + 1):
        melds += [((left[0], *picked), max(0, 2 - more)) for picked in set(combinations(same, more))]
    later = sorted({card for card in left if card[1] == suit and place < card[0] < place + WIDEST})
    for more in range(1, len(later) + 1):
        for picked in combinations(later, more):
            width = max(3, picked[-1][0] - place + 1)
            melds.append(((left[0], *picked), width - more - 1))
    return melds


def _without(left: Naturals, meld: Naturals) -> Naturals:
    rest = list(left)
    for card in meld:
        rest.remove(card)
    return tuple(rest)


def legal_plays(hand: list[Card], table: Combination | None, options: Options) -> list[Combination]:
    """Every legal play of a hand, by trying all of its subsets (T6 to T11)."""
    plays = []
    for size in range(1, len(hand) + 1):
        for cards in combinations(hand, size):
            play = classify(cards)
            if play and (table is None or beats(play, table, options)):
                plays.append(play)
    return plays
