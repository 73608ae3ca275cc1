"""What memory and history are worth in perfect mazes: the paper's tables 5 and 6, row for row.

Memory is the node where the walker stands, all nodes as a set, or the graph; history is the LSTM, which the
paper calls autoregressive. Table 5 has features of links by one layer, table 6 by two. All variants take the
same short course: one seed, the same worlds, `--moves steps` and no teacher, as in the paper; nodes as in
`plain_nodes.py`. The paper does not say whether its walkers take the best option or draw one, so both are
here: a walker without memory that takes the best one goes to and fro.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import torch

from bench.explore import means, paper, plain_nodes, walks
from bench.explore.plain_nodes import PlainTrainer
from bench.journal import Journal, trial_name
from bench.plan import Plan, Study
from bench.report import Result, Row
from untrod.core.seeds import derive
from untrod.engines.explore.measure import BATCH, coverages
from untrod.engines.explore.vector_env import DecisionEnv
from untrod.engines.explore.walk_trainer import WalkPlan
from untrod.engines.explore.worlds.graph import Graph
from untrod.learn.gmetaexp.actor_critic import draw
from untrod.learn.gmetaexp.ggnn import GraphPolicy

TASK, WIDTH = "maze", 8
LAYERS = {"maze, 1 layer": 1, "maze, 2 layers": 2}
VARIANTS = ("node without history", "node", "pool without history", "pool", "graph without history", "graph")
WAYS = ("best option", "drawn")
LOOKS = 10
CODE = (*sorted(walks.EXPLORE.glob("*.py")), walks.WORLDS, walks.LEARN, Path(plain_nodes.__file__))


@dataclass(frozen=True)
class Scale:
    updates: int
    validation: int
    worlds: int
    minutes: float


QUICK, FULL = Scale(10, 20, 50, 2.0), Scale(500, 100, 1000, 40.0)


def run(plan: Plan) -> Result:
    scale, journal = (QUICK if plan.quick else FULL), Journal(plan.journal)
    deadline = time.monotonic() + 60 * (scale.minutes if plan.minutes is None else plan.minutes)
    rows: list[Row] = []
    notes: list[str] = [means.NOTE]
    for subject in filter(plan.wants, LAYERS):
        for variant in VARIANTS:
            if plan.contenders and variant not in plan.contenders:
                continue
            if time.monotonic() > deadline:
                notes.append(f"{subject}, {variant}: not trained, time was up")
                continue
            found = _trial(journal, scale, subject, variant)
            plan.say(f"{subject} {variant}: {' '.join(f'{way} {fmean(found[way]):.3f}' for way in WAYS)}")
            rows += [means.row(subject, variant, f"coverage, {way}", found[way]) for way in WAYS]
            rows.append(means.single(subject, variant, "paper", paper.ABLATIONS[subject, variant]))
    notes.append(f"ablations of mazes: {scale.updates} updates each, hidden 32, one seed")
    return Result(tuple(rows), (), tuple(notes))


STUDY = Study("ablations of the policy for mazes", tuple(LAYERS), run)


def plan_of(variant: str, scale: Scale) -> WalkPlan:
    memory, _, without = variant.partition(" without ")
    return WalkPlan(
        TASK,
        updates=scale.updates,
        moves="steps",
        links=WIDTH,
        memory=memory,  # type: ignore[arg-type]
        history=not without,
        evaluate=max(1, scale.updates // LOOKS),
        validation=scale.validation,
    )


def _trial(journal: Journal, scale: Scale, subject: str, variant: str) -> dict[str, list[float]]:
    """The coverages of held-out mazes, by the way in which options are taken."""
    plan, layers = plan_of(variant, scale), LAYERS[subject]
    key = trial_name({**plan.to_json(), "layers": layers, "worlds": scale.worlds}, CODE)
    known: dict[str, list[float]] = journal.recall(key, lambda: _trained(plan, layers, scale.worlds))
    return known


def _trained(plan: WalkPlan, layers: int, count: int) -> dict[str, list[float]]:
    family = plan.family()
    worlds = list(family.worlds(0, "held-out", count))
    with TemporaryDirectory() as folder:
        course = PlainTrainer(plan, Path(folder), layers)
        course.run()
    best = coverages(course.policy, worlds, family.steps, plan.moves)
    drawn = drawn_coverages(course.policy, worlds, family.steps)
    return dict(zip(WAYS, (best, drawn), strict=True))


@torch.no_grad()
def drawn_coverages(policy: GraphPolicy, worlds: Sequence[Graph], steps: int) -> list[float]:
    """Of walks that take each option as often as the policy says, as they do in training."""
    found: list[float] = []
    generator = torch.Generator().manual_seed(derive(0, "bench", "drawn"))
    for first in range(0, len(worlds), BATCH):
        arena, state = DecisionEnv(worlds[first : first + BATCH], steps, "steps"), None
        while not arena.over:
            scene = arena.scene()
            chances, _, state = policy(scene, state or policy.begin(scene.graphs))
            arena.act(draw(chances, generator).numpy())
        found += arena.coverage.tolist()
    return found
