"""What cards mean in Thirteen: their order, the combinations, and what beats what (T3 to T11).

A combination is recognised by its ranks alone, of which there are only 141 patterns. Each pattern is
a number that holds, three bits a rank, how many cards of that rank there are, so the cards' weights
add up to the key of a table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from rules.cards import DECK, Card, Rank, Suit, parse_card
from rules.errors import IllegalAction, Reason
from rules.game import JSON
from rules.thirteen.options import Options

RANKS = (*tuple(Rank)[2:], Rank.ACE, Rank.TWO)
"""The ranks from low to high: 3 4 5 … K A 2 (T3)."""

ORDER: tuple[Card, ...] = tuple(parse_card(rank + suit) for rank in RANKS for suit in Suit)
"""All cards, weakest first: by rank, and by suit between cards of one rank (T3, T4)."""

STRENGTH: dict[Card, int] = {card: place for place, card in enumerate(ORDER)}
"""A card's place in `ORDER`: four times its rank's place, plus its suit's."""


def by_strength(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards sorted, weakest first (T3, T4)."""
    return tuple(sorted(cards, key=STRENGTH.__getitem__))


class Type(StrEnum):
    """The types of combination (T6)."""

    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    QUAD = "quad"
    SEQUENCE = "sequence"
    DOUBLE_SEQUENCE = "double_sequence"


class Shape(NamedTuple):
    """A type with a number of cards, which a play must share to follow (T9).

    It fills `width` consecutive ranks with `each` cards of a rank.
    """

    type: Type
    size: int
    each: int
    width: int


_QUAD = Shape(Type.QUAD, 4, 4, 1)
_PAIRS_3, _PAIRS_4, _PAIRS_5, _PAIRS_6 = (Shape(Type.DOUBLE_SEQUENCE, 2 * n, 2, n) for n in range(3, 7))

BOMBS = (_PAIRS_3, _QUAD, _PAIRS_4, _PAIRS_5, _PAIRS_6)
"""The bombs in the order of the option `southern`, weakest first."""

SHAPES = (
    Shape(Type.SINGLE, 1, 1, 1),
    Shape(Type.PAIR, 2, 2, 1),
    Shape(Type.TRIPLE, 3, 3, 1),
    *(Shape(Type.SEQUENCE, n, 1, n) for n in range(3, 13)),
    *BOMBS,
)
"""All shapes, in the order in which plays are listed: the bombs last."""

_HIGHEST_ACE = parse_card("AH")
_ON_TWOS: dict[str, dict[int, tuple[Shape, ...]]] = {
    "exact": {1: (_PAIRS_3, _QUAD), 2: (_PAIRS_4,), 3: (_PAIRS_5,)},
    "at_least": {1: BOMBS, 2: (_PAIRS_4, _PAIRS_5, _PAIRS_6), 3: (_PAIRS_5, _PAIRS_6)},
    "southern": {1: BOMBS, 2: (_QUAD, _PAIRS_4, _PAIRS_5, _PAIRS_6), 3: (_PAIRS_5, _PAIRS_6)},
}


@dataclass(frozen=True, slots=True)
class Combination:
    """Cards that may be played together, weakest first. Get one from `classify`."""

    shape: Shape
    cards: tuple[Card, ...]

    @property
    def type(self) -> Type:
        """Its type (T6)."""
        return self.shape.type

    @property
    def size(self) -> int:
        """How many cards it has."""
        return self.shape.size

    @property
    def high_card(self) -> Card:
        """The card that decides (T9)."""
        return self.cards[-1]


def describe(combination: Combination) -> dict[str, JSON]:
    """`{type, size, cards, high_card}`, as answers and events write it."""
    texts = [card.text for card in combination.cards]
    return {"type": combination.type, "size": len(texts), "cards": texts, "high_card": texts[-1]}


def _patterns(shape: Shape) -> list[int]:
    ranks = 13 if shape.width == 1 else 12  # T7: a 2 is in no sequence
    lowest = sum(shape.each << 3 * rank for rank in range(shape.width))
    return [lowest << 3 * rank for rank in range(ranks - shape.width + 1)]


_SHAPE_OF: dict[int, Shape] = {pattern: shape for shape in SHAPES for pattern in _patterns(shape)}
_WEIGHT: dict[Card, int] = {card: 1 << 3 * RANKS.index(card.rank) for card in DECK}


def classify(cards: Collection[Card]) -> Combination | None:
    """The combination that the cards are in any order, or None (T6, T7). A card twice is none."""
    shape = _SHAPE_OF.get(sum(map(_WEIGHT.__getitem__, cards)))
    if shape is None or len(set(cards)) != len(cards):
        return None
    return Combination(shape, by_strength(cards))


def bombs_on(table: Combination, options: Options) -> tuple[Shape, ...]:
    """The bombs of another shape than the table's that beat it, however low they are (T10, T11).

    Weakest first. Under `southern` every bomb further up the ladder beats a bomb, a quad of 2s too.
    """
    if options.bombs == "southern" and table.shape in BOMBS:
        return BOMBS[BOMBS.index(table.shape) + 1 :]
    if table.high_card.rank is Rank.TWO:
        return _ON_TWOS[options.bombs].get(table.size, ())
    return ()


def can_be_bombed(table: Combination, options: Options) -> bool:
    """Whether some bomb could beat the table, to judge by its cards alone (`bomb_after_pass`)."""
    if options.bombs == "southern" and table.shape == _PAIRS_6:
        return table.high_card is not _HIGHEST_ACE
    return bool(bombs_on(table, options))


def beats(play: Combination, table: Combination, options: Options) -> bool:
    """Whether `play` may follow `table` (T9 to T11)."""
    if play.shape == table.shape:
        return STRENGTH[play.cards[-1]] > STRENGTH[table.cards[-1]]
    return play.shape in bombs_on(table, options)


def refusal(
    cards: Sequence[Card],
    combination: Combination | None,
    table: Combination | None,
    options: Options,
    hand: Collection[Card] | None = None,
    must_include: Card | None = None,
) -> IllegalAction | None:
    """Why these cards may not be played, or None where they may.

    `combination` is what `classify` makes of the cards. Without a `table` anything may be led (T8);
    without a `hand` nobody asks whether the cards are held. Where several reasons apply, the first
    of this order is given: the hand, the combination, `must_include` (T17), the table.
    """
    if hand is not None:
        for card in cards:
            if card not in hand:
                return IllegalAction(Reason.CARD_NOT_IN_HAND, card=card.text)
    if combination is None:
        return IllegalAction(Reason.NOT_A_COMBINATION)
    if must_include is not None and must_include not in cards:
        return IllegalAction(Reason.MUST_INCLUDE_CARD, card=must_include.text)
    if table is None or beats(combination, table, options):
        return None
    return _unbeaten(combination, table)


def _unbeaten(play: Combination, table: Combination) -> IllegalAction:
    if play.type is not table.type:
        reason = Reason.BOMB_DOES_NOT_APPLY if play.shape in BOMBS else Reason.WRONG_TYPE
        return IllegalAction(reason, type=play.type, table_type=table.type)
    if play.size != table.size:
        return IllegalAction(Reason.WRONG_SIZE, size=play.size, table_size=table.size)
    high_cards = {"high_card": play.high_card.text, "table_high_card": table.high_card.text}
    return IllegalAction(Reason.TOO_LOW, **high_cards)
