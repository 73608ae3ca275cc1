"""How much hangs on the learners' settings? Two of them at a time, well away from their defaults.

An early version of `exonerate` collapsed when beta was doubled and the prior lowered. One setting alone
rarely shows that: what breaks is a pair. So every pair of settings goes to its four corners while the rest
stays at the default, and the result is the share of the default's unique valid inputs that the worst corner
keeps, on the same subjects and seeds. This takes minutes, so it runs only when asked for: `--study priors`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import combinations, product
from statistics import mean

from bench.inputs import subjects
from bench.inputs.contenders import under_hypothesis
from bench.inputs.tally import Finished, Tally
from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from untrod.engines.inputs.backend.config import configure
from untrod.engines.inputs.backend.entry import register
from untrod.learn.catalogue import LEARNERS, make_learner

ATTEMPTS = {"bst": 500, "parens": 1_500, "sql": 300}
"""For --quick; --full takes four times as many. Enough for each subject to be past its first valid inputs."""

CORNERS: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "exonerate": {"beta": (2.0, 8.0), "prior": (0.6, 0.97), "noise": (0.02, 0.2)},
    "montecarlo": {"epsilon": (0.1, 0.5), "window": (2, 8)},
}
KEPT = 0.5
"""A corner that keeps less of the default than this has collapsed."""

FEW = 10
"""Below this many unique valid inputs at the default, a share says nothing."""

Setting = tuple[tuple[str, float], ...]


def run(plan: Plan) -> Result:
    if plan.study is None:
        return Result(notes=("priors: only runs when asked for, with --study priors",))
    register()
    rows: list[Row] = []
    bars: list[Bar] = []
    notes = ["priors: a share is the mean over the seeds, against the mean of the default"]
    for learner, corners in CORNERS.items():
        shares: dict[str, float] = {}
        for subject in filter(plan.wants, ATTEMPTS):
            found = {setting: sweep(plan, subject, learner, setting) for setting in settings(corners)}
            default = mean(found[()])
            for setting, unique in found.items():
                name = described(learner, setting)
                rows.append(Row.of(f"priors {subject}", name, "unique valid", unique))
                if setting and default >= FEW:
                    shares[f"{name} on {subject}"] = share = mean(unique) / default
                    rows.append(Row.of(f"priors {subject}", name, "share of the default", [share]))
            if default < FEW:
                notes.append(f"priors: {learner} finds too little on {subject} to speak of shares")
        if shares:
            worst = min(shares, key=shares.__getitem__)
            bars.append(Bar.at_least(f"worst pair of settings: {worst}: share kept", shares[worst], KEPT))
    return Result(tuple(rows), tuple(bars), tuple(notes))


STUDY = Study("priors: pairs of settings at their corners", tuple(ATTEMPTS), run)


def settings(corners: Mapping[str, tuple[float, float]]) -> Iterator[Setting]:
    """The default, then every pair of settings at each of its four corners."""
    yield ()
    for one, other in combinations(corners, 2):
        for values in product(corners[one], corners[other]):
            yield tuple(zip((one, other), values, strict=True))


def sweep(plan: Plan, subject: str, learner: str, setting: Setting) -> list[int]:
    """Unique valid inputs, seed by seed."""
    attempts = ATTEMPTS[subject] * (1 if plan.quick else 4)
    found = []
    with offered(learner, setting) as name:
        for seed in plan.seeds_or(quick=2, full=5):
            tally = Tally(subjects.load(subject), attempts, cpu_allowed=float("inf"))
            with configure(learner=name):
                try:
                    under_hypothesis("untrod", tally, seed)
                except Finished:
                    found.append(tally.to_json()["unique"])
    plan.say(f"{subject} {described(learner, setting)}: {found} unique valid of {attempts}")
    return found


@contextmanager
def offered(learner: str, setting: Setting) -> Iterator[str]:
    """The learner with `setting` has a name of its own for a while: the backend takes names only."""
    name = described(learner, setting)
    with LEARNERS.override(name, partial(make_learner, learner, settings=dict(setting))):
        yield name


def described(learner: str, setting: Setting) -> str:
    return f"{learner}, {' '.join(f'{key}={value:g}' for key, value in setting) or 'default'}"
