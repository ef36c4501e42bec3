"""The walk in the README works exactly as printed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.system.conftest import ROOT

BLOCK = re.compile(r"^```(sh|json|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "~~~ end of block ~~~"


def blocks():
    """(commands, what they print) for each block of commands in the README."""
    found = BLOCK.findall((ROOT / "README.md").read_text())
    for place, (kind, text) in enumerate(found):
        if kind == "sh":
            following = found[place + 1] if place + 1 < len(found) else ("sh", "")
            yield text, following[1] if following[0] != "sh" else ""


def test_the_walk_prints_what_the_readme_says(address, tmp_path: Path):
    walk = list(blocks())
    script = "set -eu\n" + "".join(f"{commands}echo '{MARK}'\n" for commands, _ in walk)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env=os.environ | {"API": address, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split(f"{MARK}\n")[:-1]
    assert len(walk) >= 6
    assert printed == [expected for _, expected in walk]


@pytest.mark.parametrize("tool", ["bash", "curl", "python3"])
def test_the_walk_needs_no_more_than_usual_tools(tool):
    assert shutil.which(tool)
