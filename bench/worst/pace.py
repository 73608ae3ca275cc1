"""CPU time of one symbolic path, engine against the lab's spike, in turns on the same machine.

The spike is not part of this repository. Where the folder `shared/lab/symbolic` lies beside the checkout it
is measured too; elsewhere our figures stand alone.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from bench.worst.subjects.sorting import insertion_sort
from bench.worst.subjects.strings import naive_search, smith_waterman
from untrod.engines.worst.policies.one_sided import Always
from untrod.symbolic.shapes import Arguments, Const, Int, List, Shape

LAB = Path(__file__).resolve().parents[3] / "shared" / "lab" / "symbolic"
MOST = 1.2
PATTERN, REFERENCE = [97, 98, 97, 98, 99], [65, 67, 71]

Case = tuple[str, Callable[..., Any], int, bool, tuple[Any, ...]]
CASES: tuple[Case, ...] = (
    ("insertion sort 10", insertion_sort, 10, True, ()),
    ("insertion sort 30", insertion_sort, 30, True, ()),
    ("insertion sort 50", insertion_sort, 50, True, ()),
    ("naive search 100", naive_search, 100, True, (PATTERN,)),
    ("smith-waterman 100", smith_waterman, 100, True, (REFERENCE,)),
)
"""Name, function, list length, the side to take, arguments that stay concrete: as in the lab's table."""


def run(plan: Plan) -> Result:
    spike = _spike()
    rows: list[Row] = []
    bars: list[Bar] = []
    notes = [] if spike else [f"the lab's spike is not at hand ({LAB.name} beside the checkout): no bar"]
    for case in CASES:
        times: dict[str, list[float]] = {"lean": [], "spike": []}
        for _ in plan.seeds_or(quick=3, full=7):
            times["lean"].append(1000 * _ours(case))
            if spike is not None:
                times["spike"].append(1000 * _theirs(spike, case))
        for name, values in times.items():
            if values:
                rows.append(Row.of(case[0], name, "CPU ms of a path", values))
        plan.say(f"{case[0]}: " + ", ".join(f"{n} {median(v):.1f} ms" for n, v in times.items() if v))
        if spike is not None:
            ratio = median(times["lean"]) / median(times["spike"])
            bars.append(Bar.at_most(f"{case[0]}: CPU time of a path, lean / spike", ratio, MOST))
    return Result(tuple(rows), tuple(bars), tuple(notes))


STUDY = Study("pace of a path", ("pace",), run)


def _ours(case: Case) -> float:
    """A fresh executor: the first path, with nothing to reuse, inputs included."""
    from untrod.symbolic.lean.executor import LeanExecutor

    _, function, size, side, constants = case
    shapes: tuple[Shape, ...] = (List(Int(), size), *map(Const, constants))
    executor = LeanExecutor(function, Arguments(shapes))
    started = time.process_time()
    result = executor.advance(executor.initial(), Always(side), max_branches=10**6)
    spent = time.process_time() - started
    assert result.status == "done", result.reason
    assert result.inputs is not None
    return spent


def _theirs(spike: ModuleType, case: Case) -> float:
    _, function, size, side, constants = case
    engine = spike.Engine(sys.modules[function.__module__].__file__, concolic="adaptive")
    started = time.process_time()
    path = engine.run(function, (*spike.ints(size), *constants), lambda location, condition, depth: side)
    path.inputs([f"x{number}" for number in range(size)])
    spent = time.process_time() - started
    assert path.status == "ok", path.status
    return spent


def _spike() -> ModuleType | None:
    file = LAB / "lean_engine.py"
    if not file.exists():
        return None
    spec = importlib.util.spec_from_file_location("lean_spike", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
