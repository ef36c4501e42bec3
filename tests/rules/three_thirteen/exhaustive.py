"""The cheapest melding by trying every subset of the natural cards, to judge the search by. Cards are texts.

Nothing is taken from the search: no table of runs, no bound, no limit on the length of a run. Which natural
cards can be a meld together, and with how many wilds, is read off the clauses; what is left is a choice
of such subsets that do not overlap.
"""

from collections.abc import Sequence
from functools import cache
from itertools import compress

from rules.three_thirteen.options import Options
from tests.rules.three_thirteen.melding import RANKS, points, wild

Cards = Sequence[str]


def fewest_points(hand: Cards, round_: int, rules: Options) -> int:
    """R11: what the hand costs at the least."""
    wilds = [card for card in hand if card[0] == wild(round_)]
    naturals = [card for card in hand if card[0] != wild(round_)]
    costs = [points(card, round_, rules) for card in naturals]
    left_over = points(wilds[0], round_, rules) if wilds else 0
    needs = _needs(naturals, len(wilds), rules)

    @cache
    def fewest(mask: int, free: int, any_meld: bool) -> int:
        if not mask:
            return 0 if any_meld or free >= 3 else free * left_over
        first = mask & -mask
        best = costs[first.bit_length() - 1] + fewest(mask ^ first, free, any_meld)
        for subset, need in needs[first]:
            if need <= free and subset & mask == subset:
                best = min(best, fewest(mask ^ subset, free - need, True))
        return best

    return fewest((1 << len(naturals)) - 1, len(wilds), False)


def _needs(naturals: Cards, wilds: int, rules: Options) -> dict[int, list[tuple[int, int]]]:
    """By lowest bit: the subsets of the cards that meld, as masks, and how many wilds they need to."""
    found: dict[int, list[tuple[int, int]]] = {1 << i: [] for i in range(len(naturals))}
    for mask in range(1, 1 << len(naturals)):
        chosen = list(compress(naturals, [mask >> i & 1 for i in range(len(naturals))]))
        need = wilds_needed(chosen, rules)
        if need is not None and need <= wilds:
            found[mask & -mask].append((mask, need))
    return found


def wilds_needed(naturals: Cards, rules: Options) -> int | None:
    """R7, R8, R12: the fewest wilds that make one meld of these natural cards, None where none do."""
    if len({card[0] for card in naturals}) == 1:
        return max(0, 3 - len(naturals))
    if len({card[1] for card in naturals}) > 1 or len({*naturals}) < len(naturals):
        return None
    places = [RANKS.index(card[0]) for card in naturals]
    spans = [max(places) - min(places) + 1]
    if 0 in places and rules.aces == "low_or_high":
        high = [place or 13 for place in places]
        spans.append(max(high) - min(high) + 1)
    return max(3, min(spans)) - len(naturals)
