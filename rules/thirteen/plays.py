"""Every legal play of a hand, built rank by rank: the work grows with the plays there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from rules.cards import Card
from rules.thirteen.combinations import ORDER, SHAPES, STRENGTH, Combination, Shape, bombs_on
from rules.thirteen.options import Options

Group = tuple[Card, ...]
Row = Sequence[Sequence[Group]]
"""By highest rank (its place in `RANKS`): groups of cards of equal shape, weakest first."""

_ACE = 11


def _groups(rank: int, suits: int, count: int) -> tuple[Group, ...]:
    strongest_first = [ORDER[4 * rank + suit] for suit in (3, 2, 1, 0) if suits >> suit & 1]
    return tuple([group[::-1] for group in combinations(strongest_first, count)][::-1])


_GROUPS = [[[_groups(rank, suits, count) for suits in range(16)] for rank in range(13)] for count in range(5)]
"""By a number of cards, a rank and the suits held of it (a bit each): those groups, weakest first."""


def legal_plays(
    hand: Iterable[Card], table: Combination | None, options: Options, must_include: Card | None = None
) -> tuple[Combination, ...]:
    """Each combination of the hand that may be played now, once (T6 to T11, T17).

    Weakest first: by shape in the order of `SHAPES` (singles, pairs, triples, sequences by length, then
    bombs as in `BOMBS`), then by the highest card, the second highest, and so on.
    """
    held = _Held(hand)
    if table is None:
        plays = [play for shape in SHAPES for play in held.plays(shape)]
    else:
        plays = held.plays(table.shape, STRENGTH[table.high_card])
        for shape in bombs_on(table, options):
            plays += held.plays(shape)
    return tuple([play for play in plays if must_include is None or must_include in play.cards])


class _Held:
    """A hand by rank, and the groups of it on consecutive ranks that have been asked for so far."""

    def __init__(self, hand: Iterable[Card]) -> None:
        self._suits = [0] * 13
        for card in hand:
            rank, suit = divmod(STRENGTH[card], 4)
            self._suits[rank] |= 1 << suit
        self._rows: dict[int, list[Row]] = {}

    def plays(self, shape: Shape, above: int = -1) -> list[Combination]:
        """The combinations of one shape whose high card is stronger than `above`, weakest first."""
        tops = self._row(shape.each, shape.width)[max(above, 0) // 4 :]
        return [Combination(shape, group) for top in tops for group in top if STRENGTH[group[-1]] > above]

    def _row(self, each: int, width: int) -> Row:
        rows = self._rows.get(each)
        if rows is None:
            groups = [of_rank[suits] for of_rank, suits in zip(_GROUPS[each], self._suits, strict=True)]
            rows = self._rows[each] = [groups]
        while len(rows) < width:
            rows.append(_widened(rows[-1], rows[0]))
        return rows[width - 1]


def _widened(row: Row, groups: Row) -> Row:
    """The row's groups, each with a group of the next rank put on top; nothing goes on an ace (T7)."""
    if not any(row):
        return ()
    return [(), *([low + high for high in groups[top] for low in row[top - 1]] for top in range(1, _ACE + 1))]
