"""Work as a number: CPU time of a process, calls of built-in functions."""

import sys
import time
from collections import Counter
from contextlib import contextmanager


def cpu_seconds(pid):
    """The CPU time that a process has used (the clock of `clock_getcpuclockid`)."""
    return time.clock_gettime(~pid << 3 | 2)


@contextmanager
def builtins_called():
    """Counts the calls of built-in functions inside, in this thread, by the function."""
    called = Counter()

    def note(_, event, function):
        if event == "c_call":
            called[function] += 1

    sys.setprofile(note)
    try:
        yield called
    finally:
        sys.setprofile(None)
