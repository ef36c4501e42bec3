"""openapi.yaml as the judge: which bodies it allows, and whether an answer is one that it describes.

`check(answer)` takes any answer of Flask's test client (a stream if it ends). Stricter than a client need be:
a field, status, media type or problem code that the document does not mention is an error.
"""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import yaml
from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.exceptions import best_match
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT202012
from werkzeug.test import TestResponse

FILE = Path(__file__).parents[2] / "openapi.yaml"
_URI = "urn:thirteens:openapi"
_METHODS = ("get", "post", "put", "patch", "delete")
_PROBLEM = "application/problem+json"
_STREAM = "text/event-stream"

Keys = tuple[str, ...]

FORMATS = FormatChecker(["date-time"])
"""The string formats that are checked; the numeric ones (int32, int64) say no more than the ranges."""


@FORMATS.checks("uri-reference", raises=ValueError)
def _is_uri_reference(value: object) -> bool:
    if isinstance(value, str):
        urlsplit(value)
        return not re.search(r"[\s<>\"{}|\\^`]", value)
    return True


@cache
def document() -> dict[str, Any]:
    """The whole description, parsed."""
    return load(FILE.read_text(encoding="utf-8"))


def load(text: str) -> Any:
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def locate(*keys: str) -> tuple[Keys, Any]:
    """The part of the document at `keys`, and where it really stands: references on the way are followed."""
    at: Keys = ()
    node: Any = document()
    for key in keys:
        at, node = (*at, key), node[key]
        while isinstance(node, dict) and "$ref" in node:
            at, node = locate(*node["$ref"].removeprefix("#/").split("/"))
    return at, node


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path template."""

    method: str
    path: str

    @property
    def keys(self) -> Keys:
        """Where it stands in the document."""
        return "paths", self.path, self.method

    @property
    def spec(self) -> dict[str, Any]:
        """Its operation object."""
        return locate(*self.keys)[1]

    @property
    def id(self) -> str:
        """Its operationId."""
        return self.spec["operationId"]

    def response(self, status: int) -> tuple[Keys, Any]:
        """Where its answer of that status is described, and how; raises `KeyError` where it is not."""
        return locate(*self.keys, "responses", str(status))


@cache
def operations() -> tuple[Operation, ...]:
    """Every operation, in the order of the document."""
    paths = document()["paths"].items()
    return tuple(Operation(method, path) for path, item in paths for method in item if method in _METHODS)


def operation(operation_id: str) -> Operation:
    """The operation with that operationId."""
    return next(one for one in operations() if one.id == operation_id)


def find(method: str, path: str) -> Operation | None:
    """The operation behind a request; no two paths of the document overlap."""
    wanted = "get" if method == "HEAD" else method.lower()
    fitting = (one for one in operations() if one.method == wanted and _template(one.path).fullmatch(path))
    return next(fitting, None)


@cache
def _template(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)))


def examples(*keys: str) -> dict[str, Any]:
    """By name: the values of the `examples` at `keys`."""
    names = locate(*keys)[1].get("examples", {})
    return {name: locate(*keys, "examples", name)[1]["value"] for name in names}


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    """In JSON Schema (ECMA 262) `$` is the very end; Python's also stands before a last line break."""
    return re.compile(re.sub(r"\$\Z", r"\\Z", pattern))


def _check_pattern(validator: Any, pattern: str, value: object, _: Any) -> Iterator[ValidationError]:
    if validator.is_type(value, "string") and not _pattern(pattern).search(value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


_Validator = extend(Draft202012Validator, {"pattern": _check_pattern})


@cache
def _registry() -> Registry[Any]:
    return Registry().with_resource(_URI, DRAFT202012.create_resource(document()))


@cache
def _validator(keys: Keys) -> Any:
    pointer = "".join("/" + quote(key.replace("~", "~0").replace("/", "~1"), safe="~") for key in keys)
    return _Validator({"$ref": f"{_URI}#{pointer}"}, registry=_registry(), format_checker=FORMATS)


def fault(keys: Keys, value: object) -> str | None:
    """What is wrong with the value by the schema at `keys`; None where it fits."""
    error = best_match(_validator(keys).iter_errors(value))
    return error and f"{error.json_path}: {error.message}"


def accepts(one: Operation, body: object) -> bool:
    """Whether the operation's request schema takes this body."""
    at, _ = locate(*one.keys, "requestBody", "content", "application/json", "schema")
    return fault(at, body) is None


def check(answer: TestResponse) -> TestResponse:
    """Gives the answer back where the document describes it; raises `AssertionError` where it does not."""
    request = answer.request
    if request.method == "OPTIONS":
        return answer
    told = f"{request.method} {request.path} -> {answer.status_code}"
    one = find(request.method, request.path)
    if one is None:
        assert answer.status_code in (404, 405), f"{told}: not described"
        assert answer.status_code == 404 or answer.headers.get("Allow"), f"{told}: without Allow"
        at, spec = operation("getProblem").response(404)
    else:
        assert str(answer.status_code) in one.spec["responses"], f"{told}: this status is not described"
        at, spec = one.response(answer.status_code)
    _check_headers(answer, at, spec, told)
    _check_body(answer, at, spec, told)
    if one is not None and answer.mimetype == _PROBLEM and request.method != "HEAD":
        shown = {value["code"] for value in examples(*at, "content", _PROBLEM).values()}
        assert answer.json["code"] in shown, f"{told}: no example shows the code {answer.json['code']}"
    return answer


def _check_headers(answer: TestResponse, at: Keys, spec: Any, told: str) -> None:
    for name in spec.get("headers", {}):
        where, header = locate(*at, "headers", name)
        text = ", ".join(answer.headers.getlist(name)) or None
        assert text is not None or not header.get("required"), f"{told}: without {name}"
        schema, kind = locate(*where, "schema")
        value = int(text) if text and kind["type"] == "integer" and text.isdigit() else text
        assert text is None or fault(schema, value) is None, f"{told}: {name}: {text}"


def _check_body(answer: TestResponse, at: Keys, spec: Any, told: str) -> None:
    media = spec.get("content")
    if media is None or answer.request.method == "HEAD":
        assert not answer.data, f"{told}: a body"
        return
    assert answer.mimetype in media, f"{told}: {answer.mimetype} is not described"
    body = _parse(answer)
    wrong = fault((*at, "content", answer.mimetype, "schema"), body)
    assert wrong is None, f"{told}: {wrong}"
    if answer.mimetype == _STREAM:
        where, _ = locate(*at, "content", _STREAM, "schema", "contentSchema")
        for data in messages(body):
            wrong = fault(where, json.loads(data, parse_constant=_refuse))
            assert wrong is None, f"{told}: {wrong}"
    if answer.mimetype == _PROBLEM:
        assert body["status"] == answer.status_code, f"{told}: says {body['status']}"


def messages(stream: str) -> list[str]:
    """The `data` of every message of a stream; each is one line (the schema's pattern sees to that)."""
    return re.findall(r"^data: (.*)$", stream, re.MULTILINE)


def _parse(answer: TestResponse) -> Any:
    if answer.mimetype == _STREAM:
        return answer.text
    if answer.mimetype.endswith("yaml"):
        return load(answer.text)
    if answer.mimetype.startswith("text/"):
        zipped = answer.content_encoding == "gzip"
        return (gzip.decompress(answer.data) if zipped else answer.data).decode()
    return json.loads(answer.text, parse_constant=_refuse)


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")
