"""Hints that a channel of the store gives: any may be lost, so nobody may depend on them.

One subscription a process, made anew when it breaks. In a cluster it is at one node, which passes on what is
published at any other.
"""

import random
from collections.abc import Callable
from contextlib import suppress

import gevent
import structlog
from redis.backoff import ExponentialWithJitterBackoff
from redis.client import PubSub
from redis.exceptions import ConnectionError

from service.connection import Answering, Client, subscriber

SILENT_SECONDS = 2.0
"""After so long without a message the server is asked for one, after as long again it is given up."""

PAUSES = ExponentialWithJitterBackoff(cap=5.0, base=0.25)
"""Between tries to subscribe, in seconds."""

OPEN = "live"
"""A channel that keeps the subscription open while there is no other; nothing is said there."""

Heard = Callable[[bytes], None]

_log = structlog.get_logger()


class Hints:
    """What somebody wants to hear of, by channel."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._wanted: dict[str, Heard] = {OPEN: lambda _: None}
        self._subscribed: PubSub | None = None

    def want(self, channel: str, heard: Heard) -> None:
        """From now on `heard` is called with what is published there."""
        self._wanted[channel] = heard
        if self._subscribed:
            with suppress(Exception):  # `listen` finds out, and makes another subscription to all
                self._subscribed.subscribe(channel)

    def drop(self, channel: str) -> None:
        """Nobody wants to hear of it any more."""
        self._wanted.pop(channel, None)
        if self._subscribed:
            with suppress(Exception):
                self._subscribed.unsubscribe(channel)  # type: ignore[no-untyped-call]

    def listen(self) -> None:
        """Listens for ever; a greenlet of its own."""
        failures = 0
        while True:
            try:
                subscribed = self._subscribe()
                failures = 0
                self._listen(subscribed)
            except Exception as fault:  # redis-py raises all sorts when another greenlet closes what it reads
                _log.warning("hints_interrupted", cause=f"{type(fault).__name__}: {fault}")
            self._close()
            failures += 1
            gevent.sleep(PAUSES.compute(failures))

    def _subscribe(self) -> PubSub:
        with Answering():
            told = list(self._wanted)
            subscribed = subscriber(self._client, random.choice(told))
            subscribed.subscribe(*told)
        self._subscribed = subscribed
        if late := set(self._wanted).difference(told):
            subscribed.subscribe(*late)
        return subscribed

    def _listen(self, subscribed: PubSub) -> None:
        asked = False
        while True:
            message = subscribed.get_message(timeout=SILENT_SECONDS)
            if message is None:
                if asked:
                    raise ConnectionError("silent")
                subscribed.ping()
            elif message["type"] == "message":
                heard = self._wanted.get(message["channel"].decode())
                if heard:
                    heard(message["data"])
            asked = message is None
            gevent.sleep(0)  # who was woken comes first, however much there is to read

    def _close(self) -> None:
        subscribed, self._subscribed = self._subscribed, None
        if subscribed:
            with suppress(Exception):
                subscribed.close()
