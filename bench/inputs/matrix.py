"""Every contender on every subject, seed by seed, each in a subprocess of its own.

Rounds: all subjects and contenders with the first seed, then all with the second, and so on. When the time
does not allow another round the matrix ends there, so that it is thinned evenly.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.inputs import promises, subjects
from bench.inputs.contenders import CEILING, CONTENDERS, DEFAULT, LEARNERS, PEERS
from bench.inputs.outcomes import Outcomes
from bench.machine import describe
from bench.plan import Plan, Study
from bench.report import Result

ROOT = Path(__file__).resolve().parents[2]
PEERS_PYTHON = "UNTROD_PEERS_PYTHON"
"""Environment variable: the interpreter of another environment, which has HypoFuzz and Fandango."""


@dataclass(frozen=True)
class Scale:
    """How much of the matrix fits in the time that `--quick` and `--full` allow."""

    attempts: int
    seeds: int
    cpu: float  # seconds for one trial
    end: float  # seconds after the start of the bench at which no trial starts any more
    contenders: tuple[str, ...]


QUICK = Scale(1_000, 3, 4.0, 275.0, (DEFAULT, "random", *LEARNERS, CEILING))
FULL = Scale(10_000, 10, 120.0, 115 * 60.0, tuple(CONTENDERS))

LIFTED = (
    "Hypothesis ends a run after 458 rejected values and 100 more for each valid one; the limit is lifted "
    "here for every backend, and every call is an attempt, also those cut short while drawing"
)


def run(plan: Plan) -> Result:
    scale = QUICK if plan.quick else FULL
    names = [name for name in subjects.NAMES if plan.wants(name)]
    outcomes = Outcomes(scale.attempts)
    notes = [f"matrix: {scale.attempts:,} attempts, at most {scale.cpu:g} s of CPU time a trial", LIFTED]
    if plan.quick:
        notes.append(f"matrix: {', '.join(PEERS)} only run with --full")
    deadline, slowest = plan.started + scale.end, 0.0
    seeds = plan.seeds_or(scale.seeds, scale.seeds)
    for seed in seeds:
        started = time.monotonic()
        if started + slowest > deadline:
            notes.append(
                f"matrix: thinned evenly to {seed - 1} of {len(seeds)} seeds to stay within the time"
            )
            break
        outcomes.extend(play_round(plan, scale, names, seed, deadline))
        slowest = max(slowest, time.monotonic() - started)
    return Result(outcomes.rows(), promises.bars(outcomes), (*notes, *outcomes.notes()))


STUDY = Study("Hypothesis subjects under every backend", subjects.NAMES, run)


@dataclass(frozen=True)
class Trial:
    subject: str
    contender: str
    seed: int


def play_round(
    plan: Plan, scale: Scale, names: Sequence[str], seed: int, deadline: float
) -> Iterable[tuple[Trial, Mapping[str, Any]]]:
    """One seed: subject by subject, the contenders side by side; as many at a time as there are cores."""
    trials = [Trial(subject, contender, seed) for subject in names for contender in scale.contenders]
    with ThreadPoolExecutor(int(describe()["cores"])) as pool:
        for trial, results in zip(trials, pool.map(lambda t: play(t, scale, deadline), trials), strict=True):
            for contender, result in results.items():
                plan.say(f"{trial.subject} {contender} seed {seed}: {_in_short(result)}")
                yield Trial(trial.subject, contender, seed), result


def play(trial: Trial, scale: Scale, deadline: float) -> dict[str, Mapping[str, Any]]:
    """The trial, in an empty folder; `auto` gets a second run there, which starts from what it learned."""
    if time.monotonic() > deadline:
        return {trial.contender: {"skipped": "no time left"}}
    with tempfile.TemporaryDirectory() as folder:
        results = {trial.contender: in_subprocess(trial, scale.attempts, scale.cpu, folder)}
        if trial.contender == "auto" and "attempts" in results["auto"]:
            again = Trial(trial.subject, "auto", trial.seed + 1_000)
            results["auto, warm"] = in_subprocess(again, min(scale.attempts, 500), scale.cpu, folder)
    return results


def in_subprocess(trial: Trial, attempts: int, cpu: float, folder: str) -> Mapping[str, Any]:
    """What the trial printed; a crash or a hang is a result like any other."""
    words = [trial.subject, trial.contender, trial.seed, attempts, cpu]
    try:
        done = subprocess.run(
            [_python(trial.contender), "-m", "bench.inputs.trial", *map(str, words)],
            cwd=folder,
            env=_environment(),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=4 * cpu + 60,
        )
    except subprocess.TimeoutExpired as hang:
        return {"error": f"killed after {hang.timeout:.0f} s"}
    if done.returncode == 0 and done.stdout:
        result: Mapping[str, Any] = json.loads(done.stdout)
        return result
    last = (done.stderr.strip().splitlines() or ["no message"])[-1]
    return {"error": f"exit status {done.returncode}: {last[:200]}"}


def _python(contender: str) -> str:
    return os.environ.get(PEERS_PYTHON, sys.executable) if contender in PEERS else sys.executable


def _environment() -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("UNTROD_")}
    paths = [str(ROOT), str(ROOT / "src"), *filter(None, [inherited.get("PYTHONPATH")])]
    return {**inherited, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0"}


def _in_short(result: Mapping[str, Any]) -> str:
    if "attempts" not in result:
        return next(f"{key}: {value}" for key, value in result.items())
    counts = f"{result['unique']} unique valid of {result['attempts']}, {len(result['bugs'])} bugs"
    return f"{counts}, {result['cpu']:.1f} s CPU, {result['ended']}"
