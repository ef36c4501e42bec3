"""A primary fails under load: there are answers, the games are back soon, nothing acknowledged is lost."""

import time

import pytest

from tests.faults.punctual import in_play, punctual_load, slowest
from tests.faults.servers import eventually


@pytest.mark.parametrize(
    ("how", "durability"), [("killed", "primary"), ("killed", "replica"), ("frozen", "replica")]
)
def test_a_primary_fails_under_load(replicated, service, times, tried, how, durability):
    running = service(REDIS_URL=replicated.url, WEB_CONCURRENCY="2", DURABILITY=durability)
    failures, longest = times(1, 5), 0.0
    with punctual_load(running) as load:
        for _ in range(failures):
            primary, *heirs = replicated.shard_of(in_play(load))
            started = time.monotonic()
            primary.kill() if how == "killed" else primary.freeze()
            if durability == "replica" and len(heirs) == 1:  # it acknowledges nothing without a replica
                eventually(heirs[0].leads)
                primary.come_back()
            load.plays_on()
            longest = max(longest, time.monotonic() - started)
            replicated.heal()
    note = (
        f"{load.acknowledged:,} moves acknowledged, {load.failures:,} answered 503,"
        f" back within {longest:.1f} s, answers within {slowest(load):.1f} s"
    )
    tried(f"{replicated.kind}: primary {how}, DURABILITY={durability}", failures, load.lost, note)
    assert load.lost == 0
    assert longest < replicated.back
