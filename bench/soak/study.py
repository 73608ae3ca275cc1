"""One long hunt, looked at every few seconds, and what it has left when it is over.

Memory is that of the whole process tree. Which turns run is the bandit's choice, so single looks differ by
what a solver holds; medians over sixths of the time say whether it grows. The first sixth is warm-up.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from bench.soak.census import Census, marked, take

MARK = "UNTROD_SOAK"
WINDOWS = 6
EVERY = 5.0
SETTLE = 10.0
"""Seconds for the kernel to be done with what was killed at the end."""
GROWTH, STORE_MB = 1.10, 200.0
_EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
_MODULES = (
    "sorting.py",
    "matching.py",
    "cover/bank.py",
    "cover/calc.py",
    "cover/redblack.py",
    "cover/tokens.py",
)


def run(plan: Plan) -> Result:
    minutes = plan.minutes or (5.0 if plan.quick else 60.0)
    folder = Path(tempfile.mkdtemp(prefix="untrod-bench-"))
    try:
        return _soak(plan, minutes, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


STUDY = Study("a long hunt on hostile and normal targets", ("soak",), run)


def _soak(plan: Plan, minutes: float, folder: Path) -> Result:
    project, temporary = folder / "project", folder / "tmp"
    temporary.mkdir()
    _lay_out(project)
    mark = f"{MARK}={secrets.token_hex(8)}"
    name, _, value = mark.partition("=")
    command = [
        sys.executable,
        "-m",
        "untrod",
        "hunt",
        ".",
        "--workers",
        "4",
        "--budget",
        f"{minutes * 60:.0f}s",
    ]
    command += [
        "--no-coverage",
        "--json",
        "--fail-on",
        "nothing",
        "--allow",
        "processes",
        "--allow",
        "network",
    ]
    out = (folder / "events").open("w+b")
    started = subprocess.Popen(
        command,
        cwd=project,
        env={**os.environ, name: value, "TMPDIR": str(temporary)},
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        looks = _watch(plan, started, mark)
    finally:
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGKILL)
            started.wait()
    left = _left(mark)
    out.seek(0)
    last = out.read().splitlines()[-1:]
    out.close()
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    litter = sorted(str(path.relative_to(temporary)) for path in temporary.iterdir())
    scratch = [path.name for path in (project / ".untrod" / "scratch").glob("*")]
    store = sum(path.stat().st_size for path in (project / ".untrod").rglob("*") if path.is_file()) / 2**20
    return _told(looks, left, litter + scratch, store, started.returncode, _finished(last))


def _lay_out(project: Path) -> None:
    shutil.copytree(Path(__file__).parent / "project", project, ignore=shutil.ignore_patterns("__pycache__"))
    for name in _MODULES:
        shutil.copy(_EXAMPLES / name, project / Path(name).name)


def _watch(plan: Plan, process: subprocess.Popen[bytes], mark: str) -> list[Census]:
    looks: list[Census] = []
    told = time.monotonic()
    while process.poll() is None:
        looks.append(take(mark, process.pid))
        if time.monotonic() - told > 60:
            told = time.monotonic()
            plan.say(f"{looks[-1].processes} processes, {looks[-1].memory:.0f} MB")
        try:
            process.wait(EVERY)
        except subprocess.TimeoutExpired:
            continue
    return looks


def _left(mark: str) -> list[int]:
    deadline = time.monotonic() + SETTLE
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.2)
    return left


def _finished(lines: Sequence[bytes]) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(lines[0])
    except (ValueError, IndexError):
        return {}
    return found if found.get("event") == "hunt-finished" else {}


def _told(
    looks: list[Census],
    left: list[int],
    litter: list[str],
    store: float,
    status: int,
    finished: dict[str, Any],
) -> Result:
    size = max(1, len(looks) // WINDOWS)
    windows = [looks[at : at + size] for at in range(0, size * WINDOWS, size)]
    windows = [window for window in windows if window]
    rows = []
    for number, window in enumerate(windows, 1):
        who = f"window {number} of {WINDOWS}"
        rows += [
            Row.of("soak", who, "MB of all", [look.memory for look in window]),
            Row.of("soak", who, "MB of the hunt itself", [look.of_first for look in window]),
            Row.of("soak", who, "processes", [look.processes for look in window]),
            Row.of("soak", who, "descriptors of the hunt", [look.descriptors_of_first for look in window]),
            Row.of("soak", who, "sockets", [look.sockets for look in window]),
        ]
    lots = finished.get("lots", [])
    notes = [
        f"{len(looks)} looks; {sum(lot['turns'] for lot in lots)} turns on {len(lots)} lots, "
        f"{len(finished.get('findings', []))} findings, {len(finished.get('tests', []))} test files"
    ]
    notes += [f"left in a temporary folder: {', '.join(litter[:10])}"] if litter else []
    return Result(
        tuple(rows),
        (
            Bar.at_most("memory of all, last third / second sixth", _growth(windows, "memory"), GROWTH),
            Bar.at_most("memory of the hunt itself, the same", _growth(windows, "of_first"), GROWTH),
            Bar.at_most("processes left", len(left), 0),
            Bar.at_most("files left in temporary folders", len(litter), 0),
            Bar.at_most("descriptors of the hunt, the last window less the second", _more(windows), 0),
            Bar.at_most("MB of the store", store, STORE_MB),
            Bar.at_most("exit status", status, 0),
        ),
        tuple(notes),
    )


def _growth(windows: list[list[Census]], what: str) -> float | None:
    """The last third against what came after the warm-up."""
    if len(windows) < WINDOWS:
        return None
    early = median(getattr(look, what) for look in windows[1])
    late = median(getattr(look, what) for window in windows[-2:] for look in window)
    return float(late / early)


def _more(windows: list[list[Census]]) -> float | None:
    """Descriptors that the hunt holds on to: its sockets and files would show there."""
    if len(windows) < WINDOWS:
        return None
    early, late = (min(look.descriptors_of_first for look in windows[at]) for at in (1, -1))
    return float(late - early)
