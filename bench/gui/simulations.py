"""The paper's nine specifications at the levels a, b and c, on simulations of its two applications.

As in the paper: 500 episodes of at most six steps. A run that finds nothing counts with the steps it took, so
an explorer that often fails looks better here than it is: the failures stand beside it. The paper's own
figures are from a telephone and other applications than these graphs; they are in its Table 4.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median

from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from untrod.drivers.graph_reader import load_graph
from untrod.drivers.model import ModelDriver
from untrod.drivers.recording import RecordingDriver
from untrod.engines.gui.agent import Agent
from untrod.engines.gui.explorers.catalogue import EXPLORERS, explorer
from untrod.ltl import parse

ROOT = Path(__file__).resolve().parents[2]
TABLE_3 = ROOT / "tests" / "papers" / "farlead_table3.txt"
EPISODES, STEPS = 500, 6
MOST = {"a": 0.5, "b": 0.5, "c": 0.1}
"""Steps of the planner as a share of random's, by level."""
SHORT = ("C", "D")
"""One step is all they take, so even chance needs few: the bars leave them out."""


def run(plan: Plan) -> Result:
    specs = dict(line.split(": ", 1) for line in TABLE_3.read_text().splitlines() if line and line[0] != "#")
    graphs = {
        name: load_graph(ROOT / "examples" / "simulations" / f"{name}.json")
        for name in ("chesswalk", "notes")
    }
    contenders = [name for name in EXPLORERS if not plan.contenders or name in plan.contenders]
    rows: list[Row] = []
    shares: dict[str, list[float]] = {level: [] for level in MOST}
    failures = 0
    for spec, text in specs.items():
        if not plan.wants(spec):
            continue
        graph, formula = graphs["notes" if spec[0] in "HI" else "chesswalk"], parse(text)
        taken: dict[str, float] = {}
        for name in contenders:
            steps, found = [], []
            for seed in plan.seeds_or(quick=3, full=100):
                driver = RecordingDriver(ModelDriver(graph, seed=seed))
                agent = Agent(driver, formula, *explorer(name, seed, None, driver.graph), steps=STEPS)
                trials = list(agent.search(EPISODES))
                steps.append(float(sum(trial.cost for trial in trials)))
                found.append(float(trials[-1].satisfied))
            taken[name] = median(steps)
            failures += name == "planner" and sum(found) < len(found)
            rows.append(Row.of(spec, name, "steps", steps))
            rows.append(Row.of(spec, name, "share solved", [sum(found) / len(found)]))
        plan.say(f"{spec}: " + ", ".join(f"{name} {value:.0f}" for name, value in taken.items()))
        if {"planner", "random"} <= taken.keys() and spec[0] not in SHORT:
            shares[spec[1]].append(taken["planner"] / taken["random"])
    bars = [
        Bar.at_most(
            f"level {level}: planner's steps / random's, median over specifications",
            median(found),
            MOST[level],
        )
        for level, found in shares.items()
        if found
    ]
    if "planner" in contenders:
        bars.append(Bar.at_most("specifications that the planner fails on with some seed", failures, 0))
    return Result(tuple(rows), tuple(bars), ("simulations: graphs written from the paper's descriptions",))


STUDY = Study(
    "simulations",
    tuple(letter + level for letter in "ABCDEFGHI" for level in "abc"),
    run,
)
