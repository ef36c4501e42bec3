"""The search for the melding that saves most penalty points (R11), and why nothing saves more.

*What there is to choose.* The natural cards of a meld tell how many wilds it needs. A run of more than five
places splits into runs of three to five, and a run with a single natural card is worth no more than a set
with it; so it is enough to look at runs of two to five natural cards in five places. Once the runs are
chosen, the other cards of a rank are best melded all in one set: three or more for nothing, two for a
wild, one for two wilds. Wilds in no meld join any meld there is, so they count only where there is none.
What is left is a choice of runs, and of ranks to spend wilds on, that saves the most natural cards.

*How it is made.* Level by level from the highest, each run being decided on at the level of its highest
card: runs that are still there are taken, in a fixed order so that none are taken twice; then the other cards
of the level become a set, or are left. All ways are tried but those that can't beat the best so far, as told

- by the bound: what the levels below could save if melds were free to share cards. It is never too low, and
  with few cards seldom too high;
- by the ceiling: what all cards count, less those left already. It tells where most cards meld.

Cards that are in no possible meld are set aside first, or the ceiling would tell little.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rules.cards import Card
from rules.three_thirteen.arrangement import SMALLEST
from rules.three_thirteen.packing import (
    FIELD,
    GUARD,
    LEVELS_AT,
    WORTH_AT,
    Choice,
    Group,
    Groups,
    Level,
    Run,
    codes,
    tables,
)
from rules.three_thirteen.ranks import DECK_ORDER

Chosen = tuple[Run | int, "Chosen"] | None
"""Melds, the last one first: a run, or for a set its level; None at the end."""


class Melding(NamedTuple):
    """Melds of some cards. `saved`: what their natural cards would count; `chosen`: None if there are none,
    or only one of wilds.
    """

    saved: int
    chosen: Chosen


class Search:
    """The melding of a hand that saves the most.

    `best`: that one. `total`: what all natural cards count. `wilds`: how many there are. `visits`: the
    work done.
    """

    __slots__ = (
        "_bounds",
        "_chosen",
        "_code",
        "_goal",
        "_in_runs",
        "_packed",
        "_saved",
        "_steps",
        "best",
        "tables",
        "total",
        "visits",
        "wilds",
    )

    def __init__(self, hand: Sequence[Card], round_: int, aces: str) -> None:
        self.tables = known = tables(aces)
        self._code = code = codes(aces, round_)
        coded = list(map(code.__getitem__, hand))
        present, packed = 0, GUARD
        for mask, one in coded:
            present |= mask
            packed += one
        self.total = packed >> WORTH_AT
        self.wilds = wilds = packed >> LEVELS_AT & 31
        self.visits = 0
        self.best = Melding(0, None)
        groups, useful = known.find_runs(present, wilds)
        self._in_runs = useful
        useful |= known.find_sets(packed, wilds, groups)
        if groups:
            if wilds < SMALLEST - 1:
                packed = sum([one for mask, one in coded if mask & useful], GUARD)
            self._packed = packed
            self._prepare(groups)
            self.best = self._solve(packed, wilds, packed >> WORTH_AT)

    def without_each(self, cards: Iterable[Card]) -> dict[Card, Melding]:
        """For each of these cards of the hand, the best melding if one copy of it is given away.

        Where the best melding of the whole hand does not use all copies, that one. Else it is searched again
        on the same tables and bounds; cards of a rank that are in no run are all worth the same.
        """
        meldings = dict.fromkeys(cards, self.best)
        if self.best.saved:
            known: dict[str, Melding] = {}
            for card in self._needed(meldings):
                mask, one = self._code[card]
                kind = card.text if mask & self._in_runs else card.text[0]
                if kind not in known:
                    packed = self._packed - one if mask else self._packed
                    known[kind] = self._solve(packed, self.wilds if mask else self.wilds - 1, self.best.saved)
                meldings[card] = known[kind]
        return meldings

    def _needed(self, cards: Iterable[Card]) -> list[Card]:
        """The wilds, and those cards of which the best melding uses every copy."""
        runs, levels = chosen_melds(self.best.chosen)
        left = self._packed - sum([run.packed for run in runs])
        for level in levels:
            left &= self.tables.levels[level][3]
        used = self._packed ^ left
        needed = []
        for card in cards:
            at = FIELD * DECK_ORDER[card]
            if not self._code[card][0] or (used >> at & 15 and not left >> at & 15):
                needed.append(card)
        return needed

    def _prepare(self, groups: Groups) -> None:
        """Lays out the steps, the lowest level first, and the bounds on what so many of them can save."""
        packed, levels = self._packed, self.tables.levels
        steps: list[tuple[Level, Sequence[Choice]]] = []
        bound = [0] * (self.wilds + 1)
        bounds = [bound]
        ordered = sorted(groups)
        for number in ordered:
            level, here = levels[number], groups[number]
            if number != ordered[-1]:
                bound = _raised(bound, packed, level, here)
                bounds.append(bound)
            runs = here[0].runs if len(here) == 1 else [run for group in here for run in group.runs]
            steps.append((level, runs))
        bounds.append([self.total] * (self.wilds + 1))
        self._steps, self._bounds = steps, bounds

    def _solve(self, packed: int, wilds: int, goal: int) -> Melding:
        """The best melding of the packed cards; none is better than the goal, so that one will do."""
        self._saved, self._goal = 0, goal
        self._chosen: Chosen = None
        self._descend(len(self._steps), 0, packed, wilds, 0, packed >> WORTH_AT, None)
        return Melding(self._saved, self._chosen)

    def _descend(
        self, level: int, first: int, packed: int, wilds: int, saved: int, ceiling: int, chosen: Chosen
    ) -> bool:
        """Tries all ways to go down from step `level`, there from run `first` on; true once at the goal."""
        self.visits += 1
        bounds = self._bounds
        while True:
            if saved > self._saved:
                self._saved, self._chosen = saved, chosen
                if saved >= self._goal:
                    return True
            if not level or ceiling <= self._saved or saved + bounds[level][wilds] <= self._saved:
                return False
            (number, at, value, without), runs = self._steps[level - 1]
            count = packed >> at & 31
            if count:
                after = level - 1 if count == 1 else level
                bound = bounds[after]
                for i in range(first, len(runs)):
                    taken, need, worth, run = runs[i]
                    more, free = saved + worth, wilds - need
                    if free >= 0 and more + bound[free] > self._saved:
                        rest = packed - taken
                        if rest & GUARD == GUARD:
                            again = i if count > 1 else 0
                            if self._descend(after, again, rest, free, more, ceiling, (run, chosen)):
                                return True
                packed &= without
                more, need = saved + count * value, SMALLEST - count
                laid = number, chosen
                if need <= 0:
                    saved, chosen = more, laid
                else:
                    free = wilds - need
                    if free >= 0 and self._descend(level - 1, 0, packed, free, more, ceiling, laid):
                        return True
                    ceiling -= more - saved
            level, first = level - 1, 0


def chosen_melds(chosen: Chosen) -> tuple[list[Run], list[int]]:
    """The runs chosen, and the levels of the sets."""
    runs: list[Run] = []
    levels: list[int] = []
    while chosen:
        meld, chosen = chosen
        if isinstance(meld, int):
            levels.append(meld)
        else:
            runs.append(meld)
    return runs, levels


def _raised(bound: list[int], packed: int, level: Level, groups: Sequence[Group]) -> list[int]:
    """The bound by wilds, with all cards of one more level in a set, and all runs of it taken.

    A single card in a run that needs two wilds at most saves more there than by two wilds in a set.
    """
    _, at, value, _ = level
    count = packed >> at & 31
    if count >= SMALLEST:
        worth = count * value
        bound = [saved + worth for saved in bound]
    elif count + len(bound) > SMALLEST and (count > 1 or not groups or groups[0].peaks[0][0] > 2):
        bound = _best(bound, ((SMALLEST - count, count * value),))
    for group in groups:
        bound = _best(bound, group.peaks)
        for _ in range(1, packed >> group.copies_at & 15):
            bound = _best(bound, group.peaks)
    return bound


def _best(bound: list[int], options: Iterable[tuple[int, int]]) -> list[int]:
    """The bound by wilds, if one of the options (wilds, points saved) is there to be taken."""
    raised = bound[:]
    for wilds, value in options:
        left = wilds
        for saved in bound[: len(bound) - wilds]:
            saved += value
            if saved > raised[left]:
                raised[left] = saved
            left += 1
    return raised
