"""schemathesis makes requests up from openapi.yaml, right and wrong ones; every answer is as described."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.service.contract import FILE

ROOT = FILE.parent
HERE = Path(__file__).parent


def test_every_answer_is_as_openapi_yaml_describes_it(service, times, tried, tmp_path):
    """All its checks: examples, random data, sequences; boundaries of every schema too where all is tried."""
    running = service(WEB_CONCURRENCY="2")
    options = {
        "--url": running.address,
        "--seed": "1",
        "--max-examples": str(times(3, 200)),
        "--phases": times("examples,fuzzing,stateful", "examples,coverage,fuzzing,stateful"),
        "--generation-database": "none",
    }
    program = [sys.executable, "-m", "schemathesis.cli", "--config-file", HERE / "schemathesis.toml"]
    words = [word for option in options.items() for word in option]
    done = subprocess.run(
        [*program, "run", FILE, *words, "--no-color"],
        cwd=tmp_path,
        env=os.environ | {"SCHEMATHESIS_HOOKS": "tests.faults.fuzzing", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "internal_error" not in running.said()
    made_up = int(re.search(r"(\d+) generated", done.stdout)[1])
    assert made_up > times(100, 2000)
    tried("requests made up by schemathesis", made_up, 0)
