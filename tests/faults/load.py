"""Clients that play games through whatever happens, and know afterwards what they were promised."""

import random
import threading
import time
import uuid
from collections import defaultdict

import httpx

from tests.driver import Table, choose
from tests.faults.servers import SECONDS, eventually

GAMES = (("thirteen", 2), ("three_thirteen", 2))


class Unanswered(Exception):
    """A move without a key got no answer, or a 503: only the game can tell what became of it."""


class Patient:
    """An HTTP client that asks until it is answered, as a careful client would.

    Each POST has an idempotency key and is sent again with it; where `keys` is false a move has none,
    and raises `Unanswered` instead.
    """

    def __init__(self, address, keys):
        self.http = httpx.Client(base_url=address, timeout=5)
        self.keys = keys
        self.failures = 0

    def get(self, url, **options):
        return self._until_answered(lambda: self.http.get(url, **options))

    def post(self, url, headers=None, **options):
        if not self.keys and url.endswith("/moves"):
            answer = self._once(lambda: self.http.post(url, headers=headers, **options))
            if answer is None:
                raise Unanswered
            return answer
        keyed = {**(headers or {}), "Idempotency-Key": str(uuid.uuid4())}
        return self._until_answered(lambda: self.http.post(url, headers=keyed, **options))

    def _until_answered(self, ask):
        return eventually(lambda: self._once(ask), SECONDS, every=0.05)

    def _once(self, ask):
        """The answer, unless there is none or it is the store's 503."""
        try:
            answer = ask()
        except httpx.TransportError:
            answer = None
        if answer is None or (answer.status_code == 503 and answer.json()["code"] == "store_unavailable"):
            self.failures += 1
            return None
        return answer


class Played:
    """A game being played, and every move that was acknowledged: version → (seat, its events as answered)."""

    def __init__(self, client, game, players, rng):
        self.rng = rng
        self.table = Table(client, game, players)
        self.view = self.table.created["state"]
        self.acknowledged = {}

    @property
    def over(self):
        return self.view["status"] == "finished"

    def step(self):
        """One move of whoever's turn it is; afterwards its acknowledgement is noted."""
        seat = self.view["turn"]
        move = choose(self.rng, self.view, self.table.moves(seat))
        try:
            answer = self.table.move(seat, move)
        except Unanswered:
            self._ask_the_game(seat)
            return
        assert answer.status_code == 200, (move, answer.text)
        body = answer.json()
        assert body["version"] == self.view["version"] + 1, (
            "an acknowledged move is gone, or one was made twice"
        )
        self.acknowledged[body["version"]] = (seat, body["events"])
        self.view = body["state"]

    def _ask_the_game(self, seat):
        """The move is made or it is not; nothing else can have happened."""
        view = self.table.get(seat=seat)
        assert view["version"] - self.view["version"] in (0, 1), "an acknowledged move is gone"
        self.view = view

    def lost(self):
        """How many acknowledged moves are not in the game's events exactly as they were answered."""
        told = [self._events(seat) for seat in range(len(self.table.tokens))]
        versions = sorted(told[0])
        assert versions == list(range(1, self.table.get()["version"] + 1)), "events with a gap or a repeat"
        return sum(told[seat].get(version) != events for version, (seat, events) in self.acknowledged.items())

    def _events(self, seat):
        by_version, after = defaultdict(list), 0
        while page := self.table.get(f"/events?after={after}&limit=1000", seat)["events"]:
            for event in page:
                by_version[event["version"]].append(event)
            after = page[-1]["version"]
        return by_version


class Load:
    """Client threads, each playing a game of each kind at a time, from `with` until its end.

    Afterwards every acknowledged move has been looked for: see `acknowledged`, `lost` and `failures`.
    """

    def __init__(self, address, threads=4):
        self._stop = threading.Event()
        self._broken = []
        self.games = []
        self.clients = [Patient(address, keys=number % 2 == 0) for number in range(threads)]
        self._playing = [[] for _ in self.clients]
        self._threads = [threading.Thread(target=self._play, args=[number]) for number in range(threads)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, failure, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join()
        assert failure or not self._broken, self._broken
        self.acknowledged = self.moves()
        self.failures = sum(client.failures for client in self.clients)
        self.lost = 0 if failure else sum(game.lost() for game in self.games)
        for client in self.clients:
            client.http.close()

    def moves(self):
        """How many moves have been acknowledged so far."""
        return sum(len(game.acknowledged) for game in self.games)

    def plays_on(self, seconds=SECONDS):
        """Returns, with the seconds it took, when in every game another move has been made from now on."""
        started = time.monotonic()
        before = {id(game): game.view["version"] for game in list(self.games) if not game.over}

        def moved():
            assert not self._broken, self._broken
            return all(
                game.view["version"] > before.get(id(game), 0) for game in list(self.games) if not game.over
            )

        eventually(moved, seconds, every=0.01)
        return time.monotonic() - started

    def _play(self, number):
        rng = random.Random(number)
        client = self.clients[number]
        try:
            while not self._stop.is_set():
                self._round(self._playing[number], client, rng)
        except Exception as fault:  # told in the main thread
            self._broken.append(fault)
            raise

    def _round(self, playing, client, rng):
        for place, (name, players) in enumerate(GAMES):
            if len(playing) <= place:
                playing.append(Played(client, name, players, rng))
                self.games.append(playing[place])
            elif playing[place].over:
                playing[place] = Played(client, name, players, rng)
                self.games.append(playing[place])
            else:
                playing[place].step()
