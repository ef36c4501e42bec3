"""The service as it is run: launcher, gunicorn, a store of its own, on a free port of the loopback."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[2]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def running(folder, **settings):
    """`python -m service` with these settings; yields its address once it is ready, and ends it."""
    port = free_port()
    environ = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    environ |= {"PORT": str(port), "DATA_DIR": str(folder / "data"), "LOG_LEVEL": "warning", **settings}
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "service"], cwd=ROOT, env=environ, stdout=log, stderr=log
        )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_until_ready(address, process)
        yield address
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0, (folder / "log").read_text()


def wait_until_ready(address, process, seconds=30):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert process.poll() is None, "the service has ended"
        try:
            if httpx.get(f"{address}/readyz", timeout=2).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError("the service is not ready")


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """A service with four workers, shared by the tests here."""
    with running(tmp_path_factory.mktemp("service"), WEB_CONCURRENCY="4") as address:
        yield address


@pytest.fixture
def client(address):
    with httpx.Client(base_url=address, timeout=20) as client:
        yield client
