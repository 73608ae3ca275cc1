"""The same search trees, for the learners that go beyond the paper: how far do they get of 100,000?"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from statistics import median

from bench.inputs.native import CHUNK, LONG, SHORT, Loop, Mark, automatic
from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from untrod.core.protocols import Learner

SUBJECT = "native-bst-best"
NAMES = ("exonerate", "auto")


def run(plan: Plan) -> Result:
    """The generator says nothing about context. `--quick` stops at 10,000 trees and judges nothing."""
    learners = _learners()
    notes = [f"skipped: {name} on {SUBJECT}: not built yet" for name in NAMES if name not in learners]
    trees = SHORT if plan.quick else LONG
    marks: dict[str, list[Mark]] = {name: [] for name in learners}
    for seed in plan.seeds_or(quick=1, full=3):
        loops = {name: Loop(automatic, make(seed)) for name, make in learners.items()}
        for _ in range(trees // CHUNK):
            for loop in loops.values():
                loop.chunk(CHUNK)
        for name, loop in loops.items():
            marks[name].append(loop.marks[trees])
            plan.say(f"{SUBJECT} {name} seed {seed}: {loop.marks[trees].unique:,} unique valid of {trees:,}")
    subject = f"{SUBJECT} {trees:,}"
    rows = [
        row
        for name, all_marks in marks.items()
        for row in (
            Row.of(subject, name, "valid", [mark.valid for mark in all_marks]),
            Row.of(subject, name, "unique valid", [mark.unique for mark in all_marks]),
        )
    ]
    best = max((median(mark.unique for mark in all_marks) for all_marks in marks.values()), default=None)
    bars = (
        []
        if plan.quick or best is None
        else [Bar.at_least(f"{subject}: unique valid, best learner", best, 60_000)]
    )
    return Result(tuple(rows), tuple(bars), tuple(notes))


STUDY = Study("search trees beyond the paper, native loop", (SUBJECT,), run)


def _learners() -> Mapping[str, Callable[[int], Learner]]:
    try:
        known = importlib.import_module("untrod.learn.catalogue").LEARNERS
    except ModuleNotFoundError:
        return {}
    return {name: known.find(name) for name in NAMES if name in known}
