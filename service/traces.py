"""The trace that a request is part of: `traceparent` in and out (W3C Trace Context)."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_PARENT = re.compile(
    r"(?:00(?=.{53}\Z)|(?!00|ff)[0-9a-f]{2})"  # later versions may say more, with a dash between
    r"-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(?:-.*)?"
)

PLACE = "thirteens.trace"
"""Where in a request's environment its trace stands, if somebody before us has gone on with it."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace's id and our own span's in it, in hex; and whether the caller records it."""

    trace_id: str
    span_id: str
    sampled: bool

    def ids(self) -> dict[str, str]:
        """The two ids as a log has them."""
        return {"trace_id": self.trace_id, "span_id": self.span_id}

    def parent(self) -> str:
        """The value of `traceparent` that names our span."""
        return f"00-{self.trace_id}-{self.span_id}-{int(self.sampled):02x}"


def trace_of(environ: Mapping[str, Any]) -> Trace | None:
    """The caller's trace with a new span in it; `None` where no valid `traceparent` came."""
    given = environ.get("HTTP_TRACEPARENT")
    if PLACE in environ or given is None:
        found: Trace | None = environ.get(PLACE)
        return found
    parent = _PARENT.fullmatch(given)
    return parent and Trace(parent[1], os.urandom(8).hex(), bool(int(parent[2], 16) & 1))
