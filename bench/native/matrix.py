"""Every contender on every program, seed by seed, with the same CPU time."""

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
from bench.native import promises
from bench.native.contenders import AFL, ANGR, CONTENDERS, OURS, PORTFOLIO, RANDOM, WITH_CHANCE
from bench.native.measure import branches
from bench.native.peers import afl, angr, random_bytes
from bench.native.subjects import ROOT, SUBJECTS, missing
from bench.plan import Plan, Study
from bench.report import Result, Row

QUICK_CPU = 15.0
QUICK = ("random-path", PORTFOLIO, WITH_CHANCE, RANDOM, AFL)
FULL_MINUTES, QUICK_MINUTES = 115.0, 8.0
METRICS = ("branches", "complete", "live", "peak", "findings", "runs", "cpu", "memory", "diverged")
Outcomes = dict[tuple[str, str], list[Mapping[str, Any]]]
SEEDLESS = (ANGR,)
"""Whose search is the same every time: one run is all there is to see."""
CORES = int(describe()["cores"])


@dataclass(frozen=True)
class Trial:
    subject: str
    contender: str
    seed: int


def run(plan: Plan) -> Result:
    if reason := missing():
        return Result(notes=(reason,))
    unknown = set(plan.contenders) - set(CONTENDERS)
    if unknown:
        raise SystemExit(f"bench: no contender {min(unknown)!r}: there is {', '.join(CONTENDERS)}")
    cpu = plan.cpu or (QUICK_CPU if plan.quick else None)
    minutes = plan.minutes or (QUICK_MINUTES if plan.quick else FULL_MINUTES)
    deadline = plan.started + 60 * minutes
    journal, outcomes = Journal(plan.journal), Outcomes()
    notes, skipped = [f"CPU time of a trial: {_told(cpu)}"], 0
    asked = plan.contenders or (QUICK if plan.quick else CONTENDERS)
    trials = [
        Trial(subject, contender, seed)
        for seed in plan.seeds_or(1, 3)
        for subject in filter(plan.wants, SUBJECTS)
        for contender in asked
        if seed == 1 or contender not in SEEDLESS
    ]
    for subject in {trial.subject for trial in trials}:
        SUBJECTS[subject].target()  # built before the clock of the first trial runs
    with ThreadPoolExecutor(CORES) as pool:
        for trial, result in zip(
            trials, pool.map(lambda trial: _recalled(journal, trial, cpu, deadline), trials), strict=True
        ):
            if result is None:
                skipped += 1
                continue
            if "branches" not in result:
                said = " ".join(f"{key}: {value}" for key, value in result.items())
                notes.append(f"{trial.contender} on {trial.subject}, seed {trial.seed}: {said}")
            else:
                outcomes.setdefault((trial.subject, trial.contender), []).append(result)
            plan.say(f"{trial.subject} {trial.contender} seed {trial.seed}: {_in_short(result)}")
    if skipped:
        notes.append(f"{skipped} trials were left out to stay within the time")
    return Result(_rows(outcomes), promises.bars(outcomes), tuple(notes))


STUDY = Study("branches of C programs by every contender", tuple(SUBJECTS), run)


def _told(cpu: float | None) -> str:
    if cpu is not None:
        return f"{cpu:g} s"
    return ", ".join(f"{name} {subject.cpu:g} s" for name, subject in SUBJECTS.items())


def _recalled(
    journal: Journal, trial: Trial, given: float | None, deadline: float
) -> Mapping[str, Any] | None:
    """What the journal has of the trial, which else is played; None where it is too late for that."""
    cpu = given or SUBJECTS[trial.subject].cpu
    code = [ROOT / "bench" / "native", ROOT / "src" / "untrod" / "symbolic" / "native"]
    key = trial_name({**asdict(trial), "cpu": cpu}, [*code, ROOT / "src" / "untrod" / "engines" / "cover"])
    late = time.monotonic() > deadline
    known: Mapping[str, Any] | None = journal.recall(key, lambda: _tried(trial, cpu), late=late)
    return known


def _tried(trial: Trial, cpu: float) -> Mapping[str, Any]:
    """A crash or a hang is a result like any other."""
    try:
        return _play(trial.subject, trial.contender, trial.seed, cpu)
    except subprocess.CalledProcessError as error:
        return {"error": f"{Path(error.cmd[0]).name} ended with status {error.returncode}"}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0][:200]}


def _play(subject: str, contender: str, seed: int, cpu: float) -> Mapping[str, Any]:
    chosen = SUBJECTS[subject]
    if contender in OURS:
        asked = {"subject": subject, "contender": contender, "seed": seed, "cpu": cpu}
        played = subprocess.run(
            [sys.executable, "-m", "bench.native.player"],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": "0"},
            check=False,
        )
        if played.returncode:
            return {"error": (played.stderr.strip().splitlines() or ["it said nothing"])[-1][:200]}
        result = json.loads(played.stdout)
    elif contender == RANDOM:
        result = random_bytes(chosen, seed, cpu)
    elif contender == ANGR:
        result = angr(chosen, cpu)
    else:
        with tempfile.TemporaryDirectory() as folder:
            result = afl(chosen, seed, cpu, Path(folder))
    if "inputs" not in result:
        return dict(result)
    inputs = [
        chosen.fields.check([value.encode("latin-1") for value in values]) for values in result.pop("inputs")
    ]
    taken, total = branches(chosen, inputs)
    return {**result, "tests": len(inputs), "branches": taken, "total": total}


def _rows(outcomes: Outcomes) -> tuple[Row, ...]:
    rows = []
    for (subject, contender), results in outcomes.items():
        for metric in METRICS:
            values = [_number(result[metric]) for result in results if metric in result]
            if values:
                rows.append(Row.of(subject, contender, metric, values))
    return tuple(rows)


def _number(value: Any) -> float:
    return float(len(set(value))) if isinstance(value, list) else float(value)


def _in_short(result: Mapping[str, Any]) -> str:
    if "branches" not in result:
        return next((f"{key}: {value}" for key, value in result.items()), "nothing")
    paths = f", {result['complete']} paths" if "complete" in result else ""
    return f"{result['branches']} of {result['total']} branches{paths}, {result['cpu']:.1f} s CPU"
