"""What each part of the policy for programs is worth: the same short course for each variant.

The paper has curves and no figures for these (its figures 4 and 8): GnnEnc above BiLstmEnc above BowEnc above
EnvCond above UnCond, and the run-time coverage a help. All variants take the same lessons, and go through
the same programs; one seed.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from bench.explore import means
from bench.journal import Journal, trial_name
from bench.plan import Plan, Study
from bench.report import Result, Row
from untrod.engines.explore.programs.tasks import task
from untrod.engines.explore.programs.trained import coverages
from untrod.engines.explore.programs.trainer import ProgramPlan, ProgramTrainer
from untrod.learn.gmetaexp.programs.learner import Demonstrations

ROOT = Path(__file__).resolve().parents[2]
SUBJECTS = ("robustfill", "karel")
VARIANTS = ("gnn", "gnn, no run-time", "gnn, no history", "bilstm", "bow", "envcond", "uncond")
INPUTS = (1, 5)
BATCH = 100


@dataclass(frozen=True)
class Scale:
    updates: int
    pool: int
    worlds: int
    minutes: float


QUICK, FULL = Scale(16, 8, 50, 1.0), Scale(150, 100, 1000, 30.0)


def run(plan: Plan) -> Result:
    scale, journal = (QUICK if plan.quick else FULL), Journal(plan.journal)
    deadline = time.monotonic() + 60 * (scale.minutes if plan.minutes is None else plan.minutes)
    rows: list[Row] = []
    notes: list[str] = []
    for subject in filter(plan.wants, SUBJECTS):
        pool: dict[int, Demonstrations] = {}
        for variant in VARIANTS:
            if plan.contenders and variant not in plan.contenders:
                continue
            if time.monotonic() > deadline:
                notes.append(f"{subject}, {variant}: not trained, time was up")
                continue
            found = _trial(journal, scale, subject, variant, pool)
            plan.say(f"{subject} {variant}: {' '.join(f'{fmean(column):.3f}' for column in found)}")
            for inputs, column in zip(INPUTS, found, strict=True):
                metric = f"{inputs} input" + "s" * (inputs > 1)
                rows.append(means.row(subject, variant, f"{scale.updates} updates, {metric}", column))
    notes.append(f"ablations: {scale.updates} updates each, hidden 64, one seed")
    return Result(tuple(rows), (), tuple(notes))


STUDY = Study("ablations of the policy for programs", SUBJECTS, run)


def plan_of(subject: str, variant: str, scale: Scale) -> ProgramPlan:
    plan = ProgramPlan(subject, updates=scale.updates, pool=scale.pool, evaluate=scale.updates, validation=50)
    match variant:
        case "gnn, no run-time":
            return replace(plan, runtime=False)
        case "gnn, no history":
            return replace(plan, history=False)
        case _:
            return replace(plan, encoder=variant)  # type: ignore[arg-type]


def _trial(
    journal: Journal, scale: Scale, subject: str, variant: str, pool: dict[int, Demonstrations]
) -> list[list[float]]:
    """The coverages of held-out programs, a list for each number of inputs."""
    plan = plan_of(subject, variant, scale)
    code = [ROOT / "src" / "untrod" / "engines" / "explore" / "programs", ROOT / "src" / "untrod" / "learn"]
    key = trial_name({**plan.to_json(), "worlds": scale.worlds}, code)
    known: list[list[float]] = journal.recall(key, lambda: _trained(plan, scale, subject, pool))
    return known


def _trained(
    plan: ProgramPlan, scale: Scale, subject: str, pool: dict[int, Demonstrations]
) -> list[list[float]]:
    worlds = list(task(subject).worlds(0, "held-out", scale.worlds))
    with TemporaryDirectory() as folder:
        course = ProgramTrainer(plan, Path(folder), pool)
        course.run()
    found = [
        row
        for first in range(0, len(worlds), BATCH)
        for row in coverages(course.policy, worlds[first : first + BATCH], INPUTS, first)
    ]
    return [list(column) for column in zip(*found, strict=True)]
