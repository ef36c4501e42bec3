"""openapi.yaml before its linters, with Redocly's rules and OWASP's; and that they would say a word."""

import pytest

from tests.clients.locks import FOLDERS
from tests.clients.tools import BUILD, ROOT, attempt, copy, run

DOCUMENT = ROOT / "openapi.yaml"
LINTERS = {
    "redocly": "node_modules/.bin/redocly lint --config redocly.yaml --format stylish",
    "spectral": "node_modules/.bin/spectral lint --ruleset spectral.yaml",
}
LINTER = pytest.mark.parametrize("linter", LINTERS.values(), ids=LINTERS)
FAULTS = {
    "redocly": ("operationId: createGame", "operationId: deal"),
    "spectral": ("      maxLength: 40\n", ""),
}


@pytest.fixture(scope="module")
def folder():
    folder = copy(ROOT / "tests" / "clients", "lint")
    run("npm ci --prefer-offline", folder)
    return folder


@LINTER
def test_the_linter_finds_no_error(folder, linter):
    run(f"{linter} {DOCUMENT}", folder)


@pytest.mark.parametrize("name", LINTERS)
def test_the_linter_finds_a_fault(folder, name):
    bad = BUILD / f"bad-{name}.yaml"
    bad.write_text(DOCUMENT.read_text().replace(*FAULTS[name], 1))
    code, output = attempt(f"{LINTERS[name]} {bad}", folder)
    assert code == 1, output


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_npm_installs_is_pinned_and_names_no_host(folder):
    lock = (folder / "package-lock.json").read_text()
    assert '"integrity": "sha512-' in lock
    assert "://" not in lock
