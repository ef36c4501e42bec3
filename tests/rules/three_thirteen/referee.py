"""Three Thirteen once more, in a plain and slow way, to judge `rules.three_thirteen` by.

Cards are texts and moves are bodies as in JSON. Nothing of a round is kept but its moves: whose turn it
is, what lies where and who has gone out are worked out anew each time by dealing the round from the
seed again and reading the moves from the first.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from typing import Any

from rules.three_thirteen.options import Options
from tests.rules.three_thirteen.melding import (
    RANKS,
    SUITS,
    all_in_melds,
    in_order,
    is_meld,
    less,
    penalty,
    wild,
)

Cards = list[str]
Move = Mapping[str, Any]
Told = dict[str, Any]


def words(seed: bytes, label: str) -> Iterator[int]:
    """The random words of a seed under a label."""
    for block in range(2**32):
        digest = sha256(seed + label.encode() + block.to_bytes(8, "big")).hexdigest()
        yield from (int(digest[start : start + 8], 16) for start in range(0, 64, 8))


def drawn(stream: Iterator[int], below: int) -> int:
    """`draw(m)`: words of the incomplete last interval are refused."""
    word = next(stream)
    while word >= 2**32 - 2**32 % below:
        word = next(stream)
    return word % below


@lru_cache(maxsize=1000)
def shuffled(seed: bytes, label: str, cards: tuple[str, ...]) -> tuple[str, ...]:
    """The cards as the verifiable shuffle leaves them, the top first."""
    stream, pile = words(seed, label), list(cards)
    for i in range(len(pile) - 1, 0, -1):
        j = drawn(stream, i + 1)
        pile[i], pile[j] = pile[j], pile[i]
    return tuple(pile)


def dealer_by_lot(seed: bytes, players: int) -> int:
    """R4: who deals round 1."""
    return drawn(words(seed, "three_thirteen/dealer"), players)


def decks(players: int, rules: Options) -> int:
    """R1."""
    return rules.decks or {2: 1, 3: 2, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4}[players]


@dataclass(frozen=True)
class Moment:
    """What there is to know before the next move.

    `hands` are in the order in which the cards came. `taken` has just been drawn from the discard pile.
    `left` are the turns left after `went_out` has gone out with the cards `laid`, None before.
    """

    round: int
    rules: Options
    turn: int | None
    phase: str
    hands: list[Cards]
    stock: Cards
    discards: Cards
    refills: int
    taken: str | None
    went_out: int | None
    laid: Cards
    left: int | None

    def reason(self, seat: int, move: Move) -> str | None:
        """Why the move is refused, by the first reason that holds; None where it is allowed."""
        if self.turn is None:
            return "game_over"
        if self.turn != seat:
            return "not_your_turn"
        if move["type"] not in ("draw", "discard", "go_out"):
            return "wrong_move_for_game"
        if (move["type"] == "draw") != (self.phase == "draw"):
            return "wrong_phase"
        if move["type"] == "go_out" and self.went_out is not None:
            return "wrong_phase"
        if move["type"] == "draw":
            return self._undrawable(move["from"])
        discard = move["card"] if move["type"] == "discard" else move["discard"]
        hand = self.hands[seat]
        if discard not in hand:
            return "card_not_in_hand"
        if not self.rules.take_back and discard == self.taken and hand.count(discard) == 1:
            return "take_back_forbidden"
        return self._not_all_melded(hand, discard, move.get("melds")) if move["type"] == "go_out" else None

    def _undrawable(self, pile: str) -> str | None:
        there = len(self.discards) if pile == "discard" else len(self.stock) or len(self.discards) - 1
        return None if there > 0 else "no_such_pile"

    def _not_all_melded(self, hand: Cards, discard: str, melds: list[Cards] | None) -> str | None:
        kept = less(hand, discard)
        if melds is None:
            if all_in_melds(kept, self.round, self.rules):
                return None
            others = (all_in_melds(less(hand, card), self.round, self.rules) for card in {*hand})
            return "wrong_discard" if any(others) else "cards_left_over"
        used = Counter(chain.from_iterable(melds))
        if used - Counter(hand):
            return "card_not_in_hand"
        if used - Counter(kept):
            return "wrong_discard"
        if not all(is_meld(meld, self.round, self.rules) for meld in melds):
            return "not_a_meld"
        return "cards_left_over" if Counter(kept) - used else None


@dataclass
class Referee:
    """Watches a game, or the rest of one from round `first` on, which `dealer` deals; judges each move.

    `rounds` are the moves, a list for each round; `points` by seat are those of the rounds that are over.
    """

    seed: bytes
    players: int
    rules: Options
    first: int = 1
    dealer: int | None = None
    rounds: list[list[Move]] = field(default_factory=lambda: [[]])
    points: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.points = [[0] * (self.first - 1) for _ in range(self.players)]
        if self.dealer is None:
            self.dealer = dealer_by_lot(self.seed, self.players)

    @property
    def round(self) -> int:
        """R3."""
        return self.first + len(self.rounds) - 1

    def seat(self, turns: int) -> int:
        """R4: whose turn it is after so many turns of this round, -1 for who deals."""
        assert self.dealer is not None
        return (self.dealer + len(self.rounds) + turns) % self.players

    def moment(self) -> Moment:
        """The present, found from the deal on."""
        hands, stock, discards = self.dealt()
        refills, moves, laid = 0, self.rounds[-1], Cards()
        for count, move in enumerate(moves):
            hand = hands[self.seat(count // 2)]
            if move["type"] == "draw" and move["from"] == "discard":
                hand.append(discards.pop())
            elif move["type"] == "draw":
                if not stock:
                    refills += 1
                    label = f"three_thirteen/round/{self.round}/refill/{refills}"
                    stock, discards = [*shuffled(self.seed, label, tuple(discards[:-1]))], discards[-1:]
                hand.append(stock.pop(0))
            else:
                discards.append(move["card"] if move["type"] == "discard" else move["discard"])
                hand.remove(discards[-1])
            if move["type"] == "go_out":
                laid = hand[:]
                hand.clear()
        fresh = moves[-1:] and moves[-1].get("from") == "discard"
        taken = hands[self.seat(len(moves) // 2)][-1] if fresh else None
        out, left = self.last_lap()
        turn = None if self.round == 11 and left == 0 else self.seat(len(moves) // 2)
        phase = ("draw", "discard")[len(moves) % 2]
        return Moment(
            self.round, self.rules, turn, phase, hands, stock, discards, refills, taken, out, laid, left
        )

    def dealt(self) -> tuple[list[Cards], Cards, Cards]:
        """R3 to R5: hands, stock and discards."""
        deck = [rank + suit for suit in SUITS for rank in RANKS] * decks(self.players, self.rules)
        pile = [*shuffled(self.seed, f"three_thirteen/round/{self.round}", tuple(deck))]
        hands: list[Cards] = [[] for _ in range(self.players)]
        for count in range((self.round + 2) * self.players):
            hands[self.seat(count)].append(pile.pop(0))
        return hands, pile[1:], pile[:1]

    def last_lap(self) -> tuple[int | None, int | None]:
        """R10: who has gone out in this round, and how many turns are left."""
        for count, move in enumerate(self.rounds[-1]):
            if move["type"] == "go_out":
                since = len(self.rounds[-1]) // 2 - (count + 1) // 2
                return self.seat(count // 2), self.players - 1 - since
        return None, None

    def begin(self) -> list[Told]:
        """The events of the start of a game."""
        told = {"players": self.players, "decks": decks(self.players, self.rules), "dealer": self.seat(-1)}
        return [{"type": "game_started", "seat": None, **told}, self._round_started()]

    def _round_started(self) -> Told:
        hands, stock, discards = self.dealt()
        return {
            "type": "round_started",
            "seat": None,
            "round": self.round,
            "wild_rank": wild(self.round),
            "dealer": self.seat(-1),
            "turn": self.seat(0),
            "discard_top": discards[-1],
            "stock": len(stock),
            "hands": [in_order(hand) for hand in hands],
        }

    def record(self, before: Moment, move: Move) -> list[Told]:
        """Takes down a move, and tells its events, such as `bare` leaves them."""
        self.rounds[-1].append(move)
        now, events, seat = self.moment(), list[Told](), before.turn
        if now.refills > before.refills:
            events.append({"type": "stock_refilled", "seat": None, "stock": len(now.stock) + 1})
        assert seat is not None
        if move["type"] == "draw":
            events.append({"type": "drew", "seat": seat, "from": move["from"], "card": now.hands[seat][-1]})
        elif move["type"] == "discard":
            events.append({"type": "discarded", "seat": seat, "card": move["card"]})
        else:
            told = {"discard": move["discard"], "cards": in_order(now.laid)}
            events.append({"type": "went_out", "seat": seat, **told})
        return events + self._round_ended(now) if now.left == 0 else events

    def _round_ended(self, now: Moment) -> list[Told]:
        shown = []
        for seat, hand in enumerate(now.hands):
            cards = now.laid if seat == now.went_out else hand
            cost = 0 if seat == now.went_out else penalty(hand, now.round, self.rules)
            self.points[seat].append(cost)
            shown.append({"seat": seat, "hand": in_order(cards), "points": cost})
        totals = [sum(points) for points in self.points]
        told = {"type": "round_ended", "seat": None, "round": now.round, "hands": shown, "totals": totals}
        if now.round == 11:
            winners = [seat for seat, total in enumerate(totals) if total == min(totals)]
            return [told, {"type": "game_over", "seat": None, "winners": winners, "totals": totals}]
        self.rounds.append([])
        return [told, self._round_started()]
