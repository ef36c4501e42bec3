"""Questions that other implementations answer wrongly, played through HTTP (tests/cases/http.json)."""

import json
from pathlib import Path

import pytest

CASES = json.loads((Path(__file__).parents[1] / "cases" / "http.json").read_text())
ORDER = {
    rank + suit: place for place, (rank, suit) in enumerate((r, s) for r in "3456789TJQKA2" for s in "SCDH")
}


def assert_holds(expected, got):
    if isinstance(expected, dict):
        for key, value in expected.items():
            assert_holds(value, got[key])
    else:
        assert got == expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.get("id", case["post"].rsplit("/", 1)[-1]))
def test_case(client, case):
    answer = client.post(case["post"], json=case["body"])
    body = answer.get_json()
    assert answer.status_code == case["status"]
    assert_holds(case.get("expect", {}), body)
    if "plays" in case:
        plays = sorted(sorted(play["cards"], key=ORDER.__getitem__) for play in body["plays"])
        assert plays == sorted(case["plays"])
        assert body["can_pass"] is case["can_pass"]
    if "hands" in case:
        assert [sorted(hand) for hand in body["hands"]] == case["hands"]
    if "options" in case:
        assert {option["discard"]: option["penalty"] for option in body["options"]} == case["options"]
