"""A command, and what it cost: CPU seconds and memory of its own process tree, not of its neighbours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

SAMPLE = 0.3

# Linux charges a new process for the memory of the one that started it, up to the moment when its own program
# is loaded. The watcher is small, we are not.
WATCHER = """
import json, os, resource, subprocess, sys
report, timeout, *command = sys.argv[1:]
os.set_inheritable(int(report), False)
started = subprocess.Popen(command, start_new_session=True)
late = False
try:
    started.wait(float(timeout))
except subprocess.TimeoutExpired:
    late = True
finally:
    if started.returncode is None:
        os.killpg(started.pid, 9)
        started.wait()
used = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
told = {"status": started.returncode, "cpu": cpu, "memory": memory, "late": late}
os.write(int(report), json.dumps(told).encode())
"""


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
    read, write = os.pipe()
    with tempfile.TemporaryFile("w+b") as out, tempfile.TemporaryFile("w+b") as err, open(read) as report:
        try:
            watcher = subprocess.Popen(
                [sys.executable, "-ISc", WATCHER, str(write), str(timeout), *command],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                pass_fds=[write],
            )
        finally:
            os.close(write)
        with watcher:
            told = json.loads(report.read())
        return Called(_text(out), _text(err), told["status"], told["cpu"], told["memory"], told["late"])


def slowdown() -> float:
    """Wall seconds for a CPU second, now: a tool that counts wall time is to have its CPU time as well."""
    wall, cpu = time.monotonic(), time.thread_time()
    while time.thread_time() - cpu < SAMPLE:
        pass
    return max(1.0, (time.monotonic() - wall) / SAMPLE)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")
