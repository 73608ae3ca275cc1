"""CPU time of a decision by the network, one at a time, as `untrod explore` takes them: a step of a walk, or
an input for a program."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import TypeVar

from bench.explore import promises
from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from untrod.engines.explore.programs.explorers import explorer
from untrod.engines.explore.programs.tasks import TASKS as PROGRAMS
from untrod.engines.explore.shipped import shipped
from untrod.engines.explore.walk import Walk
from untrod.engines.explore.walkers.learned import Learned
from untrod.engines.explore.weights import load_weights
from untrod.engines.explore.worlds.tasks import TASKS, task

WORLDS, INPUTS = 20, 5
T = TypeVar("T")


def run(plan: Plan) -> Result:
    rows: list[Row] = []
    bars: list[Bar] = []
    for subject in filter(plan.wants, SUBJECTS):
        if shipped(subject) is None:
            continue
        worlds = _inputs(subject) if subject in PROGRAMS else _steps(subject)
        next(worlds)  # torch's first calls set things up
        spent = [milliseconds for taken in worlds for milliseconds in taken]
        what = "an input" if subject in PROGRAMS else "a step"
        rows.append(Row.of(subject, "trained", f"CPU ms {what}", spent))
        bars.append(promises.pace(subject, what, median(spent)))
    return Result(tuple(rows), tuple(bars))


SUBJECTS = (*TASKS, *PROGRAMS)
STUDY = Study("pace of a step", SUBJECTS, run)


def _steps(subject: str) -> Iterator[list[float]]:
    """World by world, what each step has taken."""
    folder, family = shipped(subject), task(subject)
    assert folder is not None
    walker = Learned(load_weights(folder)[0])
    for graph in family.worlds(0, "held-out", WORLDS + 1):
        world, taken = Walk(graph, family.steps), list[float]()
        walker.begin(world)
        while not world.over:
            node = _timed(lambda: walker.choose(world), taken)  # noqa: B023
            if node is None:
                break
            world.step(node)
        yield taken


def _inputs(subject: str) -> Iterator[list[float]]:
    """Program by program, what each input has taken."""
    trained = explorer("trained", subject, 0)
    for world in PROGRAMS.find(subject).worlds(0, "held-out", WORLDS + 1):
        taken, seen = list[float](), 0
        trained.begin(world)
        while len(taken) < INPUTS and world.counted & ~seen:
            given = _timed(trained.propose, taken)
            mask = world.run(given)
            trained.observe(given, mask)
            seen |= mask
        yield taken


def _timed(decide: Callable[[], T], taken: list[float]) -> T:
    begun = time.process_time()
    decided = decide()
    taken.append(1000 * (time.process_time() - begun))
    return decided
