"""The TypeScript client: generated, strictly typed, and good for whole games."""

import json
import re

import pytest

from tests.clients.examples import goes_on_after_an_outage, plays_both_games
from tests.clients.tools import ROOT, Example, attempt

STRICT = {"strict": True, "noUncheckedIndexedAccess": True, "exactOptionalPropertyTypes": True}
CHECK = "node_modules/.bin/tsc --noEmit"
TYPES = (ROOT / "tests" / "clients" / "types.ts").read_text()


@pytest.fixture(scope="module")
def example(address):
    example = Example("typescript")
    example.prepare(address)
    return example


def test_it_plays_both_games(example, service):
    plays_both_games(example, service)


def test_it_goes_on_after_an_outage(example, tmp_path):
    goes_on_after_an_outage(example, tmp_path)


def test_no_type_is_any_nor_unknown_but_those_of_what_is_open(example):
    types = (example.folder / "build" / "api.d.ts").read_text()
    code = re.sub(r"/\*.*?\*/", "", types, flags=re.S)
    assert not re.search(r"\bany\b", re.sub(r'"any"', "", code))
    assert set(re.findall(r"^.*\bunknown\b.*$", code.replace(" ", ""), re.M)) == {
        "[name:string]:unknown;",  # headers that are not described
        "[key:string]:unknown;",  # what an OpenAPI document has besides
    }


def check(example, text):
    """The compiler's verdict on a file beside the example's."""
    probe = example.folder / "src" / "probe.ts"
    probe.write_text(text)
    try:
        return attempt(CHECK, example.folder)
    finally:
        probe.unlink()


def test_it_compiles_strictly_and_the_types_tell_one_kind_from_another(example):
    options = json.loads((example.folder / "tsconfig.json").read_text())["compilerOptions"]
    assert options.items() >= STRICT.items()
    code, output = check(example, TYPES)
    assert code == 0, output


def test_the_types_refuse_what_the_service_refuses(example):
    """Every mistake in the file is found; without its mark it is an error."""
    code, output = check(example, TYPES.replace("// @ts-expect-error", "//"))
    assert code != 0
    assert len(re.findall(r"probe.ts\(\d+,\d+\): error", output)) == TYPES.count("@ts-expect-error")
