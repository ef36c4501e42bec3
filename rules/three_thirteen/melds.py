"""What a hand is worth: its cheapest arrangement, its best discard, the melds a player names (R7 to R12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from rules.cards import Card
from rules.errors import IllegalAction, Reason
from rules.three_thirteen.arrangement import RUN, SMALLEST, Arrangement, Meld, read_meld, set_of, widened
from rules.three_thirteen.options import Options
from rules.three_thirteen.packing import Tables
from rules.three_thirteen.ranks import DECK_ORDER, face_value, wild_rank
from rules.three_thirteen.search import Chosen, Melding, Search, chosen_melds

Melds = Sequence[Sequence[Card]]


@dataclass(frozen=True, slots=True)
class DiscardOption:
    """A card to discard, and the fewest penalty points of the others."""

    discard: Card
    penalty: int


@dataclass(frozen=True, slots=True)
class Checked:
    """What given melds are worth.

    `penalty` is that of the cards in none of them, None where the melds are refused, for `reason`.
    `best_penalty` is the least there can be, None where the discard is not in the hand. `goes_out`: there is
    a discard, and nothing is left over.
    """

    penalty: int | None
    best_penalty: int | None
    goes_out: bool
    reason: IllegalAction | None


def arrange(hand: Sequence[Card], round_: int, options: Options) -> Arrangement:
    """The arrangement with the fewest penalty points there can be (R11).

    Cards left over come in the order of the hand, wilds last.
    """
    search = Search(hand, round_, options.aces)
    return _arranged(hand, round_, options, search.tables, search.best)


def _arranged(
    hand: Sequence[Card], round_: int, options: Options, tables: Tables, melding: Melding
) -> Arrangement:
    """The hand with that melding of it laid down."""
    left = list(hand)
    melds: list[Meld] = []
    rank = wild_rank(round_)
    wilds = [card for card in hand if card.rank is rank]
    for card in wilds:
        left.remove(card)
    if melding.chosen or len(wilds) >= SMALLEST:
        melds = _lay_down(tables, melding.chosen, left, wilds)
    leftover = [tables.leftover[card] for card in left]
    if wilds:
        points = _wild_points(round_, options)
        leftover += [(card, points) for card in wilds]
    return Arrangement(sum([points for _, points in leftover]), tuple(melds), tuple(leftover))


def _lay_down(tables: Tables, chosen: Chosen, naturals: list[Card], wilds: list[Card]) -> list[Meld]:
    """The melds found, and the other wilds in one of them; their cards are taken out of the two lists."""
    runs, levels = chosen_melds(chosen)
    melds = []
    for run in runs:
        for card in run.cards:
            naturals.remove(card)
        melds.append(run.meld or Meld(RUN, tuple([card or wilds.pop() for card in run.line]), run.represents))
    for level in levels:
        rank = tables.ranks[level]
        same = [card for card in naturals if card.rank is rank]
        for card in same:
            naturals.remove(card)
        need = len(wilds) if level == levels[-1] else SMALLEST - len(same)
        melds.append(set_of(same, [wilds.pop() for _ in range(need)]))
    if wilds:
        _lay_spare(melds, wilds, tables.high_aces)
    return melds


def _lay_spare(melds: list[Meld], wilds: list[Card], high_aces: bool) -> None:
    """Lays wilds that no meld needs; where there are melds, they are runs."""
    if len(wilds) >= SMALLEST:
        melds.append(set_of((), wilds))
    else:
        melds[0] = widened(melds[0], wilds, wilds[0].rank, high_aces)
    wilds.clear()


def discards(hand: Sequence[Card], round_: int, options: Options) -> tuple[DiscardOption, ...]:
    """Each distinct card of the hand, with the fewest points that the others can count (R9, R11).

    The best comes first; of equals the one that counts most, then by suit and rank.
    """
    search = Search(hand, round_, options.aces)
    return _ranked(hand, round_, options, search)[0]


def best_discard(
    hand: Sequence[Card], round_: int, options: Options
) -> tuple[tuple[DiscardOption, ...], Arrangement]:
    """What `discards` gives, and the arrangement of the cards that the first of them leaves (R9, R11)."""
    search = Search(hand, round_, options.aces)
    ranked, melding = _ranked(hand, round_, options, search)
    kept = list(hand)
    kept.remove(ranked[0].discard)
    return ranked, _arranged(kept, round_, options, search.tables, melding)


def _ranked(
    hand: Sequence[Card], round_: int, options: Options, search: Search
) -> tuple[tuple[DiscardOption, ...], Melding]:
    """The discards, best first, and the melding of what the first leaves."""
    wild, wild_points = wild_rank(round_), _wild_points(round_, options)
    meldings = search.without_each(hand)
    rows = []
    for card, melding in meldings.items():
        if card.rank is wild:
            wilds, points = search.wilds - 1, wild_points
            penalty = search.total - melding.saved
        else:
            wilds, points = search.wilds, search.tables.leftover[card][1]
            penalty = search.total - points - melding.saved
        if wilds < SMALLEST and not melding.saved:
            penalty += wilds * wild_points
        rows.append((penalty, -points, DECK_ORDER[card], card))
    rows.sort()
    ranked = tuple([DiscardOption(card, penalty) for penalty, _, _, card in rows])
    return ranked, meldings[ranked[0].discard]


def check_melds(
    hand: Sequence[Card], melds: Melds, discard: Card | None, round_: int, options: Options
) -> Checked:
    """What these melds of the hand are worth, and what could be had; both without the discard, if any."""
    kept = list(hand)
    if discard is not None:
        if discard not in kept:
            return Checked(None, None, False, IllegalAction(Reason.CARD_NOT_IN_HAND, card=discard.text))
        kept.remove(discard)
    best = arrange(kept, round_, options).penalty
    missing = Counter(chain.from_iterable(melds)) - Counter(kept)
    reason = _missing(missing, discard) if missing else _no_meld(melds, round_, options)
    if reason:
        return Checked(None, best, False, reason)
    left = Counter(kept) - Counter(chain.from_iterable(melds))
    penalty = sum(_points(card, round_, options) for card in left.elements())
    return Checked(penalty, best, discard is not None and not left, None)


def _missing(missing: Counter[Card], discard: Card | None) -> IllegalAction:
    """The refusal of melds that use more cards than there are; perhaps only the discard is one of theirs."""
    if discard is not None and missing == {discard: 1}:
        return IllegalAction(Reason.WRONG_DISCARD, card=discard.text)
    card = next(card for card in missing if card is not discard or missing[card] > 1)
    return IllegalAction(Reason.CARD_NOT_IN_HAND, card=card.text)


def _no_meld(melds: Melds, round_: int, options: Options) -> IllegalAction | None:
    for number, meld in enumerate(melds):
        if read_meld(meld, wild_rank(round_), options.high_aces) is None:
            return IllegalAction(Reason.NOT_A_MELD, meld=number)
    return None


def _points(card: Card, round_: int, options: Options) -> int:
    if card.rank is wild_rank(round_):
        return _wild_points(round_, options)
    return face_value(card.rank, options.high_aces)


def _wild_points(round_: int, options: Options) -> int:
    """What a left-over wild counts: its face value, unless the option `leftover_wild` says otherwise."""
    if options.leftover_wild is not None:
        return options.leftover_wild
    return face_value(wild_rank(round_), options.high_aces)
