"""Fields that take exactly what the contract says, and faults that know their code.

marshmallow's own `Integer`, `Boolean` and `String` convert; a rules authority does not guess. Each
field raises `ValidationError` with `Found`s, which `schemas.body` turns into pointers and codes.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from marshmallow import ValidationError, fields

from rules.cards import SPELLINGS, Card
from rules.errors import Fault

MOST_FAULTS = 20
"""Faults told at most in one answer, so that an answer stays small whatever is sent."""


@dataclass(frozen=True, slots=True)
class Found:
    """A fault and the values behind its message."""

    fault: Fault
    params: Mapping[str, object] = field(default_factory=dict)


def fault(code: Fault, **params: object) -> ValidationError:
    """The error that says `code` of the field it is raised in."""
    return ValidationError([Found(code, params)])


class Strict(fields.Field[Any]):
    """Base of all fields here: its messages are codes; `expected` is the JSON type it takes."""

    default_error_messages = {"required": Fault.MISSING_FIELD.value}
    expected = "string"

    def _validate_missing(self, value: Any) -> None:
        if value is None and not self.allow_none:
            raise self.wrong_type()
        super()._validate_missing(value)

    def wrong_type(self) -> ValidationError:
        """The error of a value that is not of the JSON type."""
        return fault(Fault.INVALID_TYPE, expected=self.expected)


class Text(Strict):
    """A string that `pattern` matches whole."""

    def __init__(self, pattern: str, **options: Any) -> None:
        super().__init__(**options)
        self.pattern = re.compile(pattern)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> str:
        if not isinstance(value, str):
            raise self.wrong_type()
        if not self.pattern.fullmatch(value):
            raise fault(Fault.INVALID_VALUE, value=value)
        return value


class Whole(Strict):
    """A JSON integer from `minimum` to `maximum`."""

    expected = "integer"

    def __init__(self, minimum: int, maximum: int, **options: Any) -> None:
        super().__init__(**options)
        self.minimum, self.maximum = minimum, maximum

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.wrong_type()
        if not self.minimum <= value <= self.maximum:
            raise fault(Fault.OUT_OF_RANGE, minimum=self.minimum, maximum=self.maximum)
        return value


class Flag(Strict):
    """`true` or `false`."""

    expected = "boolean"

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> bool:
        if not isinstance(value, bool):
            raise self.wrong_type()
        return value


class Choice(Strict):
    """One of a few strings."""

    def __init__(self, values: Sequence[str], **options: Any) -> None:
        super().__init__(**options)
        self.values = tuple(values)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> str:
        if not isinstance(value, str):
            raise self.wrong_type()
        if value not in self.values:
            raise fault(Fault.INVALID_VALUE, value=value, values=self.values)
        return value


class Several(Choice):
    """A list of a few strings, none twice; its order is kept."""

    expected = "array"

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        listed(value, 0, len(self.values), Fault.OUT_OF_RANGE)
        _each(value, lambda item: super(Several, self)._deserialize(item, attr, data))
        if len(set(value)) < len(value):
            raise fault(Fault.INVALID_VALUE, value=value, values=self.values)
        return tuple(value)


class Items(Strict):
    """A list of `least` to `most` items of any kind, which are looked at later."""

    expected = "array"

    def __init__(self, least: int, most: int, **options: Any) -> None:
        super().__init__(**options)
        self.least, self.most = least, most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        listed(value, self.least, self.most, Fault.OUT_OF_RANGE)
        return value


class OneCard(Strict):
    """A card in any accepted spelling."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Card:
        return card(value)


class Cards(Strict):
    """A list of `least` to `most` cards, none more than `copies` times.

    `size_fault` says which code a list of another length gets.
    """

    expected = "array"

    def __init__(
        self, least: int, most: int, size_fault: Fault = Fault.OUT_OF_RANGE, copies: int = 1, **options: Any
    ) -> None:
        super().__init__(**options)
        self.least, self.most, self.size_fault, self.copies = least, most, size_fault, copies

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> tuple[Card, ...]:
        listed(value, self.least, self.most, self.size_fault)
        try:
            cards = tuple([SPELLINGS[text] for text in value])
        except (KeyError, TypeError):
            cards = _each(value, card)
        if len(set(cards)) < len(cards):
            refuse_copies(cards, self.copies)
        return cards


class Melds(Strict):
    """Lists of cards, as melds are laid down; what is a meld is for the rules to say."""

    expected = "array"

    MOST = 14
    """Melds, and cards in one, at most: as many as a hand has cards after drawing."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        listed(value, 0, self.MOST, Fault.OUT_OF_RANGE)
        one = Cards(1, self.MOST, copies=self.MOST)
        return _each(value, one.deserialize)


def card(value: object) -> Card:
    """The card written `value`; raises `ValidationError` where it is none."""
    if not isinstance(value, str):
        raise fault(Fault.INVALID_TYPE, expected="string")
    found = SPELLINGS.get(value)
    if found is None:
        raise fault(Fault.INVALID_CARD, value=value)
    return found


def listed(value: object, least: int, most: int, size_fault: Fault) -> None:
    """Raises unless `value` is a list of a length in the range; looks at none of its items."""
    if not isinstance(value, list):
        raise fault(Fault.INVALID_TYPE, expected="array")
    if not least <= len(value) <= most:
        raise ValidationError([wrong_size(size_fault, least, most, len(value))])


def wrong_size(code: Fault, least: int, most: int, size: int) -> Found:
    """The fault of a list of `size` items where `least` to `most` are needed."""
    needed = str(least) if least == most else f"{least}–{most}"
    return Found(code, {"minimum": least, "maximum": most, "needed": needed, "size": size})


def refuse_copies(cards: Sequence[Card], copies: int) -> None:
    """Raises at each card that has been listed `copies` times before."""
    seen: Counter[Card] = Counter()
    errors: dict[int, list[Found]] = {}
    for place, one in enumerate(cards):
        seen[one] += 1
        if seen[one] > copies:
            errors[place] = [Found(Fault.DUPLICATE_CARD, {"card": one.text, "copies": copies})]
    if errors:
        raise ValidationError(errors)


def _each(values: Sequence[Any], read: Any) -> tuple[Any, ...]:
    """Reads every item, and raises the faults of all of them (up to `MOST_FAULTS`) by place."""
    read_items = []
    errors: dict[int, Any] = {}
    for place, value in enumerate(values):
        try:
            read_items.append(read(value))
        except ValidationError as error:
            errors[place] = error.messages
            if len(errors) == MOST_FAULTS:
                break
    if errors:
        raise ValidationError(errors)
    return tuple(read_items)
