"""The document itself: valid, complete, and of the same mind as the code about paths and codes."""

import json
import re
from dataclasses import asdict

import pytest
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from rules import GAMES
from rules.errors import Fault, Reason
from rules.thirteen.combinations import Type
from service.errors import STATUS, Code
from tests.service import contract
from tests.service.contract import document, examples, fault, locate, operations

JSON = "application/json"
OPERATIONS = pytest.mark.parametrize("one", operations(), ids=lambda one: one.id)


def nodes(node, at=()):
    """Every part of the document with its place, as an iterator of pairs."""
    yield at, node
    below = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in below:
        if key not in ("example", "value", "default", "enum"):
            yield from nodes(value, (*at, key))


def schemas():
    """Every schema object of the document that says what type it has."""
    for at, node in nodes(document()):
        named = at and at[-1] in ("properties", "securitySchemes", "apiKey", "gameToken")
        if isinstance(node, dict) and "type" in node and not named:
            yield at, node


def test_the_document_is_valid_openapi():
    assert list(OpenAPIV31SpecValidator(document()).iter_errors()) == []


def test_no_key_is_written_twice():
    class Strict(yaml.SafeLoader):
        def construct_mapping(self, node, deep=False):
            keys = [self.construct_object(key) for key, _ in node.value]
            assert len(keys) == len(set(keys)), f"twice in line {node.start_mark.line + 1}: {keys}"
            return super().construct_mapping(node, deep)

    assert yaml.load(contract.FILE.read_text(encoding="utf-8"), Loader=Strict) == document()


def test_the_paths_are_those_of_the_application(app):
    served = {
        (method.lower(), re.sub(r"<(?:\w+:)?\w+>", "{}", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    described = {(one.method, re.sub(r"{\w+}", "{}", one.path)) for one in operations()}
    assert described == served


def test_the_document_is_served_as_it_is(client):
    answer = client.get("/openapi.yaml")
    assert answer.data == contract.FILE.read_bytes()
    assert document()["info"]["version"] == client.get("/").json["version"]


def enum(name):
    return locate("components", "schemas", name, "enum")[1]


def test_the_codes_are_those_of_the_code():
    assert enum("Reason") == [reason.value for reason in Reason]
    assert enum("Fault") == [one.value for one in Fault]
    assert set(enum("ProblemCode")) == {*STATUS} == {*Code, *Reason}
    assert enum("GameName") == list(GAMES)
    assert enum("CombinationType") == [one.value for one in Type]


@pytest.mark.parametrize(
    ("game", "name"), [("thirteen", "ThirteenRules"), ("three_thirteen", "ThreeThirteenRules")]
)
def test_the_rules_of_a_game_are_its_options_all_given(game, name):
    def said(schema):
        return {key: value for key, value in schema.items() if key not in ("description", "default")}

    given, resolved = (locate("components", "schemas", one)[1] for one in (name, f"Resolved{name}"))
    options = given["properties"]
    assert {option: said(schema) for option, schema in options.items()} == resolved["properties"]
    assert resolved["required"] == list(options)
    defaults = {option: schema["default"] for option, schema in options.items()}
    assert defaults == json.loads(json.dumps(asdict(GAMES[game].OPTIONS())))


@pytest.mark.parametrize("code", enum("ProblemCode"))
def test_every_code_is_explained(client, code):
    answer = client.get(f"/problems/{code}")
    assert (answer.status_code, answer.json["code"], answer.json["status"]) == (200, code, STATUS[code])


@OPERATIONS
def test_an_operation_is_named_and_described(one):
    spec = one.spec
    assert re.fullmatch(r"[a-z]+([A-Z][a-z]*)*", spec["operationId"])
    assert spec.keys() >= {"summary", "description", "security"}
    assert set(spec["tags"]) <= {tag["name"] for tag in document()["tags"]}
    assert [other.id for other in operations()].count(one.id) == 1


def bodies(one):
    """Where each body of an operation is described: its request's, and those of its answers."""
    if "requestBody" in one.spec:
        yield (*one.keys, "requestBody", "content", JSON)
    for status in one.spec["responses"]:
        at, response = one.response(status)
        yield from ((*at, "content", media) for media in response.get("content", ()))


@OPERATIONS
def test_every_body_has_examples_that_fit_its_schema(one):
    for at in bodies(one):
        assert examples(*at), f"no example at {at}"
        for name, value in examples(*at).items():
            where, _ = locate(*at, "schema")
            assert fault(where, value) is None, f"{name} at {at}"


@OPERATIONS
def test_a_success_has_an_example_for_every_example_of_the_request(one):
    if "requestBody" in one.spec:
        success = min(one.spec["responses"])
        asked = examples(*one.keys, "requestBody", "content", JSON)
        assert list(examples(*one.keys, "responses", success, "content", JSON)) == list(asked)


@OPERATIONS
def test_the_examples_of_an_error_have_its_status(one):
    for at in bodies(one):
        if at[-1] == "application/problem+json":
            for value in examples(*at).values():
                assert value["status"] == STATUS[value["code"]]
                assert value["type"] == f"/problems/{value['code']}"


@OPERATIONS
def test_what_needs_no_body_and_no_token_lists_no_errors_of_them(one):
    statuses = set(one.spec["responses"])
    assert ("requestBody" in one.spec) == (statuses >= {"400", "413", "415", "422"}) or one.id == "listEvents"
    assert any(one.spec["security"]) == ("401" in statuses)
    assert one.path.startswith("/v1/") == ("429" in statuses)
    assert (one.path.startswith("/v1/games") or one.path == "/readyz") == ("503" in statuses)


def test_every_component_is_used():
    used = {node["$ref"] for _, node in nodes(document()) if isinstance(node, dict) and "$ref" in node}
    there = {
        f"#/components/{kind}/{name}"
        for kind, parts in document()["components"].items()
        if kind != "securitySchemes"
        for name in parts
    }
    assert used == there


def test_every_string_format_is_one_that_is_checked():
    used = {node["format"] for _, node in schemas() if node["type"] == "string" and "format" in node}
    assert used <= set(contract.FORMATS.checkers)


def test_every_object_is_closed():
    closed = 0
    for at, node in schemas():
        if "object" not in node["type"]:
            continue
        closed += 1
        assert "additionalProperties" in node, at
        assert node["additionalProperties"] is False or "maxProperties" in node, at
        assert set(node.get("required", ())) <= set(node.get("properties", ())), at
    assert closed


def test_everything_is_bounded_but_headers_which_the_server_bounds():
    for at, node in schemas():
        if "enum" in node or at[:2] == ("components", "parameters"):
            continue
        if "array" in node["type"]:
            assert "maxItems" in node, at
        if "integer" in node["type"]:
            assert {"minimum", "maximum", "format"} <= set(node), at
        if "string" in node["type"]:
            assert "maxLength" in node, at


def test_a_discriminator_names_every_variant_by_its_value():
    unions = [node for _, node in nodes(document()) if isinstance(node, dict) and "discriminator" in node]
    assert unions
    for union in unions:
        mapping = union["discriminator"]["mapping"]
        assert list(mapping.values()) == [variant["$ref"] for variant in union["oneOf"]]
        for value, target in mapping.items():
            for variant in _variants(target):
                assert variant["properties"][union["discriminator"]["propertyName"]]["enum"] == [value]


def _variants(target):
    schema = locate(*target.removeprefix("#/").split("/"))[1]
    if "oneOf" not in schema:
        return [schema]
    return [variant for inner in schema["oneOf"] for variant in _variants(inner["$ref"])]
