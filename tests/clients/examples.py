"""What holds for every example, whatever language it is in."""

import json
import re
from collections import Counter

from tests.faults.servers import Service, StoreServer

KEY = "a-key-for-the-examples"


def plays_both_games(example, service):
    """Plays as the README says; by the service's log no move was made twice, and no view was told twice."""
    before = len(service.said())
    with example.playing(API=service.address) as process:
        text = read(process, [])
    lines = (json.loads(line) for line in service.said()[before:].splitlines() if line.startswith("{"))
    requests = [line for line in lines if line["event"] == "request"]
    answers = Counter(
        (line["method"], str(line["route"]).split("/")[-1], line["status"]) for line in requests
    )
    assert answers["POST", "moves", 200] == sum(map(int, re.findall(r"after (\d+) moves", text))), answers
    assert answers["POST", "moves", 409] == 2, answers
    assert answers["GET", "<game_id>", 304] > 0, answers


def goes_on_after_an_outage(example, folder):
    """The store dies under a game, and comes back: the game is played to its end all the same.

    The service asks for an API key.
    """
    with StoreServer(folder / "store") as store:
        service = Service(folder / "service", REDIS_URL=store.url, API_KEYS=KEY)
        with service, example.playing(API=service.address, API_KEY=KEY) as process:
            lines = []
            until("refused as it should be", process, lines)
            store.kill()
            until("store_unavailable: again in", process, lines)
            store.start()
            read(process, lines)


def until(words, process, lines):
    """Reads lines until one that has these words."""
    for line in process.stdout:
        lines.append(line)
        if words in line:
            return
    raise AssertionError("".join(lines))


def read(process, lines):
    """Reads to the end: both games were won, after a refusal, with the deal that was committed to."""
    lines += process.stdout
    text = "".join(lines)
    assert process.wait() == 0, text
    for game in ("thirteen", "three_thirteen"):
        assert f"\n{game}: refused as it should be, not_your_turn: " in f"\n{text}", text
        assert re.search(rf"^{game}: won by \w+( and \w+)* after \d+ moves$", text, re.M), text
        assert f"\n{game}: the seed is the one that was committed to\n" in text, text
    return text
