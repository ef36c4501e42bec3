"""`thirteens verify`: whether a finished game was dealt as committed to, and played by the rules.

Needs nothing of the service that played it but what every spectator gets: the game's view and its events.
The seed gives all hands and the order of the stock, so every move is made anew and must have had
the effects that the events tell of.
"""

import hashlib
import hmac
import json
from argparse import Namespace
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from rules import GAMES
from rules.errors import RulesError
from rules.game import Game, Step
from service.cli.output import Output, Refused

JSON = Any
Check = tuple[str, bool, str]
"""What is checked, whether it holds, and what there is to say about it."""

PAGE = 1000
SECONDS = 20


def verify(asked: Namespace, output: Output) -> int:
    """`thirteens verify`: 0 where everything holds, else 1."""
    game, events = _read(asked.game, asked.events)
    try:
        checks = list(checked(game, events))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise Refused(f"this is not a game as the service tells it: {error!r}") from error
    holds = all(ok for _, ok, _ in checks)
    if output.as_json:
        rows = [{"check": what, "ok": ok, "detail": detail} for what, ok, detail in checks]
        output.json({"ok": holds, "checks": rows})
    else:
        for what, ok, detail in checks:
            output.line(f"{'✓' if ok else '✗'} {what}{': ' if detail else ''}{detail}")
    return 0 if holds else 1


def checked(game: JSON, events: list[JSON]) -> Iterator[Check]:
    """The checks, one after the other; the first that fails is the last."""
    finished = game["status"] == "finished"
    yield "the game is finished", finished, "" if finished else "its seed is still secret"
    if not finished:
        return
    digest = hashlib.sha256(bytes.fromhex(game["seed"])).hexdigest()
    committed = hmac.compare_digest(digest, game["commitment"])
    yield "the seed is the one committed to", committed, game["commitment"]
    if not committed:
        return
    state, fault = _replayed(GAMES[game["game"]], game, events)
    yield (
        "every deal and every move is as the rules have it",
        not fault,
        fault or f"{game['version']} versions",
    )
    if not fault:
        yield "the end is the one shown", _ends_as_shown(GAMES[game["game"]], state, game), ""


def _replayed(rules: Game[Any, Any, Any], game: JSON, events: list[JSON]) -> tuple[Any, str]:
    """The state after all moves made anew, and what differs from the events told, if anything."""
    options = rules.OPTIONS.build(game["rules"])
    versions = {version: list(told) for version, told in groupby(events, lambda event: event["version"])}
    if sorted(versions) != list(range(1, game["version"] + 1)):
        return None, "there are not events of every version"
    first = versions[1][0]["turn"] if getattr(options, "first_lead", "") == "seat" else None
    step: Step[Any, Any] = rules.new_game(len(game["players"]), bytes.fromhex(game["seed"]), options, first)
    for version, told in versions.items():
        if version > 1:
            try:
                step = rules.apply(step.state, rules.load_action(*_move(told)))
            except RulesError as error:
                return None, f"version {version} breaks the rules: {error!r}"
        seen = [rules.view_event(rules.dump_event(event), None) for event in step.events]
        bare = [{name: event[name] for name in event if name not in ("version", "at")} for event in told]
        if json.loads(json.dumps(seen)) != bare:
            return None, f"version {version} is told otherwise than it was"
    return step.state, ""


def _move(told: list[JSON]) -> tuple[int, JSON]:
    """The seat and the body of the move behind the events of a version."""
    for event in told:
        match event["type"]:
            case "played":
                return event["seat"], {"type": "play", "cards": event["combination"]["cards"]}
            case "passed":
                return event["seat"], {"type": "pass"}
            case "drew":
                return event["seat"], {"type": "draw", "from": event["from"]}
            case "discarded":
                return event["seat"], {"type": "discard", "card": event["card"]}
            case "went_out":
                melds = [meld["cards"] for meld in event["melds"]]
                return event["seat"], {"type": "go_out", "discard": event["discard"], "melds": melds}
    raise ValueError(f"no move behind {told}")


def _ends_as_shown(rules: Game[Any, Any, Any], state: Any, game: JSON) -> bool:
    view = json.loads(json.dumps(rules.view(state, None)))
    players = zip(view.pop("players"), game["players"], strict=True)
    return view.items() <= game.items() and all(mine.items() <= shown.items() for mine, shown in players)


def _read(game: str, events: str | None) -> tuple[JSON, list[JSON]]:
    if game.startswith(("http://", "https://")):
        view = _fetch(game)
        return view, list(_fetch_events(game))
    if events is None:
        raise Refused("beside a file with the game, one with its events is needed")
    return _load(game), _events_of(_load(events), events)


def _fetch_events(address: str) -> Iterator[JSON]:
    after = 0
    while page := _events_of(_fetch(f"{address}/events?after={after}&limit={PAGE}"), address):
        yield from page
        after = page[-1]["version"]


def _events_of(told: JSON, where: str) -> list[JSON]:
    events = told.get("events") if isinstance(told, dict) else None
    if not isinstance(events, list):
        raise Refused(f"{where}: these are no events as the service tells them")
    return events


def _fetch(address: str) -> JSON:
    try:
        with urlopen(Request(address, headers={"Accept": "application/json"}), timeout=SECONDS) as answer:
            return json.load(answer)
    except (URLError, ValueError, OSError) as error:
        raise Refused(f"{address}: {error}") from error


def _load(file: str) -> JSON:
    try:
        return json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Refused(f"{file}: {error}") from error
