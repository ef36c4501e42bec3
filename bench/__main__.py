"""Measures everything and writes it down: `make bench`, and `make bench PART=\"workers streams\"`."""

import os
import platform
import re
import shutil
import sys
import time
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from bench import requests, searches, sizes, streams, workers
from bench.row import Row, table

DOCUMENT = Path(__file__).parents[1] / "docs/benchmarks.md"


def main(parts: list[str]) -> None:
    """Measures these parts (names of `PARTS`), prints them, and puts them in the document."""
    if not shutil.which("wrk"):
        sys.exit("wrk is needed: it makes the load (Debian: apt-get install wrk)")
    for part in parts:
        began = time.monotonic()
        measured = PARTS[part]()
        print(measured, flush=True)
        where = f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} CPUs, Python {platform.python_version()}"
        _write(part, f"{measured}\nMeasured {where}, in {time.monotonic() - began:.0f} s.\n")


def _rows() -> str:
    heads = ("what", "ours", "against", "ratio", "asked", "reached")
    return table(heads, [_told(row) for row in chain(searches.rows(), requests.rows())])


def _told(row: Row) -> tuple[str, ...]:
    print(*row.cells, sep="  ", file=sys.stderr, flush=True)
    return row.cells


def _sizes() -> str:
    return table(("what", "measured", "asked"), list(sizes.figures()))


PARTS = {"rows": _rows, "sizes": _sizes, "workers": workers.compared, "streams": streams.measured}


def _write(part: str, text: str) -> None:
    """Puts the text between the marks of its part."""
    document = DOCUMENT.read_text(encoding="utf-8")
    begin, end = f"<!-- {part} -->\n", f"<!-- /{part} -->\n"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    assert pattern.search(document), f"docs/benchmarks.md has no place for {part}"
    DOCUMENT.write_text(pattern.sub(lambda _: begin + text + end, document), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:] or ["rows", "sizes"])
