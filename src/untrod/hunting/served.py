"""An application that a hunt starts, waits for, and takes down again with all that it started."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.text import one_line
from untrod.runtime import launch

_POLL = 0.1
_PATIENCE = 1.0  # seconds between asking it to end and killing it


class Served:
    """A context manager around `command`, a command line without a shell; None: it runs already."""

    def __init__(
        self,
        url: str,
        command: str | None,
        project: Path,
        seconds: float = 30.0,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self._url, self._command, self._project, self._seconds = url, command, project, seconds
        self._stop = stop
        self._process: launch.Process | None = None

    def __enter__(self) -> Served:
        self._log = tempfile.TemporaryFile()
        try:
            if self._command is not None:
                self._start()
            self._wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            launch.ask_to_end(self._process, _PATIENCE)
        self._log.close()

    def _start(self) -> None:
        if _answers(self._url):
            raise UntrodError(f"something answers at {self._url} already", "leave out --start, or stop it")
        try:
            self._process = launch.start(
                shlex.split(self._command or ""),
                cwd=self._project,
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=subprocess.STDOUT,
            )
        except (OSError, ValueError, IndexError) as error:
            why = one_line(getattr(error, "strerror", "") or str(error))
            raise UntrodError(
                f"--start {one_line(repr(self._command), 80)} cannot be run: {why}", "give a command"
            ) from None

    def _wait(self) -> None:
        deadline = time.monotonic() + self._seconds
        while not _answers(self._url) and not self._stop():
            if self._process is not None and self._process.poll() is not None:
                status = self._process.returncode
                raise UntrodError(f"--start ended with status {status}: {self._last_words()}", "mend it")
            if time.monotonic() > deadline or self._process is None:
                raise UntrodError(f"nothing answers at {self._url}", "start the application, or give --start")
            time.sleep(_POLL)

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"


def _answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=2).close()
    except urllib.error.HTTPError:
        return True  # an error page is an answer
    except (OSError, ValueError, OverflowError, HTTPException):
        return False
    return True
