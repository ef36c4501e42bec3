"""The deal, and what it settles before the first play: who leads, and hands that win at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rules.cards import DECK, Card
from rules.errors import Fault, InvalidAction
from rules.shuffle import deal, shuffle
from rules.thirteen.combinations import RANKS, STRENGTH, by_strength
from rules.thirteen.options import Options

PLAYERS = range(2, 5)
HAND_SIZE = 13
LABEL = "thirteen/deal/1"

Hand = Sequence[Card]


def deal_hands(players: int, seed: bytes) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """The hands by seat, in the order dealt from seat 0, and the undealt rest (T1, T2).

    Raises `InvalidAction` for a number of players that can't play.
    """
    if players not in PLAYERS:
        raise InvalidAction(Fault.OUT_OF_RANGE, ("players",), minimum=PLAYERS.start, maximum=PLAYERS.stop - 1)
    return deal(shuffle(seed, LABEL, DECK), players, HAND_SIZE)


def first_lead(
    hands: Sequence[Hand], options: Options, first_seat: int | None = None
) -> tuple[int, Card | None]:
    """The seat that leads first, and the card that gave it the lead, the lowest one dealt (T17).

    Where the option `first_lead` is `seat`, no card does, and `first_seat` leads (seat 0 where it is
    None). Raises `InvalidAction` for a `first_seat` that is no seat or has no part in the lead.
    """
    if options.first_lead == "seat":
        seat = first_seat or 0
        if seat not in range(len(hands)):
            raise InvalidAction(Fault.OUT_OF_RANGE, ("first_seat",), minimum=0, maximum=len(hands) - 1)
        return seat, None
    if first_seat is not None:
        raise InvalidAction(Fault.INVALID_VALUE, ("first_seat",), value=first_seat)
    lowest = by_strength(card for hand in hands for card in hand)[0]
    return next(seat for seat, hand in enumerate(hands) if lowest in hand), lowest


def instant_win(hands: Sequence[Hand], options: Options) -> tuple[int, str] | None:
    """The seat whose dealt hand wins at once, and the kind of win (option `instant_wins`).

    The kinds count in the order the option lists them; of two hands of a kind, the one with the
    higher highest card wins.
    """
    for kind in options.instant_wins:
        seats = [seat for seat, hand in enumerate(hands) if _INSTANT_WINS[kind](_counts(hand))]
        if seats:
            return max(seats, key=lambda seat: max(STRENGTH[card] for card in hands[seat])), kind
    return None


def _counts(hand: Hand) -> list[int]:
    """How many cards of each rank, from 3 up to 2."""
    ranks = [card.rank for card in hand]
    return [ranks.count(rank) for rank in RANKS]


def _four_twos(counts: list[int]) -> bool:
    return counts[-1] == 4


def _dragon(counts: list[int]) -> bool:
    return all(counts[:-1])


def _six_pairs(counts: list[int]) -> bool:
    return sum(count // 2 for count in counts) >= 6


def _five_consecutive_pairs(counts: list[int]) -> bool:
    """Five of them below the 2, which is in no double sequence (T7)."""
    return any(min(counts[low : low + 5]) >= 2 for low in range(8))


_INSTANT_WINS: dict[str, Callable[[list[int]], bool]] = {
    "four_twos": _four_twos,
    "dragon": _dragon,
    "six_pairs": _six_pairs,
    "five_consecutive_pairs": _five_consecutive_pairs,
}
