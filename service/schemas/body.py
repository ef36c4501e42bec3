"""From a request's bytes to checked fields, or to the error that says what is wrong and where."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import orjson
from flask import request
from gevent import Timeout
from marshmallow import RAISE, Schema, ValidationError, missing
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, UnsupportedMediaType

from rules.errors import Fault, InvalidAction
from service.schemas.fields import MOST_FAULTS, Found

LARGEST_BODY = 64 * 1024
"""Bytes of a request's body at most."""

LARGEST_BATCH = 1024 * 1024
"""Bytes of a batch's body at most."""

SENDING_SECONDS = 20
"""Within so many seconds a body must be there: a connection that brings it byte by byte is no caller."""


class MalformedJSON(Exception):
    """The body is not JSON (RFC 8259)."""


@dataclass(frozen=True, slots=True)
class BodyFault:
    """One fault of a body; `path` leads from its top to the part that is wrong."""

    path: tuple[str | int, ...]
    fault: Fault
    params: Mapping[str, object]


class InvalidBody(Exception):
    """The body is JSON, but does not fit the schema; carries one fault or more."""

    def __init__(self, faults: tuple[BodyFault, ...]) -> None:
        super().__init__(faults)
        self.faults = faults


class Body(Schema):
    """Base of all schemas: unknown fields are refused, and messages are codes."""

    class Meta:
        unknown = RAISE

    error_messages = {
        "unknown": Fault.UNKNOWN_FIELD.value,
        "type": Fault.INVALID_TYPE.value,
    }


class Plain(Body):
    """A body of fields alone, without hooks: one that fits is read field by field.

    That takes half the time of marshmallow's `load`, which is still the one to say what does not fit.
    """

    def __init__(self) -> None:
        super().__init__()
        self._plan = [
            (field.data_key or name, name, field.deserialize, field.load_default)
            for name, field in self.load_fields.items()
        ]
        self._required = {
            field.data_key or name for name, field in self.load_fields.items() if field.required
        }

    def read(self, body: Mapping[str, Any]) -> dict[str, Any] | None:
        """What `load` gives for a body that fits; `None` for one that does not."""
        if not self._required <= body.keys():
            return None
        fields: dict[str, Any] = {}
        given = 0
        try:
            for key, name, deserialize, default in self._plan:
                if key in body:
                    given += 1
                    fields[name] = deserialize(body[key], key, body)
                elif default is not missing:
                    fields[name] = default
        except ValidationError:
            return None
        return fields if given == len(body) else None


def invalid(fault: Fault, *path: str | int, **params: object) -> InvalidBody:
    """The error of a body with this one fault."""
    return InvalidBody((BodyFault(path, fault, params),))


def of_rules(error: InvalidAction, *under: str | int) -> InvalidBody:
    """What the rules found malformed, as a fault of the body (or of its part at `under`)."""
    return invalid(error.fault, *under, *error.path, **error.params)


def read_json(largest: int = LARGEST_BODY) -> Any:
    """The request's body, parsed.

    Raises `UnsupportedMediaType` (415), `RequestEntityTooLarge` (413; a chunked body too: one byte
    more than allowed is asked for), `MalformedJSON` (400), or `BadRequest` (400) where it does not
    arrive whole, and in time.
    """
    if request.content_type != "application/json" and not request.is_json:
        raise UnsupportedMediaType
    length = request.content_length
    if (length or 0) > largest:
        raise RequestEntityTooLarge
    try:
        with Timeout(SENDING_SECONDS, TimeoutError):
            if length is None:
                data = request.stream.read(largest + 1)
            else:
                data = request.environ["wsgi.input"].read(length)
    except Exception as error:  # each server has its own for chunks that are none, and for a caller gone
        raise BadRequest from error
    if len(data) > largest:
        raise RequestEntityTooLarge
    if length not in (None, len(data)):
        raise BadRequest
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise MalformedJSON from error


def load(schema: Schema, body: object) -> dict[str, Any]:
    """The checked fields of a parsed body; raises `InvalidBody`."""
    if isinstance(schema, Plain) and isinstance(body, dict) and (quickly := schema.read(body)) is not None:
        return quickly
    try:
        fields: dict[str, Any] = schema.load(body)  # type: ignore[arg-type]  # it refuses what is no object itself
    except ValidationError as error:
        raise InvalidBody(tuple(islice(_faults(error.messages, ()), MOST_FAULTS))) from error
    return fields


def load_variant(variants: Mapping[str, Schema], by: str, body: object) -> dict[str, Any]:
    """Like `load`, with the schema that the body's field `by` names."""
    if not isinstance(body, dict):
        raise invalid(Fault.INVALID_TYPE, expected="object")
    name = body.get(by)
    if by not in body:
        raise invalid(Fault.MISSING_FIELD, by)
    if not isinstance(name, str):
        raise invalid(Fault.INVALID_TYPE, by, expected="string")
    if name not in variants:
        raise invalid(Fault.INVALID_VALUE, by, value=name, values=tuple(variants))
    return load(variants[name], body)


def _faults(messages: Any, path: tuple[str | int, ...]) -> Iterator[BodyFault]:
    """The leaves of marshmallow's tree of errors; what is said of a whole object stands under `_schema`."""
    if isinstance(messages, dict):
        for key, below in messages.items():
            yield from _faults(below, path if key == "_schema" else (*path, key))
    else:
        for leaf in messages:
            found = leaf if isinstance(leaf, Found) else Found(Fault(leaf), {"expected": "object"})
            yield BodyFault(path, found.fault, found.params)
