"""No client of the last released openapi.yaml breaks: and the check that says so sees every kind of break."""

import copy
from pathlib import Path

import pytest

from tests.clients.changes import breaking, may_break
from tests.service.contract import document, load

RELEASED = Path(__file__).with_name("released") / "openapi.yaml"
HANDS = "POST /v1/three-thirteen/score-hand"


@pytest.fixture
def changed():
    """The document, to be changed at will."""
    return copy.deepcopy(document())


def test_nothing_breaks_for_clients_of_the_last_release():
    released = load(RELEASED.read_text(encoding="utf-8"))
    assert may_break(released, document()) or breaking(released, document()) == []


def test_a_document_breaks_nothing_of_itself(changed):
    assert breaking(document(), changed) == []


@pytest.mark.parametrize(
    ("was", "is_now", "may"),
    [
        ("0.1.0", "0.1.1", False),
        ("0.1.9", "0.2.0", True),
        ("0.9.0", "1.0.0", True),
        ("1.0.0", "1.9.0", False),
        ("1.9.0", "2.0.0", True),
        ("0.10.0", "0.9.0", False),
    ],
)
def test_only_a_new_first_number_may_break_or_below_1_a_new_second(was, is_now, may):
    assert may_break({"info": {"version": was}}, {"info": {"version": is_now}}) == may


def schemas(node):
    return node["components"]["schemas"]


def move(node):
    return node["paths"]["/v1/games/{id}/moves"]["post"]


def fields(node, name):
    return schemas(node)[name]["properties"]


def drop(mapping, key):
    del mapping[key]


BREAKS = {
    "path": (lambda it: drop(it["paths"], "/v1/rules"), "GET /v1/rules: removed"),
    "operation": (lambda it: drop(it["paths"]["/v1/games/{id}"], "delete"), "DELETE /v1/games/{id}: removed"),
    "operation's name": (lambda it: move(it).update(operationId="move"), "operationId was makeMove, is move"),
    "status": (lambda it: drop(move(it)["responses"], "412"), "status 412 removed"),
    "credentials": (
        lambda it: it["paths"]["/v1/deals"]["post"].update(security=[{"apiKey": []}]),
        "POST /v1/deals: no credentials was enough",
    ),
    "way to send credentials": (
        lambda it: it["components"]["securitySchemes"]["apiKey"].update(name="X-Key"),
        "apiKey: was {'type': 'apiKey', 'in': 'header', 'name': 'X-API-Key'}, is",
    ),
    "parameter": (lambda it: move(it)["parameters"].pop(0), "header idempotency-key: removed"),
    "parameter needed": (
        lambda it: it["components"]["parameters"]["If-Match"].update(required=True),
        "header if-match: required now",
    ),
    "new parameter needed": (
        lambda it: move(it)["parameters"].append(
            {"in": "query", "name": "x", "required": True, "schema": {}}
        ),
        "query x: required now",
    ),
    "parameter's range": (
        lambda it: it["paths"]["/v1/games/{id}/events"]["get"]["parameters"][1]["schema"].update(maximum=500),
        "query limit: maximum was 1000, is 500",
    ),
    "parameter's default": (
        lambda it: it["paths"]["/v1/games/{id}/events"]["get"]["parameters"][1]["schema"].update(default=50),
        "query limit: default was 100, is 50",
    ),
    "media type asked": (
        lambda it: move(it)["requestBody"].update(content={"text/plain": {"schema": {}}}),
        "body: application/json removed",
    ),
    "media type answered": (
        lambda it: drop(it["components"]["responses"]["Refused"]["content"], "application/problem+json"),
        "-> 409: application/problem+json removed",
    ),
    "header": (lambda it: drop(move(it)["responses"]["200"]["headers"], "ETag"), "-> 200, ETag: removed"),
    "header not sure": (
        lambda it: it["components"]["headers"]["ETag"].update(required=False),
        "ETag: not always there now",
    ),
    "field asked": (lambda it: drop(fields(it, "GoOutMove"), "melds"), "body/melds: removed"),
    "field asked needed": (
        lambda it: schemas(it)["GoOutMove"]["required"].append("melds"),
        "body/melds: required now",
    ),
    "new field needed": (
        lambda it: (
            fields(it, "NewPlayer").update(age={"type": "integer"}),
            schemas(it)["NewPlayer"]["required"].append("age"),
        ),
        "body/players/*/age: required now",
    ),
    "choice asked": (
        lambda it: fields(it, "ThirteenRules")["bombs"]["enum"].remove("southern"),
        "body/rules/bombs: 'southern' removed",
    ),
    "choice where there was none": (
        lambda it: schemas(it)["PlayerName"].update(enum=["An"]),
        "body/players/*/name: enum was None",
    ),
    "least": (lambda it: fields(it, "NewThirteenGame")["players"].update(minItems=3), "minItems was 2, is 3"),
    "most": (lambda it: schemas(it)["PlayerName"].update(maxLength=20), "maxLength was 40, is 20"),
    "range": (lambda it: schemas(it)["Round"].update(maximum=10), f"{HANDS}, body/round: maximum was 11"),
    "pattern asked": (lambda it: schemas(it)["CardIn"].update(pattern="^..$"), "body/hand/*: pattern was"),
    "no copies": (
        lambda it: schemas(it)["ThreeThirteenCardsIn"].update(uniqueItems=True),
        "body/hand: uniqueItems was None, is True",
    ),
    "type asked": (lambda it: schemas(it)["Round"].update(type="string"), "body/round: integer removed"),
    "null asked": (lambda it: schemas(it)["TableIn"].update(type="array"), "body/table: null removed"),
    "kind asked": (lambda it: schemas(it)["Move"]["oneOf"].pop(), "moves, body/type: 'go_out' removed"),
    "field told": (
        lambda it: drop(fields(it, "HandScore"), "wild_rank"),
        f"{HANDS} -> 200/wild_rank: removed",
    ),
    "field told not sure": (
        lambda it: schemas(it)["HandScore"]["required"].remove("melds"),
        f"{HANDS} -> 200/melds: not always there now",
    ),
    "code told": (lambda it: schemas(it)["ProblemCode"]["enum"].remove("too_low"), "code: 'too_low' removed"),
    "any code told": (lambda it: drop(schemas(it)["Reason"], "enum"), "reason/code: enum was"),
    "kind told": (lambda it: schemas(it)["Event"]["oneOf"].pop(), "events/*/type: 'round_ended' removed"),
    "type told": (lambda it: schemas(it)["Points"].update(type="number"), "penalty: integer removed"),
    "null told": (
        lambda it: schemas(it)["Rank"].update(type=["string", "null"]),
        "wild_rank: may be null now",
    ),
    "wider range told": (lambda it: schemas(it)["Seat"].update(maximum=9), "seat: maximum was 7, is 9"),
    "range told no more": (
        lambda it: drop(schemas(it)["Hand"], "maxItems"),
        "hand: maxItems was 14, is None",
    ),
    "pattern told": (lambda it: schemas(it)["Card"].update(pattern="^.*$"), "cards/*: pattern was"),
    "values of a map told": (
        lambda it: schemas(it)["Params"].update(additionalProperties=True),
        "params: additionalProperties was",
    ),
}
ADDS = {
    "path": lambda it: it["paths"].update({"/v2": it["paths"]["/v1/rules"]}),
    "status": lambda it: move(it)["responses"].update({"418": {"description": "a teapot"}}),
    "credentials that are not needed": lambda it: move(it).update(security=[{"gameToken": []}, {}]),
    "parameter": lambda it: move(it)["parameters"].append({"in": "query", "name": "x", "schema": {}}),
    "media type": lambda it: move(it)["responses"]["200"]["content"].update({"text/csv": {"schema": {}}}),
    "header": lambda it: move(it)["responses"]["200"]["headers"].update({"X-More": {"schema": {}}}),
    "field asked": lambda it: fields(it, "NewPlayer").update(age={"type": "integer"}),
    "field told": lambda it: (
        fields(it, "HandScore").update(more={"type": "integer"}),
        schemas(it)["HandScore"]["required"].append("more"),
    ),
    "field told always": lambda it: schemas(it)["ThirteenState"]["required"].append("seed"),
    "field asked not needed": lambda it: schemas(it)["DealRequest"].update(
        oneOf=[{**one, "required": ["game"]} for one in schemas(it)["DealRequest"]["oneOf"]]
    ),
    "choice": lambda it: fields(it, "ThirteenRules")["bombs"]["enum"].append("northern"),
    "code": lambda it: schemas(it)["ProblemCode"]["enum"].append("tea_time"),
    "kind of event": lambda it: schemas(it)["Event"]["oneOf"].append(
        {"type": "object", "required": ["type"], "properties": {"type": {"type": "string", "enum": ["tea"]}}}
    ),
    "longer names": lambda it: fields(it, "NewPlayer").update(name={"type": "string", "maxLength": 99}),
    "narrower range told": lambda it: schemas(it)["Status"].update(maximum=503),
    "null asked": lambda it: schemas(it)["SeedIn"].update(type=["string", "null"]),
    "never null told": lambda it: schemas(it)["PointsOrNull"].update(type="integer"),
    "other words": lambda it: schemas(it)["Seat"].update(description="A chair."),
    "schema's name": lambda it: (
        schemas(it).update(Colour=schemas(it).pop("Rank")),
        schemas(it).update(Rank={"$ref": "#/components/schemas/Colour"}),
    ),
}


@pytest.mark.parametrize(("change", "told"), BREAKS.values(), ids=BREAKS)
def test_what_is_removed_or_narrowed_is_told(changed, change, told):
    change(changed)
    found = breaking(document(), changed)
    assert any(told in line for line in found), found


@pytest.mark.parametrize("change", ADDS.values(), ids=ADDS)
def test_what_is_added_or_allowed_is_not(changed, change):
    change(changed)
    assert changed != document()
    assert breaking(document(), changed) == []


def test_a_keyword_that_is_not_understood_is_an_error(changed):
    schemas(changed)["Seat"]["not"] = {"const": 3}
    with pytest.raises(ValueError, match="not"):
        breaking(document(), changed)
