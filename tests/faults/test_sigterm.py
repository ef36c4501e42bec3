"""SIGTERM under load: what has been asked is answered, nothing is cut off, and the exit code is 0."""

import random
import threading
import time
from collections import Counter

import httpx
import pytest

from tests.driver import Table
from tests.faults.servers import eventually

CLIENTS = 8
SEED = "07" * 32


class Asking(threading.Thread):
    """A client that looks at a game again and again, until nobody listens any more.

    `keeps` says whether it does all on one connection, as long as the service keeps that open.
    """

    def __init__(self, address, path, keeps):
        super().__init__()
        self.address, self.path, self.keeps = address, path, keeps
        self.outcomes = Counter()
        self.faults = []

    def run(self):
        limits = httpx.Limits(max_keepalive_connections=1 if self.keeps else 0)
        with httpx.Client(base_url=self.address, timeout=20, limits=limits) as client:
            while self.ask(client):
                pass

    def ask(self, client):
        try:
            answer = client.get(self.path)
        except httpx.ConnectError:
            return False
        except httpx.TransportError as fault:
            self.faults.append(repr(fault))
            return False
        self.outcomes[answer.status_code] += 1
        return True


@pytest.mark.parametrize("keeps", [True, False], ids=["kept connections", "new connections"])
def test_a_stop_under_load_answers_what_was_asked(service, store, proxy, times, tried, keeps):
    """Each answer takes a while, so that every client waits for one when the signal comes."""
    stops, asked, faults = times(1, 20), 0, []
    between = proxy(store().port)
    for _ in range(stops):
        between.heal()
        running = service(REDIS_URL=between.url, WEB_CONCURRENCY="2")
        with running.client() as client:
            path = Table(client, "thirteen", 2, seed=SEED).path
        between.delay(0.05)
        clients = [Asking(running.address, path, keeps) for _ in range(CLIENTS)]
        for one in clients:
            one.start()
        eventually(lambda clients=clients: all(one.outcomes[200] for one in clients))
        time.sleep(random.uniform(0, 0.2))  # a moment that nobody has chosen
        assert running.end() == 0
        for one in clients:
            one.join()
        assert set().union(*(one.outcomes for one in clients)) == {200}
        asked += sum(one.outcomes[200] for one in clients)
        faults += [fault for one in clients for fault in one.faults]
    row = f"SIGTERM under load, {'kept' if keeps else 'new'} connections"
    tried(row, stops, len(faults), f"{asked:,} requests answered, exit code 0")
    assert faults == []
