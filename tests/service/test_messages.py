"""The catalogues hold every message there can be, and the language asked for is found."""

import string

import pytest
from flask import Flask

from rules import GAMES
from rules.errors import Fault, Reason
from rules.options import domains
from service.errors import STATUS
from service.messages import Messages

MESSAGES = Messages.load()
APP = Flask(__name__)


def catalogue():
    with APP.test_request_context():
        return MESSAGES.section()


def language(header, catalogues=("en", "ru", "vi")):
    messages = Messages({name: {} for name in catalogues})
    with APP.test_request_context(headers={"Accept-Language": header} if header is not None else {}):
        return messages.language()


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, "en"),
        ("", "en"),
        ("vi", "vi"),
        ("VI", "vi"),
        ("ru-RU,en;q=0.5", "ru"),
        ("en;q=0.5,ru-RU", "ru"),
        ("fr,vi;q=0.2,ru;q=0.1", "vi"),
        ("de", "en"),
        ("*", "en"),
        ("vi;q=0,ru;q=0.1", "ru"),
        (";;;,,q=,\x00", "en"),
    ],
)
def test_the_language_is_the_best_primary_subtag_there_is(header, expected):
    assert language(header) == expected


def test_every_code_has_its_words():
    words = catalogue()
    assert set(words["titles"]) == set(words["explanations"]) == set(STATUS)
    assert set(words["reasons"]) == set(Reason)
    assert set(words["problems"]) == set(STATUS) - set(Reason)
    assert set(words["faults"]) == set(Fault)


def test_every_option_is_described():
    words = catalogue()["options"]
    assert {name: list(options) for name, options in words.items()} == {
        name: list(domains(game.OPTIONS)) for name, game in GAMES.items()
    }


def test_every_clause_is_there_once_and_in_order():
    clauses = catalogue()["clauses"]
    assert list(clauses["thirteen"]) == [f"T{n}" for n in range(1, 19)]
    assert list(clauses["three_thirteen"]) == [f"R{n}" for n in range(1, 15)]


def test_titles_and_explanations_have_no_places_to_fill():
    words = catalogue()
    texts = [*words["titles"].values(), *words["explanations"].values()]
    assert not [text for text in texts if any(name for _, name, _, _ in string.Formatter().parse(text))]


def test_a_long_value_of_the_caller_is_cut():
    with APP.test_request_context():
        said = MESSAGES.say("faults", "invalid_card", {"value": "x" * 5000})
    assert len(said) < 200
    assert "xxx…" in said
