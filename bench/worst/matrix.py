"""Every policy on every subject at every size, each trial in a subprocess.

Small sizes first, where `exhaustive` walks all paths and the true worst is certain; then 10, 30 and 100.
Policies without chance in them run one seed, for the second would give the same. Where the true worst is
certain, by `exhaustive` or by a formula, a trial that has found it ends: there is nothing more to measure.
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
from dataclasses import asdict, dataclass
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
FIXED = (EXHAUSTIVE, "wise", "spf-wca")
POLICIES = ("auto", "pyse", "climb", "random", *FIXED)
LARGE = (10, 30, 100)


@dataclass(frozen=True)
class Scale:
    seeds: int
    attempts: int
    cpu: Mapping[int, float]  # CPU seconds of a trial, by size; small sizes have the smallest's
    sizes: tuple[int, ...]
    minutes: float


QUICK = Scale(1, 300, {10: 2.0}, (10,), 4.5)
FULL = Scale(5, 20_000, {10: 10.0, 30: 20.0, 100: 40.0}, LARGE, 115.0)


@dataclass(frozen=True)
class Trial:
    subject: str
    policy: str
    size: int
    seed: int


def run(plan: Plan) -> Result:
    scale = QUICK if plan.quick else FULL
    journal, outcomes = Journal(plan.journal), Outcomes()
    deadline = plan.started + 60 * (scale.minutes if plan.minutes is None else plan.minutes)
    skipped = 0

    def measure(trial: Trial) -> Mapping[str, Any] | None:
        """None when it was never played, and it is too late for that."""
        enough = None if trial.policy == EXHAUSTIVE else certain(outcomes, trial)
        cpu = cpu_for(plan, scale, trial.size)
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
        notes.append(f"{skipped} trials were left out to stay within the time: the later seeds")
    return Result(outcomes.rows(), promises.bars(outcomes), (*notes, *outcomes.notes()))


STUDY = Study("policies on every subject and size", tuple(SUBJECTS), run)


def _rounds(plan: Plan, scale: Scale) -> list[list[Trial]]:
    """Seed by seed, subject by subject: whenever the time is up, every subject has had as much."""
    rounds = []
    for seed in plan.seeds_or(scale.seeds, scale.seeds):
        for name, subject in SUBJECTS.items():
            if not plan.wants(name):
                continue
            small = subject.small[-1:] if plan.quick else subject.small
            for size in (*small, *(size for size in scale.sizes if size not in small)):
                policies = [
                    policy for policy in plan.contenders or POLICIES if seed == 1 or policy not in FIXED
                ]
                # The exhaustive one before the others: what it finds ends theirs.
                for part in (
                    [p for p in policies if p == EXHAUSTIVE],
                    [p for p in policies if p != EXHAUSTIVE],
                ):
                    rounds.append([Trial(name, policy, size, seed) for policy in part])
    return rounds


def certain(outcomes: Outcomes, trial: Trial) -> int | None:
    """Branches on the worst path, where that is known for sure."""
    formula = SUBJECTS[trial.subject].worst
    return outcomes.true_worst(trial.subject, trial.size) or (formula(trial.size) if formula else None)


def cpu_for(plan: Plan, scale: Scale, size: int) -> float:
    if plan.cpu is not None:
        return plan.cpu
    return next((cpu for least, cpu in sorted(scale.cpu.items()) if size <= least), max(scale.cpu.values()))


def _times(plan: Plan, scale: Scale) -> str:
    return ", ".join(f"size {size} {cpu_for(plan, scale, size):g} s" for size in scale.sizes)


def recalled(
    journal: Journal, trial: Trial, attempts: int, cpu: float, enough: int | None, play: bool = True
) -> Mapping[str, Any] | None:
    """What the journal has of the trial, which else is played, if it may be."""
    key = trial_name({**asdict(trial), "attempts": attempts, "cpu": cpu, "enough": enough}, CODE)
    known: Mapping[str, Any] | None = journal.get(key)
    if known is None and play:
        known = in_subprocess(trial, attempts, cpu, enough)
        journal.put(key, known)
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
