"""Episodes per second by the number of workers, here and on Ray nodes.

Each point is the real command with a budget of time. The rate is taken between its first and its last report,
so starting workers and joining Ray is in a column of its own. All nodes are on this machine: what is shown is
what Ray costs, and how two workers share the cores there are. More machines bring more cores; one cannot.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from bench.scale.nodes import Nodes

SUBJECTS = ("cheap", "dear")
COUNTS = (1, 2)
ROOT = Path(__file__).resolve().parents[2]
KEPT = 0.5
"""The share of the local pool's rate that workers on Ray must reach: dearer than that, it is not worth it."""


def run(plan: Plan) -> Result:
    seconds = 15 if plan.quick else 60
    points: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for place in ("here", "ray"):
        for count in COUNTS:
            with _cluster(place, count):
                for _ in plan.seeds_or(quick=1, full=3):
                    for subject in filter(plan.wants, SUBJECTS):
                        name = f"{count} worker{'s' * (count > 1)} {_where(place, count)}"
                        points.setdefault((subject, name), []).append(_rate(subject, place, count, seconds))
                        plan.say(f"{subject}, {name}: {points[subject, name][-1][0]:,.0f}/s")
    rows = []
    for (subject, name), measured in points.items():
        rows.append(Row.of(subject, name, "episodes/s", [rate for rate, _ in measured]))
        rows.append(Row.of(subject, name, "seconds to the first report", [first for _, first in measured]))
    return Result(tuple(rows), tuple(_bars(rows)), (_machine(),))


STUDY = Study("episodes per second by workers and nodes", SUBJECTS, run)


@contextmanager
def _cluster(place: str, count: int) -> Iterator[None]:
    if place == "here":
        yield
        return
    with Nodes(count) as nodes:
        os.environ.update(nodes.environment)
        try:
            yield
        finally:
            for name in nodes.environment:
                del os.environ[name]


def _rate(subject: str, place: str, count: int, seconds: int) -> tuple[float, float]:
    """Episodes per second, and the seconds from the command to the first report."""
    words = ["inputs", f"bench/scale/subjects.py:{subject}", "--different", "choices", "--json"]
    words += ["--budget", f"{seconds}s", "--workers", str(count), "--on", place, "--keep", "0"]
    with tempfile.TemporaryDirectory(prefix="untrod-bench-") as store:
        words += ["--store", store]
        started = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "untrod", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        reports = []
        arrived = 0.0
        for event in map(json.loads, process.stdout):
            if event["event"] == "progress":
                arrived = arrived or time.monotonic() - started
                reports.append(event)
        if process.wait() not in (0, 1):
            raise RuntimeError(f"{' '.join(words)} ended with {process.returncode}")
    first, last = reports[0], reports[-1]
    return (last["episodes"] - first["episodes"]) / (last["wall"] - first["wall"]), arrived


def _where(place: str, count: int) -> str:
    return "here" if place == "here" else f"on {count} Ray node{'s' * (count > 1)}"


def _bars(rows: list[Row]) -> Iterator[Bar]:
    rates = {(row.subject, row.contender): row.median for row in rows if row.metric == "episodes/s"}
    for subject in dict.fromkeys(subject for subject, _ in rates):
        for count in COUNTS:
            several = "s" * (count > 1)
            here = rates[subject, f"{count} worker{several} here"]
            there = rates[subject, f"{count} worker{several} on {count} Ray node{several}"]
            yield Bar.at_least(f"{subject}: {count} on Ray / {count} here", there / here, KEPT)


def _machine() -> str:
    load = os.getloadavg()[0]
    return f"all nodes are on this machine; its load was {load:.1f} when this ended, this bench included"
