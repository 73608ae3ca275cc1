"""Every contender on every module, seed by seed, with the same CPU time."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.cover import promises
from bench.cover.contenders import CHANCE, CONTENDERS, OURS, WHOLE, Ours, play
from bench.cover.outcomes import Outcomes
from bench.cover.peers import SEEDLESS
from bench.cover.subjects import SUBJECTS
from bench.journal import Journal, trial_name
from bench.machine import describe
from bench.plan import Plan, Study
from bench.report import Result

ROOT = Path(__file__).resolve().parents[2]
CORES = int(describe()["cores"])


@dataclass(frozen=True)
class Scale:
    seeds: int
    cpu: float
    large: float  # CPU seconds of a trial on one of the subjects with the largest frontiers
    minutes: float
    contenders: tuple[str, ...]

    def seconds(self, asked: float | None, large: bool) -> float:
        """`asked` is for subjects of the usual size; large ones get more, in the same proportion."""
        usual = asked or self.cpu
        return usual * self.large / self.cpu if large else usual


QUICK = Scale(1, 3.0, 3.0, 4.5, (OURS, CHANCE))
FULL = Scale(3, 20.0, 60.0, 115.0, tuple(CONTENDERS))


@dataclass(frozen=True)
class Trial:
    subject: str
    contender: str
    seed: int


def run(plan: Plan) -> Result:
    scale = QUICK if plan.quick else FULL
    unknown = set(plan.contenders) - set(CONTENDERS)
    if unknown:
        raise SystemExit(f"bench: no contender {min(unknown)!r}: there is {', '.join(CONTENDERS)}")
    journal, outcomes = Journal(plan.journal), Outcomes()
    deadline = plan.started + 60 * (scale.minutes if plan.minutes is None else plan.minutes)
    trials, skipped = list(_trials(plan, scale)), 0

    def result_of(trial: Trial) -> Mapping[str, Any] | None:
        cpu = scale.seconds(plan.cpu, SUBJECTS[trial.subject].large)
        return recalled(journal, trial, cpu, late=time.monotonic() > deadline)

    with ThreadPoolExecutor(CORES) as pool:
        for trial, result in zip(trials, pool.map(result_of, trials), strict=True):
            if result is None:
                skipped += 1
                continue
            outcomes.add(trial.subject, trial.contender, trial.seed, result)
            plan.say(f"{trial.subject} {trial.contender} seed {trial.seed}: {_in_short(result)}")
    each = [f"{scale.seconds(plan.cpu, large):g} s" for large in (False, True)]
    notes = [
        f"CPU time of a trial: {each[0]}, on large subjects {each[1]}; making the tests small comes on top"
    ]
    if skipped:
        notes.append(f"{skipped} trials were left out to stay within the time: the later seeds")
    return Result(outcomes.rows(), promises.bars(outcomes), (*notes, *outcomes.notes()))


STUDY = Study("branches covered by every contender", tuple(SUBJECTS), run)


def _trials(plan: Plan, scale: Scale) -> Iterator[Trial]:
    """Seed by seed, so that the later seeds are what is left out where time is short."""
    for number, seed in enumerate(plan.seeds_or(scale.seeds, scale.seeds)):
        for name in filter(plan.wants, SUBJECTS):
            for contender in plan.contenders or scale.contenders:
                fits = contender in WHOLE or not SUBJECTS[name].held_out
                if fits and (not number or contender not in SEEDLESS):
                    yield Trial(name, contender, seed)


def recalled(journal: Journal, trial: Trial, cpu: float, *, late: bool = False) -> Mapping[str, Any] | None:
    """What the journal has of the trial, which else is played; None where it is too late for that."""
    code = [ROOT / "bench" / "cover", ROOT / "examples" / "cover"]
    if isinstance(CONTENDERS[trial.contender], Ours):  # a peer is the same whatever becomes of us
        code.append(ROOT / "src" / "untrod")
    key = trial_name({**asdict(trial), "cpu": cpu}, code)
    known: Mapping[str, Any] | None = journal.recall(key, lambda: _play(trial, cpu), late=late)
    return known


def _play(trial: Trial, cpu: float) -> Mapping[str, Any]:
    """A crash or a hang is a result like any other."""
    subject = SUBJECTS[trial.subject]
    if missing := subject.missing():
        return {"skipped": missing}
    with tempfile.TemporaryDirectory() as folder:
        try:
            return play(trial.contender, subject, trial.seed, cpu, Path(folder))
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}".splitlines()[0][:200]}


def _in_short(result: Mapping[str, Any]) -> str:
    if "covered" not in result:
        return next(f"{key}: {value}" for key, value in result.items())
    return f"{result['covered']} of {result['branches']} branches, {result['cpu']:.1f} s CPU"
