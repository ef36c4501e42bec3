"""kill -9 of each process of the service, at random moments under load: what was answered stays."""

import os
import random
import signal
import time

import pytest

from tests.faults.load import Load
from tests.faults.servers import ends, eventually

KILLS_A_LIFE = 5
"""A store that keeps dying is started again after longer and longer waits; a new launcher knows of none."""


def kill(*pids):
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    assert ends(pids)


def start_again(service, left_over):
    """As an operator would, as soon as all that was there has gone by itself."""
    service.process.wait()
    assert ends(left_over), "an orphan"
    service.start()


def a_worker(service):
    victim = random.choice(service.workers())
    kill(victim)
    eventually(lambda: len(service.workers()) == 2 and victim not in service.workers())


def the_store(service):
    victim, workers = service.store(), service.workers()
    kill(victim)
    eventually(lambda: service.store() not in (None, victim))
    assert service.workers() == workers


def the_gunicorn_master(service):
    left_over = service.processes()
    kill(service.master())
    start_again(service, left_over)


def the_launcher(service):
    left_over = service.processes()
    service.kill()
    start_again(service, left_over)


def all_at_once(service):
    kill(*service.processes())
    start_again(service, [])


VICTIMS = [(a_worker, 50), (the_store, 50), (the_gunicorn_master, 50), (the_launcher, 50), (all_at_once, 10)]
"""What is killed, and how often `make faults` does it."""


@pytest.mark.parametrize(("victim", "often"), VICTIMS, ids=[victim.__name__ for victim, _ in VICTIMS])
def test_what_was_answered_survives_a_kill(service, times, tried, victim, often):
    """Every move that was acknowledged is there, every game plays on, and no process is left over."""
    left, slowest, acknowledged, unanswered, lost = times(1, often), 0.0, 0, 0, 0
    row = f"kill -9 of {victim.__name__.replace('_', ' ')} under load"
    kills = left
    while left:
        running = service(WEB_CONCURRENCY="2")
        with Load(running.address) as load:
            load.plays_on()
            for _ in range(min(left, KILLS_A_LIFE)):
                time.sleep(random.uniform(0, 0.3))  # a moment that nobody has chosen
                struck = time.monotonic()
                victim(running)
                load.plays_on()
                slowest = max(slowest, time.monotonic() - struck)
                left -= 1
        assert (len(running.workers()), bool(running.store())) == (2, True)
        acknowledged += load.acknowledged
        unanswered += load.failures
        lost += load.lost
        assert running.end() == 0
    note = f"{acknowledged:,} moves acknowledged, {unanswered:,} unanswered; back in {slowest:.1f} s at most"
    tried(row, kills, lost, note)
    assert lost == 0
