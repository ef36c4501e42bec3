"""Bodies made wrong in every place are taken or refused alike by the document and by the service."""

import json

import pytest
from marshmallow import ValidationError

from service.schemas.body import Plain
from tests.service import contract
from tests.service.contract import examples, operation
from tests.service.test_openapi_requests import FULL, SCHEMAS

JSON = "application/json"

WRONG = (
    *(None, True, False, -1, 0, 1, 2, 3, 8, 12, 1.5, 10**20),
    *(
        "",
        "3S",
        "3S\n",
        "10h",
        "1S",
        "x",
        "x" * 41,
        "x\n",
        "play",
        "stock",
        "low",
        "southern",
        "ab" * 32,
        "AB" * 32,
    ),
    *([], [[]], {}, {"name": "x"}, ["3S"], ["3S", "4S"], [["3S"]], ["3S"] * 15, ["4S", None]),
)
"""Values of every JSON type; some of them fit here and there."""

LATER = {
    "duplicate_card": {"*"},
    "wrong_hand_size": {"*"},
    "out_of_range": {"/dealer", "/first_seat", "/rules/decks"},
    "invalid_value": {"/table", "/first_seat"},
}
"""What JSON Schema can't say, by code: the pointers where the service alone may refuse a body.

A card twice, and a hand of another size than its round's; a dealer or first seat beyond the players,
decks that don't suffice; a table that is no combination, a first seat that no rule asks for.
"""

OPERATIONS = {
    "deal": ("ThirteenDealRequest", "ThreeThirteenDealRequest"),
    "validatePlay": ("ValidatePlayRequest",),
    "listLegalPlays": ("LegalPlaysRequest",),
    "scoreHand": ("ScoreHandRequest",),
    "findBestDiscard": ("BestDiscardRequest",),
    "validateMelds": ("ValidateMeldsRequest",),
    "createGame": ("NewThirteenGame", "NewThreeThirteenGame"),
    "makeMove": ("PlayMove", "PassMove", "DrawMove", "DiscardMove", "GoOutMove"),
}


def mutations(value):
    """The value with one thing changed somewhere, in every way known here."""
    yield from WRONG
    if isinstance(value, int) and not isinstance(value, bool):
        yield from (value - 1, value + 1)
    if isinstance(value, dict):
        yield {**value, "surprise": 1}
        for key in value:
            yield {name: one for name, one in value.items() if name != key}
            yield from ({**value, key: changed} for changed in mutations(value[key]))
    if isinstance(value, list):
        yield from ([*value, one] for one in value[:1])
        yield from (value * 2, value * 8, value[:-1], value[::-1])
        for place, one in enumerate(value):
            yield from ([*value[:place], changed, *value[place + 1 :]] for changed in mutations(one))


def bodies(operation_id):
    """Everything the document shows as a request with the full bodies, and all mutations of these."""
    shown = examples(*operation(operation_id).keys, "requestBody", "content", JSON)
    full = [FULL[name] for name in OPERATIONS[operation_id]]
    return [*shown.values(), *full], [changed for start in full for changed in mutations(start)]


@pytest.fixture
def send(client):
    """Sends a body to an operation. Moves go to a game in which it is another seat's turn."""
    players = [{"name": "Linh"}, {"name": "Nino"}]
    made = client.post("/v1/games", json={"game": "thirteen", "players": players}).json
    idle = next(seat for seat in made["seats"] if seat["seat"] != made["state"]["turn"])
    headers = {"Authorization": f"Bearer {idle['token']}"}

    def send(one, body):
        path = one.path.replace("{id}", made["id"])
        return client.post(path, data=json.dumps(body), content_type=JSON, headers=headers)

    return send


def refused_later(answer):
    """Whether the service refused a body only for what JSON Schema can't say."""
    pointers = [(error["code"], error["pointer"]) for error in answer.json["errors"]]
    return all(LATER.get(code, set()) & {"*", pointer} for code, pointer in pointers)


@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_every_example_and_every_full_body_is_taken_by_both(send, operation_id):
    one = operation(operation_id)
    for body in bodies(operation_id)[0]:
        assert contract.accepts(one, body), body
        assert send(one, body).status_code in (200, 201, 409), body


@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_every_mutation_is_taken_or_refused_by_both(send, operation_id):
    one = operation(operation_id)
    taken = 0
    for body in bodies(operation_id)[1]:
        answer = send(one, body)
        refused = answer.status_code == 422
        if contract.accepts(one, body):
            taken += not refused
            assert not refused or refused_later(answer), (body, answer.json)
        else:
            assert refused, (body, answer.json)
    assert taken


@pytest.mark.parametrize("name", [name for name, schema in SCHEMAS.items() if isinstance(schema, Plain)])
def test_a_plain_schema_reads_what_marshmallow_loads_and_nothing_else(name):
    schema = SCHEMAS[name]
    assert not any(schema._hooks.values())
    read = 0
    for body in [FULL[name], *filter(lambda body: isinstance(body, dict), mutations(FULL[name]))]:
        quickly = schema.read(body)
        try:
            assert quickly == schema.load(body), body
            read += 1
        except ValidationError:
            assert quickly is None, body
    assert read


@pytest.mark.parametrize(
    ("operation_id", "body", "pointer"),
    [
        ("scoreHand", {"hand": ["5S", "6S", "7S"], "round": 1.0}, "/round"),
        ("deal", {"game": "thirteen", "players": 2.0}, "/players"),
    ],
)
def test_a_whole_number_has_no_fraction_though_json_schema_allows_it(send, operation_id, body, pointer):
    one = operation(operation_id)
    assert contract.accepts(one, body)
    errors = send(one, body).json["errors"]
    assert [(error["pointer"], error["code"]) for error in errors] == [(pointer, "invalid_type")]
