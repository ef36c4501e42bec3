"""The catalogues hold every message there can be, and the language asked for is found."""

import re
import string
from unicodedata import normalize

import pytest
from flask import Flask

from rules import GAMES
from rules.errors import Fault, Reason
from rules.options import domains
from rules.thirteen.combinations import Type
from rules.three_thirteen.state import DISCARD, DRAW
from service.errors import STATUS
from service.messages import Messages

MESSAGES = Messages.load()
APP = Flask(__name__)
LANGUAGES = ("en", "vi", "ka", "ru", "sk", "ky")
SCRIPTS = {
    "ka": "ა-ჰ",
    "ru": "\u0430-\u044fё",
    "ky": "\u0430-\u044fёңө\u04af",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "vi": "ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
}
"""By language: letters that English does not have."""


def catalogue(language="en"):
    with APP.test_request_context(headers={"Accept-Language": language}):
        return MESSAGES.section()


def leaves(words, path=()):
    """Every text of a catalogue, with the way to it."""
    for key, value in words.items():
        if isinstance(value, dict):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


def places(text):
    """What is filled in a text, and how."""
    return sorted((name, spec) for _, name, spec, _ in string.Formatter().parse(text) if name is not None)


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_catalogue_has_the_same_texts_with_the_same_places(language):
    texts, english = dict(leaves(catalogue(language))), dict(leaves(catalogue()))
    assert list(texts) == list(english)
    assert {path: places(text) for path, text in texts.items()} == {
        path: places(text) for path, text in english.items()
    }


@pytest.mark.parametrize("language", SCRIPTS)
def test_every_text_is_in_its_language(language):
    """It has a letter of its own, or is short, and is not the English one."""
    english = dict(leaves(catalogue()))
    for path, text in leaves(catalogue(language)):
        assert text == normalize("NFC", text).strip(), path
        assert len(text) < 60 or re.search(f"[{SCRIPTS[language]}]", text, re.IGNORECASE), path
        assert text != english[path] or path[0] == "terms", path


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_is_said_whole_in_every_language(language):
    values = {"table_type": "triple", "type": "double_sequence", "phase": "draw", "expected": "integer"}
    with APP.test_request_context(headers={"Accept-Language": language}):
        terms = MESSAGES.section("terms")
        for group in ("reasons", "faults", "problems"):
            for code, template in MESSAGES.section(group).items():
                params = {name: values.get(name, "TD") for name, _ in places(template)}
                said = MESSAGES.say(group, code, params)
                assert not set("{…") & set(said.replace("Bearer …", ""))
                assert all(terms[values[name]] in said for name, spec in places(template) if spec == "term")
                assert all("10♦" in said for _, spec in places(template) if spec == "card")


def test_the_language_asked_for_is_served(client):
    for language in LANGUAGES:
        headers = {"Accept-Language": f"fr, {language}-XX;q=0.9, en;q=0.1"}
        answer = client.get("/v1/rules/thirteen", headers=headers)
        assert answer.headers["Content-Language"] == answer.json["language"] == language
        assert answer.headers["Vary"] == "Accept-Language"
        refused = client.post("/v1/deals", data=b"{", content_type="application/json", headers=headers)
        assert refused.headers["Content-Language"] == language
        assert refused.json["title"] == catalogue(language)["titles"]["malformed_json"]


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


def test_values_are_said_as_people_say_them():
    with APP.test_request_context():
        values = {"table_type": "double_sequence", "type": "pair"}
        assert MESSAGES.say("reasons", "wrong_type", values).endswith("table: double sequence. Played: pair.")
        assert MESSAGES.say("faults", "duplicate_card", {"card": "TD"}).endswith("too often: 10♦.")
        assert MESSAGES.say("faults", "duplicate_card", {"card": "no card"}).endswith("too often: no card.")
        assert MESSAGES.say("faults", "invalid_card", {"value": ["3S", "TD"]}).endswith("like this: 3S, TD.")
        assert MESSAGES.say("reasons", "too_low", {}) == "… does not beat …."


def test_every_type_phase_and_kind_of_value_has_a_word():
    kinds = {"object", "array", "string", "integer", "boolean"}
    assert set(catalogue()["terms"]) == {*Type, DRAW, DISCARD, *kinds}


def test_a_long_value_of_the_caller_is_cut():
    with APP.test_request_context():
        said = MESSAGES.say("faults", "invalid_card", {"value": "x" * 5000})
    assert len(said) < 200
    assert "xxx…" in said
