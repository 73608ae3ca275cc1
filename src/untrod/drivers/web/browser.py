"""Starts a Chromium with a pipe to it, and ends it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from fcntl import F_DUPFD_CLOEXEC, fcntl
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.drivers.web.cdp import CdpError, Connection
from untrod.drivers.web.tmpdir import make_tmpdir, remove_tmpdir
from untrod.runtime import launch
from untrod.runtime.processes import kill_group

START_SECONDS, END_SECONDS = 60.0, 5.0
_AT_ITS_PLACES = """
import os, sys
for given, wanted in zip(sys.argv[1:3], (3, 4)):
    os.dup2(int(given), wanted)
    os.close(int(given))
try:
    os.execv(sys.argv[3], sys.argv[3:])
except OSError as error:
    sys.exit(error.strerror)
"""
"""Chromium takes commands from descriptor 3, and writes answers to 4."""


class Browser:
    """In a process group of its own: Ctrl-C is for untrod, which ends the browser itself."""

    def __init__(self, executable: str, arguments: Sequence[str]) -> None:
        self._ending = threading.Lock()
        self._tmpdir = make_tmpdir()
        command = [
            executable,
            *arguments,
            "--remote-debugging-pipe",
            "--no-startup-window",
            f"--user-data-dir={self._tmpdir / 'profile'}",
        ]
        self._process: launch.Process | None
        self._process, self.connection = _start(command, self._tmpdir)
        try:
            self.connection.call("Browser.getVersion", seconds=START_SECONDS)
        except CdpError as error:
            line = _last_line(self._tmpdir / "said") or str(error)
            self.close()
            hint = f"try to start {executable} by hand, or name another in $UNTROD_CHROMIUM"
            raise UntrodError(f"Chromium does not start: {line}", hint) from None

    @property
    def alive(self) -> bool:
        return not self.connection.closed

    def kill(self) -> None:
        """At once, from any thread. A caller that waits for an answer gets Gone; `close` is still to be
        called."""
        with self._ending:
            if self._process is not None:
                kill_group(self._process.pid)

    def close(self) -> None:
        """Ask first, so that nothing is left in the folder; then make sure."""
        if self._process is None:
            return
        with suppress(CdpError):
            self.connection.post("Browser.close")
            self.connection.until(lambda: False, END_SECONDS)
        self.connection.close()
        with self._ending:
            launch.end(self._process)
            self._process = None
        remove_tmpdir(self._tmpdir)


def _start(command: list[str], tmpdir: Path) -> tuple[launch.Process, Connection]:
    """Numbers well above those that Chromium wants, so that none of the pipe's ends is written over."""
    ends = [*os.pipe(), *os.pipe()]
    its_reading, our_writing, our_reading, its_writing = (fcntl(end, F_DUPFD_CLOEXEC, 64) for end in ends)
    for end in ends:
        os.close(end)
    theirs = (its_reading, its_writing)
    try:
        with (tmpdir / "said").open("wb") as said:
            process = launch.start(
                [sys.executable, "-I", "-S", "-c", _AT_ITS_PLACES, *map(str, theirs), *command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
                pass_fds=theirs,
                env={**os.environ, "TMPDIR": str(tmpdir)},
            )
    finally:
        for end in theirs:
            os.close(end)
    return process, Connection(our_reading, our_writing)


def _last_line(path: Path) -> str:
    try:
        lines = path.read_text(errors="replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")[:300]
