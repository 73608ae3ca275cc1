"""Every policy on every subject at every size, each trial in a subprocess.

Small sizes first, where `exhaustive` walks all paths and the true worst is certain, which `auto` must find;
then every policy at 10, 30 and 100. Policies without chance in them run one seed, for the second would give
the same. Where the true worst is certain, by `exhaustive` or by a formula, a trial that has found it ends:
there is nothing more to measure. With less time than the scale has, CPU time and seeds are thinned: a trial's
CPU time by as much as the time is less, and then the seeds that no bar is about, from the last.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from bench.journal import Journal, trial_name
from bench.machine import describe
from bench.plan import Plan, Study
from bench.report import Result
from bench.worst import promises
from bench.worst.outcomes import Outcomes
from bench.worst.subjects import SUBJECTS

ROOT = Path(__file__).resolve().parents[2]
CODE = (
    ROOT / "bench" / "worst" / "subjects",
    *(ROOT / "src" / "untrod" / room for room in ("symbolic", "learn", "engines/worst")),
)
"""When it changes, what a journal has is of another trial."""
CORES = int(describe()["cores"])
EXHAUSTIVE = "exhaustive"
FIXED = ("wise", "spf-wca", EXHAUSTIVE)
POLICIES = ("auto", "pyse", "climb", "random", *FIXED)
LARGE = (10, 30, 100)
EXHAUSTIBLE = 10
"""No subject has so few paths at a larger size that they could all be walked."""
TABLE_CPU = 20.0
"""The paper's runs took minutes; here practice fits into half of this."""


@dataclass(frozen=True)
class Scale:
    seeds: int
    attempts: int
    cpu: Mapping[int, float]  # CPU seconds of a trial, by size; small sizes have the smallest's
    sizes: tuple[int, ...]
    minutes: float


QUICK = Scale(1, 300, {10: 2.0}, (10,), 4.5)
FULL = Scale(5, 1_000_000, {10: 8.0, 30: 16.0, 100: 20.0}, LARGE, 115.0)


@dataclass(frozen=True)
class Trial:
    subject: str
    policy: str
    size: int
    seed: int


def run(plan: Plan) -> Result:
    scale = scale_of(plan)
    journal, outcomes = Journal(plan.journal), Outcomes()
    deadline = plan.started + 60 * scale.minutes
    skipped = 0

    def measure(trial: Trial) -> Mapping[str, Any] | None:
        """None when it was never played, and it is too late for that."""
        enough = None if trial.policy == EXHAUSTIVE else certain(outcomes, trial)
        cpu = cpu_for(plan, scale, trial)
        late = time.monotonic() > deadline
        return recalled(journal, trial, scale.attempts, cpu, enough, play=not late)

    with ThreadPoolExecutor(CORES) as pool:
        for trials in _rounds(plan, scale):
            for trial, result in zip(trials, pool.map(measure, trials), strict=True):
                if result is None:
                    skipped += 1
                    continue
                outcomes.add(trial.subject, trial.size, trial.policy, trial.seed, result)
                plan.say(f"{trial.subject} {trial.size} {trial.policy} seed {trial.seed}: {in_short(result)}")
    notes = [f"a trial ends after {scale.attempts:,} attempts or its CPU time: {_times(plan, scale)}"]
    if skipped:
        what = "what no bar is about, and later seeds"
        notes.append(f"{skipped} trials were left out to stay within the time: {what}")
    return Result(outcomes.rows(), promises.bars(outcomes), (*notes, *outcomes.notes()))


STUDY = Study("policies on every subject and size", tuple(SUBJECTS), run)


def scale_of(plan: Plan) -> Scale:
    """CPU times shrink with the minutes; more minutes than planned do not lengthen them."""
    scale = QUICK if plan.quick else FULL
    cpu = {size: round(thinning(plan) * seconds, 1) for size, seconds in scale.cpu.items()}
    return replace(scale, minutes=minutes_of(plan), cpu=cpu)


def thinning(plan: Plan) -> float:
    """The share of the planned time that there is; at most all of it."""
    return min(1.0, minutes_of(plan) / (QUICK if plan.quick else FULL).minutes)


def minutes_of(plan: Plan) -> float:
    return (QUICK if plan.quick else FULL).minutes if plan.minutes is None else plan.minutes


def _rounds(plan: Plan, scale: Scale) -> list[list[Trial]]:
    """In the order in which they matter: whenever the time is up, every subject has had as much.

    What the bars are about comes first, seed 1 before the others; then every policy at the size of most bars;
    then the rest of seed 1; then all the rest.
    """
    trials = []
    for seed in plan.seeds_or(scale.seeds, scale.seeds):
        for subject in (SUBJECTS[name] for name in SUBJECTS if plan.wants(name)):
            small = subject.small[-1:] if plan.quick else subject.small
            for size in (*small, *(size for size in scale.sizes if size not in small)):
                trials += [Trial(subject.name, policy, size, seed) for policy in _policies(size, small, seed)]
    # The exhaustive one stands before the others of its size: what it finds ends theirs.
    wanted = [trial for trial in trials if trial.policy in (plan.contenders or POLICIES)]
    return [list(group) for _, group in groupby(sorted(wanted, key=_weight), key=_together)]


def _policies(size: int, small: tuple[int, ...], seed: int) -> list[str]:
    """At a small size the truth, and who must find it; at a large one nobody can walk all paths."""
    policies = [EXHAUSTIVE, promises.OURS] if size in small else [EXHAUSTIVE, *POLICIES[:-1]]
    return [
        policy
        for policy in policies
        if (seed == 1 or policy not in FIXED) and (policy != EXHAUSTIVE or size <= EXHAUSTIBLE)
    ]


def _weight(trial: Trial) -> int:
    """Smallest first."""
    rank = promises.rank(trial.subject, trial.policy, trial.size)
    if rank == 3:
        return 3 if trial.size == promises.CLIMB_SIZE else 4 if trial.seed == 1 else 5
    if trial.seed == 1:
        return 0 if rank == 1 else 1
    return 2 if rank == 1 else 5


def _together(trial: Trial) -> tuple[str, int, int, bool]:
    """Trials that may run at the same time."""
    return trial.subject, trial.size, trial.seed, trial.policy == EXHAUSTIVE


def certain(outcomes: Outcomes, trial: Trial) -> int | None:
    """Branches on the worst path, where that is known for sure."""
    formula = SUBJECTS[trial.subject].worst
    return outcomes.true_worst(trial.subject, trial.size) or (formula(trial.size) if formula else None)


def cpu_for(plan: Plan, scale: Scale, trial: Trial) -> float:
    if plan.cpu is not None:
        return plan.cpu
    if not plan.quick and trial.policy == promises.PAPER and (trial.subject, trial.size) in promises.TABLE:
        return TABLE_CPU
    times = sorted(scale.cpu.items())
    return next((cpu for least, cpu in times if trial.size <= least), times[-1][1])


def _times(plan: Plan, scale: Scale) -> str:
    usual = {size: cpu_for(plan, scale, Trial("", "", size, 0)) for size in scale.sizes}
    table = "" if plan.quick or plan.cpu is not None else f", the paper's table {TABLE_CPU:g} s"
    return ", ".join(f"size {size} {cpu:g} s" for size, cpu in usual.items()) + table


def recalled(
    journal: Journal, trial: Trial, attempts: int, cpu: float, enough: int | None, play: bool = True
) -> Mapping[str, Any] | None:
    """What the journal has of the trial, which else is played, if it may be."""
    key = trial_name({**asdict(trial), "attempts": attempts, "cpu": cpu, "enough": enough}, CODE)
    known: Mapping[str, Any] | None = journal.recall(
        key, lambda: in_subprocess(trial, attempts, cpu, enough), late=not play
    )
    return known


def in_subprocess(trial: Trial, attempts: int, cpu: float, enough: int | None = None) -> Mapping[str, Any]:
    """What the trial printed; a crash or a hang is a result like any other."""
    words = [trial.subject, trial.policy, trial.size, trial.seed, attempts, cpu]
    words += [] if enough is None else [enough]
    paths = [str(ROOT), str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0"}
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [sys.executable, "-m", "bench.worst.trial", *map(str, words)],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=20 * cpu + 300,  # a busy machine gives little CPU time in much wall time
            )
        except subprocess.TimeoutExpired as hang:
            return {"error": f"killed after {hang.timeout:.0f} s"}
    if done.returncode == 0 and done.stdout:
        result: Mapping[str, Any] = json.loads(done.stdout)
        return result
    last = (done.stderr.strip().splitlines() or ["no message"])[-1]
    return {"error": f"exit status {done.returncode}: {last[:200]}"}


def in_short(result: Mapping[str, Any]) -> str:
    if "best" not in result:
        return next(f"{key}: {value}" for key, value in result.items())
    to, spent = result["to_best"], result["spent"]
    return (
        f"{result['best']} branches after {to['paths']} paths of {to['attempts']} attempts, "
        f"{spent['attempts']} attempts and {spent['cpu']:.1f} s CPU in all, {result['ended']}"
    )
