"""What can be hoped for in directed apps, where links lead one way and a sink ends the walk.

A walker that jumps to any screen it has seen, for one step, visits screens in whatever order it likes: links
that lead one way do not keep it from what it has seen, only a sink does. Whoever walks along links visits
screens in some order, too, and pays at least as much for each: with the same order, nobody covers more than
the one who jumps. What is left is the order, and in which one sinks come late.

- `jumps in any order`: it knows nothing of sinks;
- `jumps to the shallowest`: nearest to the start first, which is the most that we know to tell a sink by;
- `jumps to sinks last`: sinks last, which nobody can who has not been there.

A better order than the shallowest first is not ruled out: this says what is known, and proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

from bench.explore import means, walks
from bench.journal import Journal, trial_name
from bench.plan import Plan, Study
from bench.report import Result, Row
from untrod.core.seeds import stream
from untrod.engines.explore.worlds.graph import Graph
from untrod.engines.explore.worlds.tasks import task

SUBJECT, RIVAL = "directed-app", "frontier"
QUICK, FULL = 100, 1000
CHUNK = walks.CHUNK
NOTE = (
    "who jumps is held by sinks alone: a bound for walks that visit screens in the same order, "
    "not for all walks"
)

Order = Callable[[Graph, int, int], int]
"""Of a world, a screen and its distance from the start by what is known: the lowest is visited first."""

ORDERS: dict[str, Order] = {
    "jumps in any order": lambda graph, node, depth: 0,
    "jumps to the shallowest": lambda graph, node, depth: depth,
    "jumps to sinks last": lambda graph, node, depth: int(not graph.links[node]),
}


def run(plan: Plan) -> Result:
    worlds, journal = (QUICK if plan.quick else FULL), Journal(plan.journal)
    chunks = [(first, min(CHUNK, worlds - first)) for first in range(0, worlds, CHUNK)]
    theirs = [each for chunk in chunks for each in walks.chunk(journal, SUBJECT, RIVAL, *chunk)]
    rows: list[Row] = [means.row(SUBJECT, RIVAL, "coverage", theirs)]
    for name in ORDERS:
        if plan.contenders and name not in plan.contenders:
            continue
        ours = [each for chunk in chunks for each in _chunk(journal, name, *chunk)]
        rows.append(means.row(SUBJECT, name, "coverage", ours))
        gains = [one - other for one, other in zip(ours, theirs, strict=True)]
        rows.append(means.row(SUBJECT, name, f"gain over {RIVAL}", gains))
    return Result(tuple(rows), (), (NOTE, means.NOTE))


STUDY = Study("bounds for directed apps", (SUBJECT,), run)


def jump(graph: Graph, steps: int, order: Order, random: Random) -> float:
    """The coverage of one who jumps from screen to screen until the steps are over, or stands in a sink."""
    depth, visited, here = {graph.start: 0}, {graph.start}, graph.start
    for _ in range(steps):
        _learn(graph, visited, depth)
        frontier = [node for node in depth if node not in visited]
        if not frontier or not graph.links[here]:
            break
        here = min(frontier, key=lambda node: (order(graph, node, depth[node]), random.random()))
        visited.add(here)
    return len(visited) / graph.reachable


def _learn(graph: Graph, visited: set[int], depth: dict[int, int]) -> None:
    """The distance from the start of every screen that has been seen, over the links of the visited ones."""
    depth.clear()
    depth[graph.start] = 0
    waiting = [graph.start]
    for node in waiting:
        for target in graph.links[node] if node in visited else ():
            if target not in depth:
                depth[target] = depth[node] + 1
                waiting.append(target)


def _chunk(journal: Journal, name: str, first: int, count: int) -> list[float]:
    words = {"subject": SUBJECT, "contender": name, "first": first, "count": count}
    key = trial_name(words, [walks.WORLDS, Path(__file__)])
    known: list[float] = journal.recall(key, lambda: _jumped(name, first, count))
    return known


def _jumped(name: str, first: int, count: int) -> list[float]:
    family = task(SUBJECT)
    return [
        jump(graph, family.steps, ORDERS[name], stream(0, "bench", name, first + place))
        for place, graph in enumerate(family.worlds(0, "held-out", count, first))
    ]
