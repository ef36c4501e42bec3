"""How a game declares its rule options: once, as the fields of one frozen dataclass.

A field made by `choice`, `flag`, `several` or `whole` knows its default and what it may be, so the
service's schemas and `GET /v1/rules` are read off the dataclass and can't drift from it.
"""

from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Domain:
    """What an option may be.

    `kind`: `choice` (one of `values`), `flag` (a bool), `several` (a list without repeats drawn from
    `values`, whose order counts) or `whole` (`minimum` to `maximum`, or null where `nullable`).
    """

    kind: str
    values: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int = 0
    nullable: bool = False


def choice(*values: str) -> Any:
    """A field that is one of `values`; the first is the default."""
    return field(default=values[0], metadata={"domain": Domain("choice", values)})


def flag(default: bool) -> Any:
    """A field that is true or false."""
    return field(default=default, metadata={"domain": Domain("flag")})


def several(*values: str) -> Any:
    """A field that is a tuple of some of `values`, none by default."""
    return field(default=(), metadata={"domain": Domain("several", values)})


def whole(minimum: int, maximum: int) -> Any:
    """A field that is a whole number in the range, or null, which is the default."""
    return field(default=None, metadata={"domain": Domain("whole", (), minimum, maximum, True)})


def domains(options: type[Any]) -> dict[str, Domain]:
    """Each option of a game's `Options` class and what it may be, in the order declared."""
    return {f.name: f.metadata["domain"] for f in fields(options)}


def values(options: Any) -> dict[str, Any]:
    """Each option's value as JSON has it, in the order declared."""
    named = ((name, getattr(options, name)) for name in domains(type(options)))
    return {name: list(value) if isinstance(value, tuple) else value for name, value in named}
