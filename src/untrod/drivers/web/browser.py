"""Starts a Chromium with a pipe to it, and ends it."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Sequence
from contextlib import suppress
from fcntl import F_DUPFD_CLOEXEC, fcntl
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.drivers.web.nest import build_nest
from untrod.drivers.web.wire import Wire, WireError

START_SECONDS, END_SECONDS = 60.0, 5.0
READS, WRITES = 3, 4
"""The files that Chromium takes commands from, and writes answers to."""


class Browser:
    """In a process group of its own: Ctrl-C is for untrod, which ends the browser itself. If untrod is
    killed, the pipe breaks, and Chromium ends by itself."""

    def __init__(self, executable: str, arguments: Sequence[str]) -> None:
        self._nest = build_nest()
        command = [
            executable,
            *arguments,
            "--remote-debugging-pipe",
            "--no-startup-window",
            f"--user-data-dir={self._nest / 'profile'}",
        ]
        self._pid, self.wire = _spawn(command, self._nest)
        try:
            self.wire.call("Browser.getVersion", seconds=START_SECONDS)
        except WireError as error:
            line = _last_line(self._nest / "said") or str(error)
            self.close()
            hint = f"try to start {executable} by hand, or name another in $UNTROD_CHROMIUM"
            raise UntrodError(f"Chromium does not start: {line}", hint) from None

    @property
    def alive(self) -> bool:
        return not self.wire.closed

    def close(self) -> None:
        """Ask first, so that nothing is left in the folder; then make sure."""
        if not self._pid:
            return
        with suppress(WireError):
            self.wire.post("Browser.close")
            self.wire.until(lambda: False, END_SECONDS)
        self.wire.close()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)
        self._pid = 0
        shutil.rmtree(self._nest, ignore_errors=True)


def _spawn(command: list[str], nest: Path) -> tuple[int, Wire]:
    """posix_spawn, since a process with threads must not fork. Numbers well above those that Chromium wants,
    so that none of the pipe's ends is written over."""
    ends = [*os.pipe(), *os.pipe()]
    its_reading, our_writing, our_reading, its_writing = (fcntl(end, F_DUPFD_CLOEXEC, 64) for end in ends)
    for end in ends:
        os.close(end)
    said = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    try:
        pid = os.posix_spawn(
            command[0],
            command,
            {**os.environ, "TMPDIR": str(nest)},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 2, str(nest / "said"), said, 0o600),
                (os.POSIX_SPAWN_DUP2, its_reading, READS),
                (os.POSIX_SPAWN_DUP2, its_writing, WRITES),
            ],
            setpgroup=0,
        )
    except OSError as error:
        for end in (our_reading, our_writing):
            os.close(end)
        shutil.rmtree(nest, ignore_errors=True)
        raise UntrodError(
            f"Chromium does not start: {error.strerror}", f"try to start {command[0]} by hand"
        ) from None
    finally:
        for end in (its_reading, its_writing):
            os.close(end)
    return pid, Wire(our_reading, our_writing)


def _last_line(path: Path) -> str:
    try:
        lines = path.read_text(errors="replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")[:300]
