"""The Python client: generated, strictly typed, and good for whole games."""

import re
import sys

import pytest

from tests.clients.examples import goes_on_after_an_outage, plays_both_games
from tests.clients.tools import ROOT, Example, run
from tests.service.contract import operations

PIN = re.compile(r"^([\w-]+)==(\S+)$", re.M)


@pytest.fixture(scope="module")
def example(address):
    example = Example("python")
    example.prepare(address)
    return example


def test_it_asks_for_what_the_tests_have():
    """Else installing it would change the environment that the tests run in."""
    wanted = PIN.findall((ROOT / "examples" / "python" / "requirements.txt").read_text())
    assert wanted
    assert set(wanted) <= set(PIN.findall((ROOT / "requirements.lock").read_text()))


def test_it_plays_both_games(example, service):
    plays_both_games(example, service)


def test_it_goes_on_after_an_outage(example, tmp_path):
    goes_on_after_an_outage(example, tmp_path)


def test_it_is_strictly_typed(example):
    """The example and all of the client that it has generated."""
    mypy = f"{sys.executable} -m mypy --config-file= --strict --cache-dir ../mypy"
    run(f"{mypy} play.py thirteens_client", example.folder)


def test_only_answers_that_are_no_json_are_left_out(address):
    said = Example("python").prepare(address)
    gaps = re.findall(r"^WARNING parsing (\S+ \S+)", said, re.M)
    assert gaps
    assert set(gaps) <= {f"{one.method.upper()} {one.path}" for one in operations() if not tells_json(one)}


def tells_json(one):
    """Whether the operation's success is JSON."""
    _, response = one.response(min(one.spec["responses"]))
    return "application/json" in response.get("content", {})


def test_no_model_is_named_by_where_it_stands(example):
    """Such names (`LeftoverItem`, `RefusalType0`) are of schemas that have none in openapi.yaml."""
    names = [path.stem for path in (example.folder / "thirteens_client" / "models").glob("*.py")]
    assert len(names) > 50
    assert [name for name in names if re.search(r"_item$|_type_\d|_additional_property$", name)] == []
