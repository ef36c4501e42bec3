"""The launcher: a store if none is given, and gunicorn; together up, together down."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack

from service.embedded import EmbeddedStore, NoStore
from service.processes import Signals, StopAsked, exit_code, spawn
from service.settings import BadSetting, Settings, without_password

APP = "service.wsgi:create()"
GUNICORN_CONF = "python:service.gunicorn_conf"


def run(*_: object) -> int:
    """Serve until told to stop; the exit code: 0, 1 without a store, 2 for a bad setting, else gunicorn's."""
    try:
        settings = Settings.from_env(os.environ)
        check_address(settings.host, settings.port)
        return serve(settings, APP)
    except BadSetting as fault:
        say(str(fault))
        return 2
    except NoStore as fault:
        say(str(fault))
        return 1


def serve(settings: Settings, app: str) -> int:
    """Run gunicorn with `app` (`module:callable`), and a store beside it unless the settings name one."""
    signals = Signals()
    environ = dict(os.environ)
    store = None
    with ExitStack() as stack:
        try:
            if settings.redis_url is None:
                store = EmbeddedStore(settings.data_dir)
                stack.callback(store.stop)
                store.start(signals.pause)
                environ["REDIS_URL"] = store.url
            say(f"store: {describe(settings, store)}")
            server = spawn([sys.executable, "-m", "gunicorn", "-c", GUNICORN_CONF, app], environ)
            stack.callback(finish, server, signals)
            return watch(server, store, signals)
        except StopAsked:
            return 0


def watch(server: subprocess.Popen[bytes], store: EmbeddedStore | None, signals: Signals) -> int:
    """Keep the store up while gunicorn runs; the exit code: gunicorn's, or 0 once it stopped as asked."""
    try:
        while server.poll() is None:
            signals.pause(1.0)
            if store:
                store.keep()
        code = exit_code(server)
        say(f"gunicorn ended by itself, with {code}")
        return code
    except StopAsked:
        return finish(server, signals)


def finish(server: subprocess.Popen[bytes], signals: Signals) -> int:
    """Let gunicorn answer what it has been asked, then end; a (second) Ctrl-C cuts that short."""
    server.terminate()
    while server.poll() is None:
        try:
            signals.pause(1.0)
        except StopAsked as asked:
            if asked.signum == signal.SIGINT:
                os.killpg(server.pid, signal.SIGKILL)
                return exit_code(server)
    return 0


def describe(settings: Settings, store: EmbeddedStore | None) -> str:
    """Which store it is, and where its data is."""
    if store is None:
        return without_password(settings.redis_url or "")
    sharing = ", shared with another run" if store.shared else ""
    return f"{store.program.title} ({store.program.path}), data kept in {store.folder}{sharing}"


def check_address(host: str, port: int) -> None:
    """See that we could listen there, so that it fails now and in one line. Raises `BadSetting`."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise BadSetting("HOST", host, f"an address of this machine ({error.strerror})") from error
        raise BadSetting("PORT", str(port), f"a port to be had on {host} ({error.strerror})") from error


def say(line: str) -> None:
    """Tell the person at the terminal; standard output is the log's."""
    print(line, file=sys.stderr, flush=True)
