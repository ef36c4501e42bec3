"""Melds in a plain and slow way, to judge `rules.three_thirteen` by. Cards are texts.

Hands of up to `SMALL` cards are melded by trying everything; for larger ones that would take too long,
and `rules.three_thirteen.melds.arrange` is trusted, which has tests of its own.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from typing import Any

from rules.cards import parse_card
from rules.three_thirteen.melds import arrange
from rules.three_thirteen.options import Options

RANKS = "A23456789TJQK"
SUITS = "SCDH"
SMALL = 7

Cards = Sequence[str]
Told = Mapping[str, Any]


def in_order(cards: Cards) -> list[str]:
    """Sorted by suit, then rank."""
    return sorted(cards, key=lambda card: (SUITS.index(card[1]), RANKS.index(card[0])))


def less(cards: Cards, *gone: str) -> list[str]:
    """The cards without these, each once."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left


def wild(round_: int) -> str:
    """R8."""
    return "3456789TJQK"[round_ - 1]


def points(card: str, round_: int, rules: Options) -> int:
    """R11 and the options `leftover_wild` and `aces`."""
    if card[0] == wild(round_) and rules.leftover_wild is not None:
        return rules.leftover_wild
    if card[0] == "A":
        return 15 if rules.aces == "low_or_high" else 1
    return 10 if card[0] in "TJQK" else int(card[0])


@cache
def lines(size: int, suit: str, aces: str) -> list[list[str]]:
    """R7, R12 and the option `aces`: every run of so many cards of a suit."""
    orders = [RANKS, RANKS[1:] + "A"] if aces == "low_or_high" else [RANKS]
    spans = [order[low : low + size] for order in orders for low in range(len(order) - size + 1)]
    return [[rank + suit for rank in span] for span in spans]


def is_meld(cards: Cards, round_: int, rules: Options) -> bool:
    """R7, R8: a set, or a run that has room for all natural cards; wilds fill the other places."""
    naturals = [card for card in cards if card[0] != wild(round_)]
    if len(cards) < 3:
        return False
    if len({card[0] for card in naturals}) <= 1:
        return True
    if len({card[1] for card in naturals}) > 1 or len({*naturals}) < len(naturals):
        return False
    return any({*naturals} <= {*line} for line in lines(len(cards), naturals[0][1], rules.aces))


def is_told_rightly(meld: Told, round_: int, rules: Options) -> bool:
    """Whether `represents` names what each card stands for, and that is a meld of the `type`."""
    cards, stand = meld["cards"], meld["represents"]
    naturals = [card for card in cards if card[0] != wild(round_)]
    if len(cards) < 3 or len(cards) != len(stand):
        return False
    if meld["type"] == "run":
        fits = all(card == place or card[0] == wild(round_) for card, place in zip(cards, stand, strict=True))
        return fits and stand in lines(len(cards), stand[0][1], rules.aces)
    ranks = {card[0] for card in naturals}
    meant = [card if card in naturals or not naturals else naturals[0][0] for card in cards]
    return meld["type"] == "set" and len(ranks) <= 1 and stand == meant


@cache
def _ways(cards: tuple[str, ...], round_: int, rules: Options) -> tuple[int, bool]:
    """The fewest points (R11), and whether all the cards can be in melds (R9)."""
    if not cards:
        return 0, True
    first, rest = cards[0], cards[1:]
    fewest, all_meld = points(first, round_, rules) + _ways(rest, round_, rules)[0], False
    for size in range(2, len(cards)):
        for others in combinations(rest, size):
            if is_meld((first, *others), round_, rules):
                left, whole = _ways(tuple(less(rest, *others)), round_, rules)
                fewest, all_meld = min(fewest, left), all_meld or whole
    return fewest, all_meld


def _arranged(cards: Cards, round_: int, rules: Options) -> tuple[int, bool]:
    if len(cards) <= SMALL:
        return _ways(tuple(in_order(cards)), round_, rules)
    found = arrange([parse_card(card) for card in cards], round_, rules)
    return found.penalty, not found.leftover


def penalty(cards: Cards, round_: int, rules: Options) -> int:
    """R11: the fewest points that a hand can cost."""
    return _arranged(cards, round_, rules)[0]


def all_in_melds(cards: Cards, round_: int, rules: Options) -> bool:
    """R9: whether all the cards can be put in melds."""
    return _arranged(cards, round_, rules)[1]


def bare(event: Told) -> dict[str, Any]:
    """An event without how the cards are melded, for which there may be several ways."""
    if event["type"] == "went_out":
        laid = chain.from_iterable(meld["cards"] for meld in event["melds"])
        told = {name: value for name, value in event.items() if name != "melds"}
        return {**told, "cards": in_order([*laid])}
    if event["type"] == "round_ended":
        hands = [{name: hand[name] for name in ("seat", "hand", "points")} for hand in event["hands"]]
        return {**event, "hands": hands}
    return {**event}


def is_sound(event: Told, round_: int, rules: Options) -> bool:
    """Whether the melds in an event are melds, and with what is left over make up the hand and its points."""
    if event["type"] == "went_out":
        return all(is_told_rightly(meld, round_, rules) for meld in event["melds"])
    return event["type"] != "round_ended" or all(_adds_up(hand, round_, rules) for hand in event["hands"])


def _adds_up(told: Told, round_: int, rules: Options) -> bool:
    melded = chain.from_iterable(meld["cards"] for meld in told["melds"])
    left = [it["card"] for it in told["leftover"]]
    return (
        in_order([*melded, *left]) == told["hand"]
        and all(it["points"] == points(it["card"], round_, rules) for it in told["leftover"])
        and sum(it["points"] for it in told["leftover"]) == told["points"]
        and all(is_told_rightly(meld, round_, rules) for meld in told["melds"])
    )
