"""Child processes that do not outlive their parent, and the parent's signals as a queue."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from queue import Empty, SimpleQueue
from types import FrameType
from typing import IO

_PR_SET_PDEATHSIG = 1


class StopAsked(Exception):
    """Somebody wants this process to end, by the signal `signum` (SIGTERM, SIGINT or SIGHUP)."""

    def __init__(self, signum: int) -> None:
        super().__init__(signum)
        self.signum = signum


class Signals:
    """The signals this process gets. Handlers only note the number; the work is left to whoever waits."""

    def __init__(self) -> None:
        self._noted: SimpleQueue[int] = SimpleQueue()
        for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
            if signum != signal.SIGHUP or signal.getsignal(signum) != signal.SIG_IGN:  # nohup
                signal.signal(signum, self._note)

    def _note(self, signum: int, _frame: FrameType | None) -> None:
        self._noted.put(signum)

    def pause(self, seconds: float) -> None:
        """Sleep, at most until a child ends. Raises `StopAsked` as soon as somebody asks for it."""
        try:
            signum = self._noted.get(timeout=seconds)
        except Empty:
            return
        if signum != signal.SIGCHLD:
            raise StopAsked(signum)


def spawn(
    command: Sequence[str],
    environ: Mapping[str, str],
    *,
    output: IO[bytes] | None = None,
    kept_open: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a child that is asked to end (SIGTERM) when this process dies, however it dies (on Linux).

    It leads a process group of its own, so a Ctrl-C in the terminal reaches this process alone, and
    its files are for their owner only. `kept_open`: file descriptors it shares with this process.
    """
    return subprocess.Popen(
        command,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        pass_fds=kept_open,
        process_group=0,
        umask=0o077,
        preexec_fn=_tie_to_parent(),
    )


def _tie_to_parent() -> Callable[[], None] | None:
    """What the child runs first to get the parent-death signal; None where the system has none."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def tie() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before the signal was set
            os._exit(1)

    return tie


def exit_code(process: subprocess.Popen[bytes]) -> int:
    """An ended process's exit code as a shell gives it: 128 + N after signal N."""
    code = process.wait()
    return code if code >= 0 else 128 - code
