"""What a pool has left behind, seen from outside of it."""

from __future__ import annotations

import os
from pathlib import Path

from untrod.runtime.processes import MARKER


def alive(marker: str) -> list[int]:
    """The living processes that a pool's workers have started, and the workers."""
    prefix = f"{MARKER}={marker}-".encode()
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment = Path(f"/proc/{name}/environ").read_bytes()
        except OSError:
            continue
        if any(entry.startswith(prefix) for entry in environment.split(b"\0")):
            found.append(int(name))
    return found


def working_in(folder: Path) -> list[int]:
    """The living processes whose working folder is below `folder`: workers start in their scratch folder."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{name}/cwd").startswith(f"{folder.resolve()}{os.sep}"):
                found.append(int(name))
        except OSError:
            continue
    return found
