"""A pytest plugin that is there while tests of a C program are tried out, and only then.

The program that they run is run by the launcher, as it was in the campaign: as nobody, with limits, in a
folder of its own, and what it leaves is killed. All else is done by the test file itself.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from untrod.engines.cover.native.stage import Stage

_SANITIZER = b"__asan_init"

_run = subprocess.run
_stages: dict[Path, Stage] = {}


def pytest_configure() -> None:
    subprocess.run = _run_carefully  # type: ignore[assignment]


def pytest_unconfigure() -> None:
    subprocess.run = _run
    while _stages:
        _stages.popitem()[1].close()


def _run_carefully(command: list[Any], *arguments: Any, **options: Any) -> subprocess.CompletedProcess[Any]:
    """`subprocess.run`; what is called as the helper `run` calls the program goes to the launcher."""
    if command[0] != b"program" or "executable" not in options:
        return _run(command, *arguments, **options)
    program, seconds = Path(options["executable"]), float(options["timeout"])
    if program not in _stages:
        _stages[program] = Stage([program])
    ran = _stages[program].run(
        program,
        command[1:],
        options["input"],
        {path.name: path.read_bytes() for path in Path(options["cwd"]).iterdir()},
        seconds=seconds,
        patience=1,
        limited=_SANITIZER not in program.read_bytes(),
    )
    if ran.timed_out:
        raise subprocess.TimeoutExpired(command, seconds, ran.stdout, ran.stderr)
    return subprocess.CompletedProcess(command, ran.status, ran.stdout, ran.stderr)
