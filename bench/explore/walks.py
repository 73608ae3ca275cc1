"""Coverage of held-out worlds: every baseline, the network before training, and the weights that ship.

Worlds are those of `untrod train`'s held-out stream, so no training has seen them. All contenders walk the
same ones, the slow ones the first so many. `maze-10` and `braided-10` take the weights of the 6x6 mazes:
zero-shot to another size.

Everybody breaks ties by chance, the networks too, and the luck of that moves a mean over 1,000 apps by 0.002.
So those that are quick walk each world several times, and its coverage is the mean.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean

from bench.explore import means, paper, promises
from bench.journal import Journal, trial_name
from bench.plan import Plan, Study
from bench.report import Result, Row
from untrod.core.seeds import derive
from untrod.engines.explore.measure import coverages, rival
from untrod.engines.explore.shipped import shipped
from untrod.engines.explore.walk_trainer import fine_tune
from untrod.engines.explore.weights import load_weights
from untrod.engines.explore.worlds.graph import Graph
from untrod.engines.explore.worlds.tasks import Task, task
from untrod.learn.gmetaexp.ggnn import GraphPolicy

SOURCE = Path(__file__).resolve().parents[2] / "src" / "untrod"
EXPLORE, LEARN = SOURCE / "engines" / "explore", SOURCE / "learn"
WORLDS = EXPLORE / "worlds"
SUBJECTS = ("maze", "braided", "maze-10", "braided-10", "app", "directed-app")
CONTENDERS = (
    "random",
    "rand-dfs",
    "dfs",
    "frontier",
    "untrained",
    "trained",
    "full-knowledge",
    "tabular-q",
    "planner",
    "fine-tuned",
)
NETWORKS = ("untrained", "trained", "fine-tuned")
FINE_TUNED = ("app", "directed-app")
CHUNK, PRACTICE = 50, 100
WALKS = 4


@dataclass(frozen=True)
class Scale:
    worlds: int
    slow: int  # worlds of the contenders that take long
    minutes: float


QUICK, FULL = Scale(100, 20, 4.0), Scale(1000, 200, 60.0)
SLOW = ("full-knowledge", "tabular-q", "planner", "fine-tuned")


def run(plan: Plan) -> Result:
    scale = QUICK if plan.quick else FULL
    journal = Journal(plan.journal)
    deadline = plan.started + 60 * (scale.minutes if plan.minutes is None else plan.minutes)
    found: promises.Coverages = {}
    notes = [means.NOTE]
    for contender in CONTENDERS:
        if plan.contenders and contender not in plan.contenders:
            continue
        for subject in filter(plan.wants, SUBJECTS):
            if _left_out(subject, contender):
                continue
            values: list[float] = []
            wanted = scale.slow if contender in SLOW else scale.worlds
            while len(values) < wanted and time.monotonic() < deadline:
                values += chunk(journal, subject, contender, len(values), min(CHUNK, wanted - len(values)))
            if len(values) < wanted:
                notes.append(f"{subject}, {contender}: {len(values)} worlds instead of {wanted}, time was up")
            if values:
                found[subject, contender] = values
                plan.say(f"{subject} {contender}: {fmean(values):.3f} of {len(values)} worlds")
    notes += [f"no weights for {subject} ship" for subject in SUBJECTS if shipped(_weights(subject)) is None]
    return Result(tuple(_rows(found)), promises.walks(found), tuple(notes))


STUDY = Study("walks through worlds nobody has seen", SUBJECTS, run)


def _left_out(subject: str, contender: str) -> bool:
    if contender in ("trained", "fine-tuned") and shipped(_weights(subject)) is None:
        return True
    if contender == "fine-tuned":
        return subject not in FINE_TUNED
    return subject.endswith("-10") and contender in SLOW  # beam search on 100 cells takes minutes


def _weights(subject: str) -> str:
    return subject.removesuffix("-10")


@cache
def _family(subject: str) -> Task:
    return task(subject.removesuffix("-10"), 10 if subject.endswith("-10") else 6)


def chunk(journal: Journal, subject: str, contender: str, first: int, count: int) -> list[float]:
    """The coverages of so many held-out worlds from number `first`: each chunk is a trial."""
    folder = shipped(_weights(subject))
    words = {"subject": subject, "contender": contender, "first": first, "count": count}
    if contender in NETWORKS and folder is not None:
        words["weights"] = load_weights(folder)[1]["sha256"]
    if contender not in SLOW:
        words["walks"] = WALKS
    key = trial_name(words, [EXPLORE / "walkers", WORLDS, LEARN])
    known: list[float] = journal.recall(key, lambda: _walked(subject, contender, first, count))
    return known


def _walked(subject: str, contender: str, first: int, count: int) -> list[float]:
    worlds = list(_family(subject).worlds(0, "held-out", count, first))
    walks = 1 if contender in SLOW else WALKS
    found = [_walker(subject, contender, number)(worlds, first) for number in range(walks)]
    return [fmean(world) for world in zip(*found, strict=True)]


def _walker(subject: str, contender: str, number: int) -> Callable[[Sequence[Graph], int], list[float]]:
    """Takes worlds and the number of the first one, gives their coverages in the walk of that number."""
    family, folder = _family(subject), shipped(_weights(subject))
    if contender not in NETWORKS:
        name = _weights(subject)
        return lambda worlds, first: rival(
            contender, worlds, family.steps, derive(number, "bench", contender, first), name
        )
    if folder is None:
        raise ValueError(f"no weights for {subject}")
    policy, steps = load_weights(folder)[0], family.steps
    if contender == "untrained":
        policy = GraphPolicy(policy.shape, 0)
    if contender != "fine-tuned":
        return lambda worlds, first: coverages(policy, worlds, steps, "aims", derive(number, first))
    return lambda worlds, first: [
        coverages(fine_tune(policy, world, steps, PRACTICE, first + place), [world], steps, "aims")[0]
        for place, world in enumerate(worlds)
    ]


def _rows(found: promises.Coverages) -> list[Row]:
    rows: list[Row] = []
    for subject in SUBJECTS:
        for contender in CONTENDERS:
            values = found.get((subject, contender))
            if values is None:
                continue
            rows.append(means.row(subject, contender, "coverage", values))
            published = paper.WALKS.get((subject, contender))
            if published is not None:
                rows.append(means.single(subject, contender, "paper", published))
            ours = found.get((subject, "trained"))
            if ours is not None and contender != "trained":
                difference = [one - other for one, other in zip(ours, values, strict=False)]
                rows.append(means.row(subject, contender, "trained gains", difference))
    return rows
