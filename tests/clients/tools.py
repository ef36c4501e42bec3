"""Programs that clients are made with, and examples run as their READMEs say; all under build/clients."""

import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "clients"
MADE = ("node_modules", "build", "thirteens_client", "__pycache__")
"""What running an example leaves in its folder."""


def environ(**more):
    """The environment for the tools: those of this Python's environment first, caches under build/."""
    kept = {name: value for name, value in os.environ.items() if name not in ("API", "API_KEY")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    caches = {"npm_config_cache": str(BUILD / "npm"), "PIP_CACHE_DIR": str(BUILD / "pip")}
    quiet = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "NO_COLOR": "1"}
    return kept | caches | quiet | {"PATH": path, "PYTHONUNBUFFERED": "1"} | more


def attempt(command, folder, **more):
    """(exit code, all it has written) of a command in that folder, with more in its environment."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environ(**more),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
    )
    return done.returncode, done.stdout


def run(command, folder, **more):
    """What a command that must succeed has written."""
    code, output = attempt(command, folder, **more)
    assert code == 0, f"{command}: {code}\n{output}"
    return output


def copy(source, name):
    """The folder's own files, copied to one of that name under build/clients; what was made there stays."""
    target = BUILD / name
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(*MADE), dirs_exist_ok=True)
    return target


class Example:
    """A copy of an example, and the three commands of its README: to install, to generate, to play."""

    def __init__(self, name):
        self.folder = copy(ROOT / "examples" / name, name)
        block = re.search(r"^```sh\n(.*?)^```$", (self.folder / "README.md").read_text(), re.M | re.S)
        self.install, self.generate, self.play = block[1].splitlines()

    def prepare(self, address):
        """Installs it and generates its client from the service at that address."""
        run(self.install, self.folder)
        return run(self.generate, self.folder, API=address)

    @contextmanager
    def playing(self, **more):
        """The example while it plays, as a process whose lines can be read."""
        command = ["bash", "-c", f"exec {self.play}"]
        with subprocess.Popen(
            command, cwd=self.folder, env=environ(**more), stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                yield process
            finally:
                process.kill()
