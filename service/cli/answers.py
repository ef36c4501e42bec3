"""The stateless questions on the command line: the very answers of the API, asked within this process."""

import json
import os
from argparse import Namespace
from typing import Any

from service.app import create_app
from service.cli.output import Output, Refused
from service.settings import Settings

JSON = Any

NO_STORE = {"REDIS_URL": "unix:///nowhere", "LOG_LEVEL": "error"}
"""The questions need none."""


def deal(asked: Namespace, output: Output) -> int:
    """`thirteens deal`."""
    body = {"game": asked.game, "players": asked.players, "round": asked.round, "dealer": asked.dealer}
    dealt = ask("/v1/deals", body | {"seed": asked.seed, "rules": _rules(asked.rule)})
    if output.as_json:
        output.json(dealt)
        return 0
    for name in ("seed", "commitment"):
        output.line(f"{name:12}{dealt[name]}")
    for seat, hand in enumerate(dealt["hands"]):
        output.line(f"{f'seat {seat}':12}{output.cards(hand)}")
    for name in ("undealt", "discard", "stock"):
        if dealt.get(name):
            output.line(f"{name:12}{output.cards(dealt[name])}")
    if "wild_rank" in dealt:
        output.line(f"{'wild':12}{dealt['wild_rank']}")
        output.line(f"{'turn':12}seat {dealt['first_seat']}")
    elif dealt["lead_seat"] is not None:
        card = f" with {output.cards([dealt['lead_card']])}" if dealt["lead_card"] else ""
        output.line(f"{'lead':12}seat {dealt['lead_seat']}{card}")
    return 0


def check(asked: Namespace, output: Output) -> int:
    """`thirteens check`: 0 for a legal play, 1 for an illegal one."""
    body = {"cards": asked.cards, "table": asked.table, "hand": asked.hand}
    verdict = ask(
        "/v1/thirteen/validate-play", body | {"must_include": asked.must_include, "rules": _rules(asked.rule)}
    )
    if output.as_json:
        output.json(verdict)
    elif verdict["legal"]:
        played = verdict["combination"]
        output.line(f"yes: {played['type'].replace('_', ' ')} {output.cards(played['cards'])}")
    else:
        output.line(f"no: {verdict['reason']['message']}")
    return 0 if verdict["legal"] else 1


def score(asked: Namespace, output: Output) -> int:
    """`thirteens score`: of a hand with a card more than the round's, the best discard too."""
    drawn = len(asked.hand) == asked.round + 3
    path = "best-discard" if drawn else "score-hand"
    body = {"hand": asked.hand, "round": asked.round, "rules": _rules(asked.rule)}
    best = ask(f"/v1/three-thirteen/{path}", body)
    if output.as_json:
        output.json(best)
        return 0
    if drawn:
        output.line(
            f"discard     {output.cards([best['discard']])}{' and go out' if best['can_go_out'] else ''}"
        )
    output.line(f"points      {best['penalty']}")
    for meld in best["melds"]:
        stands = "" if meld["cards"] == meld["represents"] else f"  as {output.cards(meld['represents'])}"
        output.line(f"{meld['type']:12}{output.cards(meld['cards'])}{stands}")
    if best["leftover"]:
        output.line(f"left over   {output.cards(one['card'] for one in best['leftover'])}")
    if drawn:
        others = (f"{output.cards([one['discard']])} {one['penalty']}" for one in best["options"][1:])
        output.line(f"others      {', '.join(others)}")
    return 0


def ask(path: str, body: dict[str, JSON]) -> JSON:
    """The API's answer, in the terminal's language; raises `Refused`. Fields that are `None` are left out."""
    given = {name: value for name, value in body.items() if value is not None}
    language = (os.environ.get("LC_ALL") or os.environ.get("LANG") or "en").partition("_")[0]
    client = create_app(Settings.from_env(NO_STORE)).test_client()
    answer = client.post(
        path, data=json.dumps(given), headers={"Accept-Language": language}, content_type="application/json"
    )
    told = answer.get_json()
    if answer.status_code != 200:
        faults = [f"{fault['pointer'].strip('/')}: {fault['detail']}" for fault in told.get("errors", [])]
        raise Refused("\n".join(faults or [told["detail"]]))
    return told


def _rules(given: list[str]) -> dict[str, JSON] | None:
    """`NAME=VALUE` as a `rules` object; values that are JSON are that, others are text."""
    rules = {}
    for rule in given:
        name, _, value = rule.partition("=")
        try:
            rules[name] = json.loads(value)
        except ValueError:
            rules[name] = value
    return rules or None
