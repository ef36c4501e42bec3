"""What is learnt of a request while it is answered, for its line in the log and for its numbers."""

from collections.abc import Mapping
from typing import Any, TypedDict, cast

from flask import request

_PLACE = "thirteens.notes"


class Notes(TypedDict, total=False):
    """The game it is about and its version, and the code of the problem that answers it."""

    game: str
    version: int
    code: str


_NONE = Notes()


def note(notes: Notes) -> None:
    """Adds to what is known of the request that is being answered."""
    request.environ.setdefault(_PLACE, {}).update(notes)


def notes_of(environ: Mapping[str, Any]) -> Notes:
    """What is known of the request with this environment."""
    return cast(Notes, environ.get(_PLACE, _NONE))
