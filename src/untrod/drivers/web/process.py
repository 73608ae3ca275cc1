"""The browser's process, found by a mark on its command line: the last resort against a page that hangs."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path


def mark(token: str) -> str:
    """An argument that Chromium does not know, and ignores."""
    return f"--untrod={token}"


def browsers(token: str) -> list[int]:
    """The processes that carry the mark. Only the browser itself does, not what it starts."""
    wanted = mark(token)
    if os.path.isdir("/proc/self"):
        return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if wanted in _command(pid)]
    listed = subprocess.run(["ps", "-axo", "pid=,command="], capture_output=True, text=True, check=False)
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if wanted in line.split()]


def kill_browsers(token: str) -> None:
    for pid in browsers(token):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # gone by itself


def _command(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return []
