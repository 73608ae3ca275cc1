"""A command, and what it cost: CPU seconds and memory of its own process tree, not of its neighbours."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import IO

SAMPLE = 0.3


@dataclass(frozen=True, slots=True)
class Called:
    """`memory` is the most that one process of the tree had in use, in MB. `late`: it had to be killed."""

    out: str
    err: str
    status: int
    cpu: float
    memory: float
    late: bool = False


def call(command: Sequence[str], folder: Path, environment: Mapping[str, str], timeout: float) -> Called:
    """What it printed before it was killed counts as well."""
    with tempfile.TemporaryFile("w+b") as out, tempfile.TemporaryFile("w+b") as err:
        started = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        late = []

        def kill() -> None:
            late.append(True)
            os.killpg(started.pid, 9)

        timer = Timer(timeout, kill)
        timer.start()
        try:
            _, ended, used = os.wait4(started.pid, 0)
        finally:
            timer.cancel()
        started.returncode = os.waitstatus_to_exitcode(ended)
        return Called(
            _text(out),
            _text(err),
            started.returncode,
            used.ru_utime + used.ru_stime,
            used.ru_maxrss / 1024,
            bool(late),
        )


def slowdown() -> float:
    """Wall seconds for a CPU second, now: a tool that counts wall time is to have its CPU time as well."""
    wall, cpu = time.monotonic(), time.thread_time()
    while time.thread_time() - cpu < SAMPLE:
        pass
    return max(1.0, (time.monotonic() - wall) / SAMPLE)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")
