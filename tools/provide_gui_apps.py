"""Provide the applications that the browser tests drive: what is missing is installed, or else said.

From PyPI: the dependency group `gui-apps`, into the environment of this Python. From npm: TiddlyWiki, into a
folder of that environment. Without them their tests are skipped.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODULES = ("datasette", "django", "flask_admin", "flask_sqlalchemy")
TIDDLYWIKI = "tiddlywiki@5.3.8"
FOLDER = Path(sys.prefix) / "gui-apps"


def main() -> int:
    if any(importlib.util.find_spec(name) is None for name in MODULES) and not _install_by_pip():
        print("Django, Datasette or Flask-Admin cannot be installed: their tests will be skipped")
    if not (FOLDER / "node_modules" / "tiddlywiki" / "tiddlywiki.js").is_file() and not _install_by_npm():
        print("TiddlyWiki cannot be installed, it needs Node.js with npm: its tests will be skipped")
    return 0


def _install_by_pip() -> bool:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]["gui-apps"]
    options = ["--quiet", "--disable-pip-version-check", "--constraint", str(ROOT / "constraints.txt")]
    return _run([sys.executable, "-m", "pip", "install", *options, *wanted], 300)


def _install_by_npm() -> bool:
    if not shutil.which("node") or not shutil.which("npm"):
        return False
    FOLDER.mkdir(parents=True, exist_ok=True)
    options = ["--prefix", str(FOLDER), "--no-audit", "--no-fund", "--no-save"]
    return _run(["npm", "install", *options, TIDDLYWIKI], 120)


def _run(command: list[str], seconds: float) -> bool:
    """Did it succeed? A machine without a network may keep an installer waiting for ever."""
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        return subprocess.run(command, check=False, timeout=seconds, **quiet).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    sys.exit(main())
