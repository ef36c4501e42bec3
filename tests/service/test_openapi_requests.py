"""Two descriptions of every request, openapi.yaml's and marshmallow's, allow the same bodies.

Once by their structure, field for field, and once by what they do: bodies made wrong in every place
in many ways are taken or refused alike.
"""

import pytest
from marshmallow import Schema
from marshmallow import fields as marsh

from service.api.questions import Questions
from service.schemas import fields, questions
from service.schemas.games import MOVES, NEW_GAMES
from tests.service import contract
from tests.service.contract import document, locate

SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

SCHEMAS = {
    "ThirteenDealRequest": Questions.DEALS["thirteen"],
    "ThreeThirteenDealRequest": Questions.DEALS["three_thirteen"],
    "ValidatePlayRequest": questions.ValidatePlay(),
    "ValidatePlayBatch": Questions.BATCH,
    "LegalPlaysRequest": questions.LegalPlays(),
    "LegalPlaysBatch": Questions.BATCH,
    "ScoreHandRequest": questions.ScoreHand(),
    "ScoreHandBatch": Questions.BATCH,
    "BestDiscardRequest": questions.BestDiscard(),
    "ValidateMeldsRequest": questions.ValidateMelds(),
    "NewThirteenGame": NEW_GAMES["thirteen"],
    "NewThreeThirteenGame": NEW_GAMES["three_thirteen"],
    "PlayMove": MOVES["play"],
    "PassMove": MOVES["pass"],
    "DrawMove": MOVES["draw"],
    "DiscardMove": MOVES["discard"],
    "GoOutMove": MOVES["go_out"],
}

BATCHED = {
    "ValidatePlayBatch": "ValidatePlayRequest",
    "LegalPlaysBatch": "LegalPlaysRequest",
    "ScoreHandBatch": "ScoreHandRequest",
}
"""By schema of a batch: that of its items, which are judged one by one."""

REFUSED_LATER = {("NewThreeThirteenGame", "first_seat")}
"""Fields that marshmallow takes and the rules then refuse, whatever is in them."""

THIRTEEN_RULES = {
    "preset": "southern",
    "first_lead": "seat",
    "pass_lock": False,
    "bombs": "at_least",
    "bomb_after_pass": "any",
    "finish": "first_out",
    "instant_wins": ["six_pairs", "dragon"],
}
THREE_THIRTEEN_RULES = {"aces": "low_or_high", "decks": 2, "leftover_wild": 15, "take_back": False}
PLAYERS = [{"name": "Linh"}, {"name": "Nino 🂡"}]

FULL = {
    "ThirteenDealRequest": {"game": "thirteen", "players": 3, "seed": SEED, "rules": THIRTEEN_RULES},
    "ThreeThirteenDealRequest": {
        "game": "three_thirteen",
        "players": 2,
        "round": 1,
        "seed": SEED,
        "dealer": 0,
        "rules": THREE_THIRTEEN_RULES,
    },
    "ValidatePlayRequest": {
        "cards": ["5S"],
        "table": ["4H"],
        "hand": ["5S", "6S"],
        "must_include": "5S",
        "rules": THIRTEEN_RULES,
    },
    "LegalPlaysRequest": {
        "hand": ["5S", "6S"],
        "table": ["4H"],
        "must_include": "5S",
        "rules": THIRTEEN_RULES,
    },
    "ScoreHandRequest": {"hand": ["5S", "6S", "7S"], "round": 1, "rules": THREE_THIRTEEN_RULES},
    "BestDiscardRequest": {"hand": ["5S", "6S", "7S", "9H"], "round": 1, "rules": THREE_THIRTEEN_RULES},
    "ValidateMeldsRequest": {
        "hand": ["5S", "6S", "7S", "9H"],
        "round": 1,
        "melds": [["5S", "6S", "7S"]],
        "discard": "9H",
        "rules": THREE_THIRTEEN_RULES,
    },
    "NewThirteenGame": {
        "game": "thirteen",
        "players": PLAYERS,
        "rules": THIRTEEN_RULES,
        "seed": SEED,
        "first_seat": 1,
    },
    "NewThreeThirteenGame": {
        "game": "three_thirteen",
        "players": PLAYERS,
        "rules": THREE_THIRTEEN_RULES,
        "seed": SEED,
    },
    "PlayMove": {"type": "play", "cards": ["3S", "3C"]},
    "PassMove": {"type": "pass"},
    "DrawMove": {"type": "draw", "from": "stock"},
    "DiscardMove": {"type": "discard", "card": "3S"},
    "GoOutMove": {"type": "go_out", "discard": "3S", "melds": [["5S", "6S", "7S"], ["8S", "8C", "8D"]]},
}
FULL |= {batch: {"items": [FULL[one]]} for batch, one in BATCHED.items()}
"""By schema: a body with every field, rules with every option."""


def plain(schema):
    """A schema of the document without references and without what marshmallow does not say as data."""
    if "$ref" in schema:
        schema = locate(*schema["$ref"].removeprefix("#/").split("/"))[1]
    kind = schema["type"]
    shape = {"type": sorted(kind) if isinstance(kind, list) else [kind]}
    told = ("enum", "minimum", "maximum", "maxItems", "uniqueItems")
    shape |= {key: schema[key] for key in told if key in schema}
    if "array" in shape["type"]:
        shape |= {"minItems": schema.get("minItems", 0), "items": plain(schema["items"])}
    if "object" in shape["type"]:
        assert schema["additionalProperties"] is False
        shape |= {
            "required": sorted(schema.get("required", [])),
            "properties": {name: plain(one) for name, one in schema["properties"].items()},
        }
    return shape


def shape_of(schema):
    """A marshmallow schema in the same words."""
    assert schema.unknown == "raise"
    named = {field.data_key or name: field for name, field in schema.fields.items()}
    return {
        "type": ["object"],
        "required": sorted(name for name, field in named.items() if field.required),
        "properties": {name: shape_of_field(field) for name, field in named.items()},
    }


def shape_of_field(field):
    """What one field of a marshmallow schema takes."""
    shape = _value_of(field)
    return {**shape, "type": sorted([*shape["type"], "null"])} if field.allow_none else shape


def _value_of(field):
    match field:
        case marsh.Nested():
            return shape_of(field.schema)
        case marsh.List():
            items = shape_of_field(field.inner)
            return _list(field.numbers.start, field.numbers.stop - 1, items)
        case fields.Melds():
            return _list(0, field.MOST, _list(1, field.MOST, {"type": ["string"]}))
        case fields.Cards():
            shape = _list(field.least, field.most, {"type": ["string"]})
            return shape if field.copies > 1 else {**shape, "uniqueItems": True}
        case fields.Several():
            items = {"type": ["string"], "enum": list(field.values)}
            return {**_list(0, len(field.values), items), "uniqueItems": True}
        case fields.Choice():
            return {"type": ["string"], "enum": list(field.values)}
        case fields.Whole():
            return {"type": ["integer"], "minimum": field.minimum, "maximum": field.maximum}
        case fields.Flag():
            return {"type": ["boolean"]}
        case fields.Text() | fields.OneCard():
            return {"type": ["string"]}
        case fields.Items():
            return _list(field.least, field.most, {})
    raise AssertionError(f"a new kind of field: {field!r}")


def _list(least, most, items):
    return {"type": ["array"], "minItems": least, "maxItems": most, "items": items}


@pytest.mark.parametrize("name", SCHEMAS)
def test_both_have_the_same_fields(name):
    assert isinstance(SCHEMAS[name], Schema)
    taken = shape_of(SCHEMAS[name])
    for schema, field in REFUSED_LATER:
        if schema == name:
            del taken["properties"][field]
    if name in BATCHED:
        taken["properties"]["items"]["items"] = shape_of(SCHEMAS[BATCHED[name]])
    assert plain(document()["components"]["schemas"][name]) == taken


def test_every_request_schema_is_compared():
    compared = set()
    for one in contract.operations():
        if "requestBody" in one.spec:
            at, schema = locate(*one.keys, "requestBody", "content", "application/json", "schema")
            union = schema.get("oneOf", [{"$ref": "/" + at[-1]}])
            compared |= {variant["$ref"].rsplit("/", 1)[-1] for variant in union}
    assert compared == set(SCHEMAS) == set(FULL)


@pytest.mark.parametrize("name", FULL)
def test_the_full_bodies_have_every_field(name):
    def missing(value, shape):
        if isinstance(value, dict):
            yield from shape["properties"].keys() - value.keys()
            for key in shape["properties"].keys() & value.keys():
                yield from missing(value[key], shape["properties"][key])

    assert list(missing(FULL[name], plain(document()["components"]["schemas"][name]))) == []
