"""CPU time of a step by the network, one decision at a time, as `untrod explore` takes them."""

from __future__ import annotations

import time
from statistics import median

from bench.explore import promises
from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from untrod.engines.explore.shipped import shipped
from untrod.engines.explore.walkers.learned import Learned
from untrod.engines.explore.weights import load_weights
from untrod.engines.explore.worlds.tasks import TASKS, task
from untrod.engines.explore.worlds.world import Walk

WORLDS = 20


def run(plan: Plan) -> Result:
    rows: list[Row] = []
    bars: list[Bar] = []
    for subject in filter(plan.wants, TASKS):
        folder = shipped(subject)
        if folder is None:
            continue
        family, walker = task(subject), Learned(load_weights(folder)[0])
        spent: list[float] = []
        for number, graph in enumerate(family.worlds(0, "held-out", WORLDS + 1)):
            world = Walk(graph, family.steps)
            walker.begin(world)
            taken = []
            while not world.over:
                begun = time.process_time()
                node = walker.choose(world)
                taken.append(1000 * (time.process_time() - begun))
                if node is None:
                    break
                world.step(node)
            if number:  # torch's first calls set things up
                spent += taken
        rows.append(Row.of(subject, "trained", "CPU ms a step", spent))
        bars.append(promises.pace(subject, median(spent)))
    return Result(tuple(rows), tuple(bars))


STUDY = Study("pace of a step", TASKS, run)
