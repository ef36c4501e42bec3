"""Clients that hold every answer against what is promised while the store is away."""

import random
import time

from tests.faults.load import Load, Patient
from tests.faults.servers import eventually

SOON = 2.0
"""Seconds within which there is an answer, whatever has happened to the store."""


class Punctual(Patient):
    """A `Patient` that is always answered, and soon: a 503 says when to try again, nothing else is a 5xx."""

    def __init__(self, address, keys=True):
        super().__init__(address, keys)
        self.slowest = 0.0

    def once(self, method, url, **options):
        """The answer to one request, `None` for a 503."""
        return self._once(lambda: getattr(self.http, method)(url, **options))

    def _once(self, ask):
        started = time.monotonic()
        answer = ask()
        took = time.monotonic() - started
        self.slowest = max(self.slowest, took)
        assert took < SOON, f"{answer.status_code} after {took:.2f} s"
        if answer.status_code < 500:
            return answer
        self.failures += 1
        assert answer.status_code == 503, answer.text
        assert answer.json()["code"] == "store_unavailable"
        assert int(answer.headers["Retry-After"]) >= 1
        return None


def punctual_load(service, threads=4):
    """A `Load` whose clients are punctual, half of them with keys."""
    load = Load(service.address, threads)
    load.clients = [Punctual(service.address, keys=number % 2 == 0) for number in range(threads)]
    return load


def slowest(load):
    """The longest that any of its clients waited for an answer."""
    return max(client.slowest for client in load.clients)


def in_play(load):
    """The id of a game in which a move has been acknowledged, and the next can be made."""
    games = eventually(lambda: [game for game in list(load.games) if game.acknowledged and not game.over])
    return random.choice(games).table.created["id"]
