"""Is the fitted complexity class the textbook's? A sweep over sizes with the default policy, in steps."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from bench.journal import Journal, trial_name
from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from bench.worst.matrix import CODE
from bench.worst.subjects import SUBJECTS
from bench.worst.trial import NoBeacon
from untrod.engines.worst.costs import make_cost
from untrod.engines.worst.curves import Curves
from untrod.engines.worst.executors import Executors
from untrod.engines.worst.hunt import Hunt
from untrod.engines.worst.policies.catalogue import make_policy
from untrod.engines.worst.subject import Subject

SIZES = (4, 8, 16, 32, 64)
TEXTBOOK = tuple(name for name, subject in SUBJECTS.items() if subject.classes is not None)
POLICY = "auto"


class Silent:
    """Nobody listens."""

    def worst(self, place: Any) -> None: ...

    def failed(self, size: int, trouble: Any) -> None: ...

    def tell(self, text: str) -> None: ...


def run(plan: Plan) -> Result:
    cpu = plan.cpu or (10.0 if plan.quick else 60.0)
    rows: list[Row] = []
    bars: list[Bar] = []
    journal = Journal(plan.journal)
    for name in filter(plan.wants, TEXTBOOK):
        expected = SUBJECTS[name].classes
        assert expected is not None
        right: list[tuple[bool, bool]] = []
        for seed in plan.seeds_or(quick=1, full=5):
            key = trial_name({"sweep": name, "policy": POLICY, "seed": seed, "cpu": cpu}, CODE)
            places = journal.get(key)
            if places is None:
                places = sweep(name, seed, cpu)
                journal.put(key, places)
            curves = Curves.of(places)
            found = (curves.worst.name, curves.average.name)
            right.append((found[0] == expected[0], found[1] == expected[1]))
            plan.say(f"{name} seed {seed}: worst {curves.worst}; average {curves.average}")
        for which, label in enumerate(("worst", "average")):
            hits = [int(pair[which]) for pair in right]
            rows.append(Row.of(name, POLICY, f"{label} input fitted as {expected[which]}", hits))
            bar = f"{name}: share of seeds whose {label} input is fitted as {expected[which]}"
            bars.append(Bar.at_least(bar, sum(hits) / len(hits), 1.0))
    return Result(
        tuple(rows), tuple(bars), (f"growth: sizes {SIZES}, {cpu:g} s CPU for a sweep, cost: steps",)
    )


STUDY = Study("the fitted complexity class", TEXTBOOK, run)


def sweep(name: str, seed: int, cpu: float) -> list[Any]:
    """What was found at each size, as JSON."""
    of = SUBJECTS[name]
    subject = Subject(
        name,
        of.function,
        make_cost("steps"),
        NoBeacon(),
        Path(tempfile.gettempdir()),
        factory=of.shape,
        make_executor=Executors(),
        seed=seed,
    )
    hunt = Hunt(subject, make_policy(POLICY, seed), SIZES, seed, Silent())
    started = time.process_time()
    while not hunt.finished and time.process_time() - started < cpu:
        hunt.step()
    return [place.to_json() for place in hunt.places]
