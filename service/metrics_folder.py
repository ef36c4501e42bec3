"""The folder in which the workers of one gunicorn keep their numbers; each gunicorn has one of its own.

A lock on it is held by gunicorn and its workers as long as any of them lives. So what a killed gunicorn has
left is known, and the next to start removes it.
"""

import fcntl
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Tells prometheus-client of the folder; a value from outside is not used, others may write there, too."""

PREFIX = f"thirteens-metrics-{os.getuid()}-"
FRESH_SECONDS = 60
"""A folder younger than this may have an owner that is about to lock it."""


class MetricsFolder:
    """A folder, empty and this gunicorn's alone, that the workers to come find by the environment."""

    def __init__(self, parent: str | None) -> None:
        """`parent`: best in memory, for each request is a write to it; `None`: the usual place."""
        where = Path(parent or tempfile.gettempdir())
        for left in where.glob(f"{PREFIX}*"):
            _remove_if_left(left)
        self._path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=where))
        self._lock = os.open(self._path, os.O_RDONLY)
        fcntl.flock(self._lock, fcntl.LOCK_SH)
        os.environ[VARIABLE] = str(self._path)

    def forget(self, pid: int) -> None:
        """Drops what was true only while that worker lived; its counts stay (as `mark_process_dead` does)."""
        for file in self._path.glob(f"gauge_live*_{pid}.db"):
            file.unlink(missing_ok=True)

    def remove(self) -> None:
        """Removes it, with all that is in it."""
        shutil.rmtree(self._path, ignore_errors=True)


def _remove_if_left(folder: Path) -> None:
    """Removes a folder whose owner is gone."""
    with suppress(OSError):
        if time.time() - folder.stat().st_mtime < FRESH_SECONDS:
            return
        lock = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(lock)
