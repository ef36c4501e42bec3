"""Thirteen once more, in a plain and slow way, to judge `rules.thirteen` by.

Cards are texts. Nothing is kept but the list of moves: whose turn it is, what lies on the table and
who is out are worked out anew each time by reading the moves from the first. A move is
`(seat, cards)`, with `()` for a pass.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import NamedTuple

RANKS = "3456789TJQKA2"
SUITS = "SCDH"

Cards = tuple[str, ...]
Move = tuple[int, Cards]


class Combination(NamedTuple):
    """What cards are, and the card that decides."""

    type: str
    size: int
    high: str


def strength(card: str) -> int:
    """T3, T4."""
    return 4 * RANKS.index(card[0]) + SUITS.index(card[1])


def combination(cards: Collection[str]) -> Combination | None:
    """T6, T7, word by word."""
    ordered = sorted(cards, key=strength)
    ranks = [RANKS.index(card[0]) for card in ordered]
    size = len(ordered)
    if size == 0 or len(set(ordered)) < size:
        return None
    type_ = None
    if len(set(ranks)) == 1:
        type_ = ["single", "pair", "triple", "quad"][size - 1]
    elif size >= 3 and _consecutive(ranks):
        type_ = "sequence"
    elif size in (6, 8, 10, 12) and ranks[0::2] == ranks[1::2] and _consecutive(ranks[0::2]):
        type_ = "double_sequence"
    return Combination(type_, size, ordered[-1]) if type_ else None


def _consecutive(ranks: list[int]) -> bool:
    return all(high == low + 1 for low, high in pairwise(ranks)) and RANKS[ranks[-1]] != "2"


def bomb(c: Combination) -> bool:
    """A quad or a double sequence."""
    return c.type in ("quad", "double_sequence")


def beats(play: Combination, table: Combination, bombs: object) -> bool:
    """T9 to T11 and the option `bombs`."""
    if (play.type, play.size) == (table.type, table.size):
        return strength(play.high) > strength(table.high)
    if not bomb(play):
        return False
    pairs = play.size // 2 if play.type == "double_sequence" else 0
    if bombs == "southern" and bomb(table):
        ladder = [("double_sequence", 6), ("quad", 4), *(("double_sequence", size) for size in (8, 10, 12))]
        return ladder.index(play[:2]) > ladder.index(table[:2])
    if table.high[0] != "2" or table.size == 4:
        return False
    if pairs == 0:
        return table.size == 1 or (bombs == "southern" and table.size == 2)
    needed = table.size + 2
    return pairs == needed if bombs == "exact" else pairs >= needed


BOMBS = [tuple(rank + suit for suit in SUITS) for rank in RANKS] + [
    tuple(rank + suit for rank in RANKS[low : low + pairs] for suit in "DH")
    for pairs in range(3, 7)
    for low in range(13 - pairs)
]
"""Of every kind of bomb in every rank, the highest there is."""


def subsets(hand: Collection[str]) -> Iterable[Cards]:
    """All choices of one card or more."""
    return (cards for size in range(1, len(hand) + 1) for cards in combinations(hand, size))


@dataclass(frozen=True)
class Moment:
    """What there is to know before the next move.

    `turn` is None when the game is over; `trick` are the moves since the table was clear.
    """

    rules: Mapping[str, object]
    hands: list[Cards]
    places: list[int | None]
    turn: int | None
    trick: list[Move]
    must_include: str | None

    def reason(self, seat: int, cards: Cards) -> str | None:
        """Why the move is refused, by the first reason that holds; None where it is allowed."""
        if self.turn is None:
            return "game_over"
        if self.turn != seat:
            return "not_your_turn"
        play = combination(cards)
        if cards and self.rules["pass_lock"] and (seat, ()) in self.trick and not self._late(play):
            return "passed_already"
        if not cards:
            return None if self.trick else "must_lead"
        if not {*cards} <= {*self.hands[seat]}:
            return "card_not_in_hand"
        if play is None:
            return "not_a_combination"
        if self.must_include and self.must_include not in cards:
            return "must_include_card"
        return self._against_table(play)

    def _late(self, play: Combination | None) -> bool:
        """Whether cards are of the kind that `bomb_after_pass` leaves to those who have passed."""
        if play is None or not bomb(play):
            return False
        return self.rules["bomb_after_pass"] == "any" or play.size >= 8

    def _against_table(self, play: Combination) -> str | None:
        table = combination(last_play(self.trick)[1]) if self.trick else None
        if table is None or beats(play, table, self.rules["bombs"]):
            return None
        if play.type != table.type:
            return "bomb_does_not_apply" if bomb(play) else "wrong_type"
        return "wrong_size" if play.size != table.size else "too_low"


def last_play(trick: list[Move]) -> Move:
    """The move that put the cards on the table."""
    return [move for move in trick if move[1]][-1]


def open_to_bombs(cards: Cards, bombs: object) -> bool:
    """Whether these cards on the table are such that some bomb could beat them."""
    table = combination(cards)
    assert table is not None
    if table.high[0] != "2" and not (bombs == "southern" and bomb(table)):
        return False
    return any(beats(c, table, bombs) for cards in BOMBS if (c := combination(cards)))


def asked(seat: int, trick: list[Move], rules: Mapping[str, object]) -> bool:
    """T12, T14, T15: whether a player who has cards is still to answer the last play."""
    last = last_play(trick)
    if seat == last[0] or (seat, ()) in trick[trick.index(last) :]:
        return False
    if not rules["pass_lock"] or (seat, ()) not in trick:
        return True
    return rules["bomb_after_pass"] != "none" and open_to_bombs(last[1], rules["bombs"])


@dataclass
class Referee:
    """Watches a game and tells each `Moment`. `rules` are the options by name."""

    hands: list[Cards]
    rules: Mapping[str, object]
    lead: int
    must_include: str | None = None
    moves: list[Move] = field(default_factory=list)

    def moment(self) -> Moment:
        """The present, found from the first move on."""
        turn, trick = self._turn_and_trick()
        must_include = None if self.moves else self.must_include
        return Moment(self.rules, self._held(), self._places(), turn, trick, must_include)

    def _held(self) -> list[Cards]:
        gone = {card for _, cards in self.moves for card in cards}
        return [tuple(card for card in hand if card not in gone) for hand in self.hands]

    def _leaving(self) -> list[int]:
        """T18: the seats that have gone out, first first."""
        left = [len(hand) for hand in self.hands]
        order = []
        for seat, cards in self.moves:
            left[seat] -= len(cards)
            if cards and left[seat] == 0:
                order.append(seat)
        return order

    def _places(self) -> list[int | None]:
        order, seats = self._leaving(), range(len(self.hands))
        if len(order) == len(self.hands) - 1 and self.rules["finish"] == "play_on":
            order += {*seats} - {*order}
        return [order.index(seat) + 1 if seat in order else None for seat in seats]

    def _turn_and_trick(self) -> tuple[int | None, list[Move]]:
        turn, trick = self.lead, list[Move]()
        left = [len(hand) for hand in self.hands]
        for seat, cards in self.moves:
            trick = [*trick, (seat, cards)]
            left[seat] -= len(cards)
            last = last_play(trick)[0]
            answering = [other for other in self._after(seat, left) if asked(other, trick, self.rules)]
            turn = answering[0] if answering else [last, *self._after(last, left)][left[last] == 0]
            trick = trick if answering or self._over(left) else []
        return None if self._over(left) else turn, trick

    def _over(self, left: list[int]) -> bool:
        out = left.count(0)
        return out == len(left) - 1 or (out > 0 and self.rules["finish"] == "first_out")

    def _after(self, seat: int, left: list[int]) -> list[int]:
        """T16: the others who have cards, clockwise."""
        seats = list(range(len(self.hands)))
        return [other for other in seats[seat + 1 :] + seats[:seat] if left[other]]

    def told(self) -> list[dict[str, object]]:
        """The events of the last move, as JSON."""
        seat, cards = self.moves[-1]
        now = self.moment()
        play = combination(cards)
        if play is None:
            events: list[dict[str, object]] = [{"type": "passed", "seat": seat}]
        else:
            in_order = sorted(cards, key=strength)
            shown = {"type": play.type, "size": play.size, "cards": in_order, "high_card": play.high}
            left = len(now.hands[seat])
            events = [{"type": "played", "seat": seat, "combination": shown, "cards_left": left}]
            if left == 0:
                events.append({"type": "player_out", "seat": seat, "place": now.places[seat]})
        if now.turn is None:
            winner = now.places.index(1)
            events.append({"type": "game_over", "seat": None, "winner": winner, "places": now.places})
        elif not now.trick:
            last = [mover for mover, played in self.moves if played][-1]
            events.append({"type": "trick_won", "seat": last, "leads": now.turn})
        return events
