"""Pins what npm installs, folder by folder: the newest that package.json allows, no address with it."""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "tests" / "clients", ROOT / "examples" / "typescript")


def pin(folder):
    """Writes the folder's package-lock.json anew. Needs npm on the path."""
    lock = folder / "package-lock.json"
    lock.unlink(missing_ok=True)
    subprocess.run(["npm", "install", "--package-lock-only", "--silent"], cwd=folder, check=True)
    content = json.loads(lock.read_text())
    for package in content["packages"].values():
        package.pop("funding", None)
    lock.write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    for folder in FOLDERS:
        pin(folder)
