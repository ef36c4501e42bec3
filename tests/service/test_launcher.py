"""The launcher as a process of its own, with real stores, gunicorn and requests."""

import fcntl
import os
import re
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from redis import Redis

ROOT = Path(__file__).parents[2]

APP = '''
"""A WSGI application that tells about the processes around it."""

import os
import time

from redis import Redis


def create():
    store = Redis.from_url(os.environ["REDIS_URL"])

    def app(environ, start_response):
        start_response("200 OK", [("Content-Type", "text/plain")])
        if environ["PATH_INFO"] == "/slow":
            store.set("asked", 1)
            time.sleep(1.5)
            yield str(store.incr("answered")).encode()
        elif environ["PATH_INFO"] == "/count":
            yield str(store.incr("count")).encode()
        else:
            server = store.info("server")["process_id"]
            yield f"{os.getpid()} {os.getppid()} {server} {os.environ['REDIS_URL']}".encode()

    return app
'''

SERVE = """
import os, sys
from service.launcher import serve
from service.settings import Settings
sys.exit(serve(Settings.from_env(os.environ), "tiny:create()"))
"""


class Launcher:
    """A running launcher that serves APP, and what it has said."""

    def __init__(self, folder: Path, **environ: str) -> None:
        (folder / "tiny.py").write_text(APP)
        self.port = free_port()
        self._output = folder / f"{self.port}.txt"
        with self._output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-c", SERVE],
                cwd=folder,
                env=surroundings(PYTHONPATH=f"{ROOT}:{folder}", PORT=str(self.port), **environ),
                stdout=output,
                stderr=output,
            )

    def get(self, path: str = "/") -> str:
        """The answer's text, as soon as there is one."""
        deadline = monotonic() + 20
        while True:
            try:
                with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as answer:
                    return answer.read().decode()
            except (URLError, ConnectionError):
                assert self.process.poll() is None, self.said()
                assert monotonic() < deadline, self.said()
                sleep(0.05)

    def processes(self) -> tuple[int, int, int]:
        """A worker's, gunicorn's and the store's process id."""
        worker, master, store, _ = self.get().split(" ", 3)
        return int(worker), int(master), int(store)

    def said(self) -> str:
        return self._output.read_text()

    def end(self, signum: int = signal.SIGTERM) -> int:
        """Send it a signal; its exit code."""
        self.process.send_signal(signum)
        return self.process.wait(20)


def surroundings(**environ: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "TMPDIR")}
    return kept | {"WEB_CONCURRENCY": "1"} | environ


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def ends(pids: tuple[int, ...], seconds: float = 10) -> bool:
    """Whether these processes, of whoever, all end in time."""
    deadline = monotonic() + seconds
    for pid in pids:
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        ended, _, _ = select.select([handle], [], [], max(0, deadline - monotonic()))
        os.close(handle)
        if not ended:
            return False
    return True


Launch = Callable[..., Launcher]


@pytest.fixture
def launch(tmp_path: Path) -> Iterator[Launch]:
    with ExitStack() as stack:

        def launched(**environ: str) -> Launcher:
            launcher = Launcher(tmp_path, **environ)
            stack.callback(launcher.process.wait, 20)
            stack.callback(launcher.process.terminate)
            return launcher

        yield launched


def test_it_tells_where_it_listens_and_where_the_data_is(launch: Launch, tmp_path: Path) -> None:
    launcher = launch()
    launcher.get()
    store, listening = launcher.said().splitlines()
    assert re.fullmatch(rf"store: (Valkey|Redis) [\d.]+ \(/.+\), data kept in {tmp_path}/\.data", store)
    assert listening == f"listening on http://127.0.0.1:{launcher.port} with 1 worker"


def test_data_is_kept_between_runs(launch: Launch) -> None:
    for count in ("1", "2"):
        launcher = launch()
        assert launcher.get("/count") == count
        assert launcher.end() == 0


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_stop_lets_requests_finish_and_leaves_nothing_running(launch: Launch, signum: int) -> None:
    launcher = launch()
    *pids, url = launcher.get().split(" ", 3)
    answers: list[str] = []
    request = Thread(target=lambda: answers.append(launcher.get("/slow")))
    request.start()
    while not Redis.from_url(url).exists("asked"):
        sleep(0.02)
    assert launcher.end(signum) == 0
    request.join()
    assert answers == ["1"]
    assert ends(tuple(map(int, pids)), seconds=0)


def test_a_second_ctrl_c_does_not_wait(launch: Launch) -> None:
    launcher = launch()
    pids = launcher.processes()
    with socket.create_connection(("127.0.0.1", launcher.port)) as idle:
        idle.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        sleep(0.3)
        launcher.process.send_signal(signal.SIGINT)
        sleep(0.3)
        asked = monotonic()
        assert launcher.end(signal.SIGINT) == 128 + signal.SIGKILL
        assert monotonic() - asked < 1
    assert ends(pids, seconds=1)


def test_a_killed_launcher_leaves_nothing_running(launch: Launch) -> None:
    launcher = launch()
    pids = launcher.processes()
    assert launcher.get("/count") == "1"
    assert launcher.end(signal.SIGKILL) == -signal.SIGKILL
    assert ends(pids)
    assert launch().get("/count") == "2"


def test_a_folder_is_locked_until_its_server_has_ended(launch: Launch, tmp_path: Path) -> None:
    launcher = launch()
    store = launcher.processes()[2]
    os.kill(store, signal.SIGSTOP)
    launcher.end(signal.SIGKILL)
    with (tmp_path / ".data" / "lock").open("r+") as lock:
        try:
            with pytest.raises(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        finally:
            os.kill(store, signal.SIGCONT)
        assert ends((store,))
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_store_that_dies_is_started_again(launch: Launch) -> None:
    launcher = launch()
    worker, master, store = launcher.processes()
    os.kill(store, signal.SIGKILL)
    assert ends((store,))
    sleep(2)
    assert launcher.processes()[:2] == (worker, master)
    assert launcher.processes()[2] != store
    assert "store: ended with -9, starting it again" in launcher.said()


def test_when_gunicorn_dies_so_does_everything(launch: Launch) -> None:
    launcher = launch()
    pids = launcher.processes()
    os.kill(pids[1], signal.SIGKILL)
    assert launcher.process.wait(20) == 128 + signal.SIGKILL
    assert ends(pids)


def test_two_launchers_share_the_store_until_one_is_left(launch: Launch) -> None:
    first, second = launch(), launch()
    assert first.processes()[2] == second.processes()[2]
    assert {first.get("/count"), second.get("/count")} == {"1", "2"}
    owner, other = (first, second) if "shared" in second.said() else (second, first)
    assert owner.end() == 0
    sleep(2)
    assert other.get("/count") == "3"


def test_with_a_redis_url_no_store_is_started(launch: Launch, tmp_path: Path) -> None:
    running = launch()
    url = running.get().split(" ", 3)[3]
    launcher = launch(REDIS_URL=url, DATA_DIR="elsewhere")
    assert launcher.processes()[2] == running.processes()[2]
    assert launcher.said().startswith(f"store: {url}\n")
    assert not (tmp_path / "elsewhere").exists()
    assert launcher.end() == 0
    assert running.get("/count") == "1"


def refusal(folder: Path, **environ: str) -> tuple[int, str]:
    """The exit code and all the output of `python -m service`, which is expected not to start."""
    command = [sys.executable, "-m", "service"]
    environ = surroundings(PYTHONPATH=str(ROOT), **environ)
    ended = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, timeout=20)
    return ended.returncode, ended.stdout + ended.stderr


@pytest.mark.parametrize(
    ("environ", "line"),
    [
        ({"PORT": "http"}, "PORT='http': must be a whole number from 1 to 65535"),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL='loud': must be one of debug, info, warning, error"),
        ({"HOST": "192.0.2.1"}, "HOST='192.0.2.1': must be an address of this machine (Cannot assign"),
        ({"DATA_DIR": "/dev/null"}, "DATA_DIR='/dev/null': must be a folder to write to (File exists)"),
        ({"REDIS_URL": "ftp://u:pw@h"}, "REDIS_URL='ftp://***@h': must be redis://HOST:PORT/DATABASE"),
    ],
)
def test_a_bad_setting_ends_the_start_with_one_line(
    tmp_path: Path, environ: dict[str, str], line: str
) -> None:
    code, output = refusal(tmp_path, **({"PORT": str(free_port())} | environ))
    assert code == 2
    assert output.startswith(line)
    assert output.count("\n") == 1


def test_a_port_that_is_taken_ends_the_start_with_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, output = refusal(tmp_path, PORT=str(port))
    assert code == 2
    assert output == f"PORT='{port}': must be a port to be had on 127.0.0.1 (Address already in use)\n"
    assert not (tmp_path / ".data").exists()
