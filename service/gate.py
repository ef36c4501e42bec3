"""Who may come in, and how often: API keys and rate limits, before anything else is done for a request."""

import hmac
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from flask import Blueprint, Response, g, request
from redis.exceptions import RedisError

from service import metrics
from service.auth import ApiKeyNeeded, client, digest
from service.connection import Answering, Client, Script
from service.settings import RateLimit

COUNTING_SECONDS = 0.3
"""The longest that a request waits to be counted by the store."""

ALONE_SECONDS = 1.0
"""How long a process counts by itself before it asks a store again that has failed it."""

MOST_CALLERS = 10_000
"""Callers a process keeps count of by itself while the store is down."""


class RateLimited(Exception):
    """The caller asks more often than it may."""

    def __init__(self, spent: "Spent") -> None:
        super().__init__(spent)
        self.spent = spent


@dataclass(frozen=True, slots=True)
class Spent:
    """Where a caller stands: requests that remain, seconds until all are there again, and until one is."""

    refused: bool
    remaining: int
    reset: int
    retry_after: int


class Throttle:
    """A caller's requests counted in the store, over all workers; while it is down, in this process."""

    def __init__(self, limit: RateLimit, redis: Client) -> None:
        self.limit = limit
        self._interval = limit.seconds * 1_000_000 // limit.requests
        self._holds = limit.seconds * 1_000_000
        self._script = Script(redis, "throttle.lua")
        self._own: OrderedDict[str, int] = OrderedDict()
        self._alone_until = 0.0

    def spend(self, caller: str) -> Spent:
        """Counts a request of the caller."""
        alone = time.monotonic() < self._alone_until
        refused, waiting = self._spend_here(caller) if alone else self._spend_there(caller)
        return self._spent(bool(refused), waiting)

    def _spend_there(self, caller: str) -> tuple[int, int]:
        try:
            with Answering(COUNTING_SECONDS) as wait:
                counted = self._script([f"rate:{{{caller}}}"], [self._interval, self._holds])
            metrics.asked("count", wait.seconds, failed=False)
        except RedisError:
            metrics.asked("count", wait.seconds, failed=True)
            self._alone_until = time.monotonic() + ALONE_SECONDS
            return self._spend_here(caller)
        refused, waiting = cast(list[int], counted)
        self._keep(caller, _now() + waiting)
        return refused, waiting

    def _spend_here(self, caller: str) -> tuple[int, int]:
        """What throttle.lua does, for this process alone, from where the store was when last heard of."""
        now = _now()
        empty = max(self._own.get(caller, 0), now)
        refused = empty + self._interval - now > self._holds
        self._keep(caller, empty if refused else empty + self._interval)
        return int(refused), self._own[caller] - now

    def _keep(self, caller: str, empty: int) -> None:
        """Notes when the caller's bucket will be empty; forgets who has not asked for longest."""
        self._own[caller] = empty
        self._own.move_to_end(caller)
        if len(self._own) > MOST_CALLERS:
            self._own.popitem(last=False)

    def _spent(self, refused: bool, waiting: int) -> Spent:
        remaining = max(0, (self._holds - waiting) // self._interval)
        until_one = max(0, waiting + self._interval - self._holds)
        return Spent(refused, remaining, math.ceil(waiting / 1e6), max(1, math.ceil(until_one / 1e6)))

    def fields(self, spent: Spent) -> dict[str, str]:
        """The header fields of draft-ietf-httpapi-ratelimit-headers-11."""
        return {
            "RateLimit-Policy": f'"default";q={self.limit.requests};w={self.limit.seconds}',
            "RateLimit": f'"default";r={spent.remaining};t={spent.reset}',
        }


def _now() -> int:
    """Microseconds of a clock that only goes forward."""
    return time.monotonic_ns() // 1000


class Gate:
    """What every request under /v1 passes first: the rate limit, then for some the API key."""

    def __init__(self, api_keys: tuple[str, ...], throttle: Throttle | None) -> None:
        self._keys = [digest(key) for key in api_keys]
        self._throttle = throttle

    def watch(self, routes: Blueprint, needs_key: Callable[[str], bool]) -> None:
        """Has the blueprint's requests pass; `needs_key` says which of its endpoints need a key.

        A browser's preflight (CORS) does nothing and can't bring a key: it just passes.
        """
        if not self._keys and not self._throttle:
            return

        def admit() -> None:
            if request.method != "OPTIONS":
                self._count()
                self._require_key(needs_key(request.endpoint or ""))

        routes.before_request(admit)
        routes.after_request(self._tell)

    def _known(self) -> bool:
        given = digest(request.headers.get("X-API-Key", ""))
        return True in [hmac.compare_digest(given, key) for key in self._keys]

    def _require_key(self, needed: bool) -> None:
        if needed and self._keys and not self._known():
            raise ApiKeyNeeded

    def _count(self) -> None:
        if self._throttle:
            caller = client() if self._known() else f"address {request.remote_addr}"
            g.spent = self._throttle.spend(digest(caller))
            if g.spent.refused:
                raise RateLimited(g.spent)

    def _tell(self, answer: Response) -> Response:
        if self._throttle and "spent" in g:
            answer.headers.update(self._throttle.fields(g.spent))
        return answer
