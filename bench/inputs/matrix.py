"""Every contender on every subject, seed by seed, each in a subprocess of its own.

Rounds: all subjects and contenders with the first seed, then all with the second, and so on, as long as the
time allows another round. Where even one round is too much, every trial gets less CPU time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from bench.inputs import promises, subjects
from bench.inputs.contenders import CEILING, CONTENDERS, DEFAULT, LEARNERS, PEERS
from bench.inputs.outcomes import Outcomes
from bench.journal import Journal, trial_name
from bench.machine import describe
from bench.plan import Plan, Study
from bench.report import Result

ROOT = Path(__file__).resolve().parents[2]
CORES = int(describe()["cores"])
STARTUP = 1.0  # seconds: the interpreter and Hypothesis, before a trial begins
PEERS_PYTHON = "UNTROD_PEERS_PYTHON"
"""Environment variable: the interpreter of another environment, which has HypoFuzz and Fandango."""


@dataclass(frozen=True)
class Scale:
    """How much of the matrix fits in the time that `--quick` and `--full` allow."""

    attempts: int
    seeds: int
    cpu: float  # seconds for one trial
    end: float  # seconds after the start of the bench by which the matrix should be done
    contenders: tuple[str, ...]


QUICK = Scale(1_000, 3, 4.0, 270.0, (DEFAULT, "random", *LEARNERS, CEILING))
FULL = Scale(10_000, 10, 120.0, 112 * 60.0, tuple(CONTENDERS))

LIFTED = (
    "Hypothesis ends a run after 458 rejected values and 100 more for each valid one; the limit is lifted "
    "here for every backend, and every call is an attempt, also those cut short while drawing"
)


def run(plan: Plan) -> Result:
    scale = _scale(plan)
    names = [name for name in subjects.NAMES if plan.wants(name)]
    outcomes, journal = Outcomes(scale.attempts), Journal(plan.journal)
    pace = Pace(scale, plan.started + scale.end, fixed=plan.cpu is not None)
    seeds = plan.seeds_or(scale.seeds, scale.seeds)
    rounds = 0
    for seed in seeds:
        started = time.monotonic()
        for position, subject in enumerate(names):
            cpu = pace.cpu_for(subject, len(names) - position)
            outcomes.extend(play_subject(plan, scale, pace, journal, Trial(subject, "", seed), cpu))
        rounds += 1
        if 2 * time.monotonic() - started > pace.deadline:
            break
    notes = [f"matrix: {scale.attempts:,} attempts a trial", LIFTED, *pace.notes()]
    if rounds < len(seeds):
        notes.append(f"matrix: {rounds} of {len(seeds)} seeds, the same for all, to stay within the time")
    if plan.quick:
        notes.append("the bars of the matrix are promised for 10,000 attempts and 10 seeds: run --full")
        notes.append(f"matrix: {', '.join(PEERS)} only run with --full")
    return Result(outcomes.rows(), promises.bars(outcomes), (*notes, *outcomes.notes()))


def _scale(plan: Plan) -> Scale:
    scale = QUICK if plan.quick else FULL
    unknown = set(plan.contenders) - set(CONTENDERS)
    if unknown:
        raise SystemExit(f"bench: no contender {min(unknown)!r}: there is {', '.join(CONTENDERS)}")
    return replace(
        scale,
        contenders=plan.contenders or scale.contenders,
        end=scale.end if plan.minutes is None else 60 * plan.minutes,
        cpu=scale.cpu if plan.cpu is None else plan.cpu,
    )


STUDY = Study("Hypothesis subjects under every backend", subjects.NAMES, run)


@dataclass(frozen=True)
class Trial:
    subject: str
    contender: str
    seed: int


class Pace:
    """Shares the time among the subjects, so that none goes without.

    A subject's share is settled in the first round and kept: its contenders and seeds all get the same CPU
    time. On a busy machine a second of CPU time takes longer, which the shares account for.
    """

    def __init__(self, scale: Scale, deadline: float, fixed: bool = False) -> None:
        self.deadline = deadline
        self._fixed = fixed  # the user said how much CPU time a trial gets: nothing is thinned
        self._scale = scale
        self._shares: dict[str, float] = {}
        self._cpu = self._wall = 1e-3  # of the trials so far

    def cpu_for(self, subject: str, subjects_left: int) -> float:
        """CPU seconds for one trial on `subject`, which is one of `subjects_left` still to play."""
        if self._fixed:
            return self._scale.cpu
        if subject not in self._shares:
            trials = subjects_left * (len(self._scale.contenders) + 1)  # one more: the warm start
            wall = max(0.0, self.deadline - time.monotonic()) * CORES / trials
            fair = (wall - STARTUP) * min(1.0, self._cpu / self._wall)
            self._shares[subject] = round(min(self._scale.cpu, max(0.5, fair)), 1)
        return self._shares[subject]

    def learn(self, result: Mapping[str, Any], wall: float) -> None:
        if "cpu" in result and wall > STARTUP:
            self._cpu += result["cpu"]
            self._wall += wall - STARTUP

    def notes(self) -> Iterator[str]:
        """Which subjects had to make do with less than the scale's CPU time."""
        cut = [f"{name} {cpu:g} s" for name, cpu in self._shares.items() if cpu < self._scale.cpu]
        yield f"matrix: a trial may use {self._scale.cpu:g} s of CPU time"
        if cut:
            yield f"matrix: thinned to stay within the time, alike for all contenders: {', '.join(cut)}"


def play_subject(
    plan: Plan, scale: Scale, pace: Pace, journal: Journal, of: Trial, cpu: float
) -> Iterator[tuple[Trial, Mapping[str, Any]]]:
    """The contenders side by side on one subject with one seed, as many at a time as there are cores."""
    trials = [replace(of, contender=contender) for contender in scale.contenders]
    with ThreadPoolExecutor(CORES) as pool:
        for results in pool.map(lambda trial: recalled(journal, trial, scale.attempts, cpu), trials):
            for contender, (result, wall) in results.items():
                pace.learn(result, wall)
                plan.say(f"{of.subject} {contender} seed {of.seed}: {_in_short(result)}")
                yield replace(of, contender=contender), result


def recalled(
    journal: Journal, trial: Trial, attempts: int, cpu: float
) -> dict[str, tuple[Mapping[str, Any], float]]:
    """What the journal has of the trial, which else is played."""
    key = trial_name({**asdict(trial), "attempts": attempts, "cpu": cpu}, _code_of(trial.contender))
    known = journal.recall(key, lambda: play(trial, attempts, cpu))
    return {contender: (result, wall) for contender, (result, wall) in known.items()}


def _code_of(contender: str) -> list[Path]:
    """The folders whose code decides how the contender fares."""
    ours = ("core", "learn", "store", "engines/inputs") if contender in LEARNERS else ()
    return [ROOT / "bench" / "inputs" / "subjects", *(ROOT / "src" / "untrod" / room for room in ours)]


def play(trial: Trial, attempts: int, cpu: float) -> dict[str, tuple[Mapping[str, Any], float]]:
    """The result of the trial, in an empty folder, and its wall seconds.

    `auto` gets a second run there, which starts from what the first one learned.
    """
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        result = in_subprocess(trial, attempts, cpu, folder)
        results = {trial.contender: (result, time.monotonic() - started)}
        if trial.contender == "auto" and "attempts" in result:
            started = time.monotonic()
            again = replace(trial, seed=trial.seed + 1_000)
            if (Path(folder) / ".untrod").exists():
                second = in_subprocess(again, min(attempts, 500), cpu, folder)
            else:
                second = {"skipped": "the first run stored nothing to start from"}
            results["auto, warm"] = (second, time.monotonic() - started)
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
