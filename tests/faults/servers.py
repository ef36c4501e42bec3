"""Real processes to be broken: the service as its launcher starts it, and stores of the tests' own.

Start them in a test's main thread: they are asked to end as soon as the thread that started them is gone.
"""

import os
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from itertools import chain
from pathlib import Path

import httpx
from redis import Redis

from service.embedded import bundled_server, find_program
from service.processes import spawn

SECONDS = 60
"""The longest wait for a process to start, to end, or to be well again."""

_PORTS = range(12_000, 22_000)
"""None of them is one that the system gives to outgoing connections, nor is the one 10,000 above it."""

_given = os.getpid() * 100


def free_port():
    """A port of the loopback that nobody uses, nor the one 10,000 above it (a cluster's bus)."""
    global _given
    while True:
        _given += 1
        port = _PORTS[_given % len(_PORTS)]
        with socket.socket() as probe, socket.socket() as bus, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            bus.bind(("127.0.0.1", port + 10_000))
            return port


def eventually(condition, seconds=SECONDS, every=0.02):
    """The first true value of `condition()`, asked again and again; fails when there is none in time."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"not within {seconds} s: {condition}"
        time.sleep(every)
    return value


def children(pid):
    """The process ids of the running children of a process, by their parent in /proc."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                if int(parent) == pid and state != "Z":
                    found.append(int(entry.name))
    return sorted(found)


def command_of(pid):
    """The words of a process's command line, joined; empty once it is gone."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


def ends(pids, seconds=SECONDS):
    """Whether these processes, of whoever, all end in time."""
    deadline = time.monotonic() + seconds
    for pid in pids:
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        ended, _, _ = select.select([handle], [], [], max(0, deadline - time.monotonic()))
        os.close(handle)
        if not ended:
            return False
    return True


class Server:
    """A process in a folder of its own. As a context it is started, and ended in whatever state it is."""

    process: subprocess.Popen[bytes]

    def __init__(self, folder):
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / "log"

    def launch(self, command, environ):
        """Runs the command, its output added to the log."""
        with self.log.open("ab") as log:
            self.process = spawn(command, environ, output=log)

    def said(self):
        """All that it has written so far, in all its lives."""
        return self.log.read_text(errors="replace")

    def signal(self, signum):
        """Sends it a signal."""
        self.process.send_signal(signum)

    def kill(self):
        """kill -9, and gone."""
        self.process.kill()
        self.process.wait(SECONDS)

    def end(self):
        """Asks it to end; its exit code."""
        self.process.terminate()
        return self.process.wait(SECONDS)

    def freeze(self):
        """It keeps its connections and does nothing."""
        self.signal(signal.SIGSTOP)

    def thaw(self):
        """It goes on."""
        self.signal(signal.SIGCONT)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.thaw()
            code = self.end()
            assert code == 0, (code, self.said())


class Service(Server):
    """`python -m service` on a free port. Without `REDIS_URL` it runs a store of its own in `folder`/data."""

    def __init__(self, folder, **settings):
        super().__init__(folder)
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        environ = {
            name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "TMPDIR")
        }
        given = {"PORT": str(self.port), "DATA_DIR": str(folder / "data"), "LOG_LEVEL": "warning"}
        self.environ = environ | given | {"WEB_CONCURRENCY": "1"} | settings

    def start(self):
        """Starts it, once more if need be, and returns when it is ready."""
        self.begin()
        self.until_ready()

    def begin(self):
        """Starts it, and does not wait."""
        self.launch([sys.executable, "-m", "service"], self.environ)

    def end(self):
        """Asks it to end, and looks whether it leaves anything running; its exit code."""
        everything = self.processes()
        code = super().end()
        assert ends(everything, seconds=5), "an orphan"
        return code

    def until_ready(self, seconds=SECONDS):
        """Returns when /readyz answers 200."""
        eventually(lambda: self.status("/readyz") == 200, seconds)

    def status(self, path):
        """The status of a GET on a connection of its own; `None` where there is no answer."""
        assert self.process.poll() is None, self.said()
        with suppress(httpx.TransportError):
            return httpx.get(self.address + path, timeout=5).status_code
        return None

    def client(self, **options):
        """An HTTP client for it."""
        return httpx.Client(base_url=self.address, timeout=20, **options)

    def master(self):
        """gunicorn's process id, or `None` while there is none."""
        return next((pid for pid in children(self.process.pid) if "gunicorn" in command_of(pid)), None)

    def workers(self):
        """The process ids of gunicorn's workers."""
        master = self.master()
        return children(master) if master else []

    def store(self):
        """The process id of the store it runs itself, or `None` while there is none."""
        return next((pid for pid in children(self.process.pid) if "gunicorn" not in command_of(pid)), None)

    def processes(self):
        """The process ids of all there is of it: launcher, gunicorn, workers, store."""
        return [self.process.pid, *children(self.process.pid), *self.workers()]


class StoreServer(Server):
    """A Valkey or Redis on a free port and a unix socket, configured as the service's own unless told else.

    `config` are its directives, with `_` for `-`: `StoreServer(folder, maxmemory="4mb")`.
    """

    def __init__(self, folder, program=None, **config):
        super().__init__(folder)
        self.program = program or bundled_server() or find_program().path
        self.port = free_port()
        self.socket = folder / "store.sock"
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.socket_url = f"unix://{self.socket}"
        self.config = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "unixsocket": str(self.socket),
            "dir": str(folder),
            "save": "",
            "appendonly": "yes",
            "appendfsync": "always",
            "maxmemory-policy": "noeviction",
        } | {name.replace("_", "-"): value for name, value in config.items()}

    def start(self):
        """Starts it, once more if need be, and returns when it answers and has read its data."""
        words = chain.from_iterable((f"--{name}", value) for name, value in self.config.items())
        self.launch([self.program, *words], os.environ)
        eventually(self.answers)

    def answers(self):
        """Whether it is up and has read its data."""
        assert self.process.poll() is None, self.said()
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as link:
                link.sendall(b"PING\r\n")
                return link.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    def client(self, **options):
        """A Redis client for it."""
        return Redis.from_url(self.url, socket_timeout=10, **options)
