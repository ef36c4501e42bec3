"""A row of the table: two things measured in turn, again and again, and the ratio between them."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

RUNS = 5
"""Times that each of the two is measured, in turn."""


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured, beside what, and what was asked: a ratio of at least (or at most) so much."""

    what: str
    ours: str
    against: str
    ratio: float
    asked: float
    at_least: bool = True

    @property
    def reached(self) -> bool:
        """Whether the ratio is what was asked."""
        return self.ratio >= self.asked if self.at_least else self.ratio <= self.asked

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as the table has it."""
        asked = f"{'≥' if self.at_least else '≤'} {self.asked:g}"
        return self.what, self.ours, self.against, f"{self.ratio:.2f}", asked, "" if self.reached else "no"


def in_turn(
    ours: Callable[[], float], theirs: Callable[[], float], runs: int = RUNS
) -> tuple[float, float, float]:
    """The medians of both, and of the ratios ours/theirs of each pair; a first pair is not counted."""
    ours(), theirs()
    pairs = [(ours(), theirs()) for _ in range(runs)]
    return (
        median(our for our, _ in pairs),
        median(their for _, their in pairs),
        median(our / their for our, their in pairs),
    )


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A Markdown table, its columns aligned so that it also reads well as it is."""
    widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
    lines = [heads, tuple("-" * width for width in widths), *rows]
    padded = (" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in lines)
    return "".join(f"| {line} |\n" for line in padded)
