"""Traces are an extra: without it the service does without them and says so, in a process of its own."""

import json
import subprocess
import sys

import pytest

from tests.system.conftest import ROOT

WANTED = {"REDIS_URL": "unix:///nowhere.sock", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
PARENT = f"00-{'a' * 32}-{'b' * 16}-01"

SCRIPT = f"""
import sys
sys.modules["opentelemetry"] = None  # as where it is not installed
from service.wsgi import create
answer = create().test_client().get("/livez", headers={{"traceparent": "{PARENT}"}})
assert answer.status_code == 200
assert answer.headers["traceparent"].startswith("{PARENT[:36]}")
"""


def said(**environ):
    """What the service logs where OpenTelemetry is not installed."""
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, cwd=ROOT, env=WANTED | environ, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_without_the_extra_the_service_runs_and_says_what_is_missing():
    warning, request = said()
    assert (warning["event"], warning["level"]) == ("no_traces", "warning")
    assert "otel" in warning["cause"]
    assert request["trace_id"] == "a" * 32


@pytest.mark.parametrize("off", [{"OTEL_SDK_DISABLED": "true"}, {"OTEL_EXPORTER_OTLP_ENDPOINT": ""}])
def test_nothing_of_opentelemetry_is_looked_for_unless_it_is_wanted(off):
    assert [line["event"] for line in said(**off)] == ["request"]
