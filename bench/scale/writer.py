"""What the one writer can take: every event ends in one SQLite file, synced before it is told."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from untrod.core.budget import Budget
from untrod.core.events import Checkpoint, CorpusGrown, Event, FindingFound, Progress, to_json
from untrod.core.vocabulary import Finding, Trace
from untrod.store import Store

WORKERS = 256
"""What `--workers` goes up to; each reports at most four times a second."""


def run(plan: Plan) -> Result:
    kinds: dict[str, tuple[Callable[[int], Event], int]] = {
        "corpus": (_corpus, 20_000),
        "progress": (_progress, 20_000),
        "finding": (_finding, 300),
        "checkpoint of 1 MB": (_checkpoint, 60),
    }
    rows, rates = [], {}
    for name, (make, count) in kinds.items():
        times, stored = zip(*(_written(make, count) for _ in plan.seeds_or(3, 5)), strict=True)
        rates[name] = sorted(times)[len(times) // 2]
        rows.append(Row.of("store", name, "events/s", list(times)))
        rows.append(Row.of("store", name, "bytes as JSON", [len(json.dumps(to_json(make(1))))]))
        rows.append(Row.of("store", name, "bytes on disk", list(stored)))
        plan.say(f"{name}: {times[-1]:,.0f} events/s")
    words = f"reports/s that the store takes, with {WORKERS} workers making their most"
    bar = Bar.at_least(words, rates["progress"], 4 * WORKERS)
    return Result(tuple(rows), (bar,))


STUDY = Study("events per second that the store takes", ("store",), run)


def _written(make: Callable[[int], Event], count: int) -> tuple[float, float]:
    """Events per second until all are durable, and bytes for each of a store at rest."""
    (seconds, size), (_, empty) = _stored(make, count), _stored(make, 0)
    return count / seconds, max(0, size - empty) / count


def _stored(make: Callable[[int], Event], count: int) -> tuple[float, int]:
    with tempfile.TemporaryDirectory(prefix="untrod-bench-") as folder:
        with Store.open(Path(folder)) as store:
            row = store.create_campaign("inputs", "bench", {}, 0, Budget(episodes=1))
            started = time.perf_counter()
            with store.recorder(row.id) as recorder:
                for number in range(count):
                    recorder(make(number))
            seconds = time.perf_counter() - started
        return seconds, _size(folder)


def _size(folder: str) -> int:
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names)


def _corpus(number: int) -> Event:
    return CorpusGrown(f"{number:032x}", Trace(tuple(range(12))), "Node(value=1, left=None, right=None)" * 2)


def _progress(number: int) -> Event:
    return Progress(number, number, number, 0, number / 1000, 0.0, {"states": 100})


def _finding(number: int) -> Event:
    place = f"examples/bst.py:{number}"
    found = Finding(
        f"failed:AssertionError:{place}", "failed", f"AssertionError (f, {place})", Trace((1, 2, 3)), {}
    )
    return FindingFound(found, number, 0)


def _checkpoint(number: int) -> Event:
    return Checkpoint(0, number, os.urandom(2**20))
