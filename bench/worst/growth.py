"""Is the fitted complexity class the textbook's? A sweep over sizes with the default policy, in steps."""

from __future__ import annotations

import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from bench.journal import Journal, trial_name
from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from bench.worst.matrix import CODE, minutes_of, thinning
from bench.worst.subjects import SUBJECTS
from bench.worst.trial import NoBeacon
from untrod.engines.worst.costs import make_cost
from untrod.engines.worst.curves import Curves
from untrod.engines.worst.policies.catalogue import make_policy
from untrod.engines.worst.search import SizeSearch
from untrod.engines.worst.subject import Executors, Subject

SIZES = (4, 8, 16, 32, 64)
TEXTBOOK = tuple(name for name, subject in SUBJECTS.items() if subject.classes is not None)
POLICY = "auto"
SHARE = 0.25
"""Of the minutes: after so much of them, no further seed is begun."""


class Silent:
    """Nobody listens."""

    def worst(self, place: Any) -> None: ...

    def failed(self, size: int, trouble: Any) -> None: ...

    def tell(self, text: str) -> None: ...


def run(plan: Plan) -> Result:
    cpu = plan.cpu or (10.0 if plan.quick else round(20.0 * thinning(plan), 1))
    rows: list[Row] = []
    bars: list[Bar] = []
    notes = [f"growth: sizes {SIZES}, {cpu:g} s CPU for a sweep, cost: steps"]
    journal = Journal(plan.journal)
    names = list(filter(plan.wants, TEXTBOOK))
    right: dict[str, list[tuple[bool, bool]]] = {name: [] for name in names}
    seeds = plan.seeds_or(quick=1, full=5)
    for seed in seeds:
        if seed > 1 and time.monotonic() > plan.started + 60 * SHARE * minutes_of(plan):
            notes.append(f"growth: {seed - 1} of {len(seeds)} seeds, to stay within the time")
            break
        for name in names:
            key = trial_name({"sweep": name, "policy": POLICY, "seed": seed, "cpu": cpu}, CODE)
            curves = Curves.of(journal.recall(key, partial(sweep, name, seed, cpu)))
            found = (curves.worst.name, curves.average.name)
            right[name].append((found[0] == classes(name)[0], found[1] == classes(name)[1]))
            plan.say(f"{name} seed {seed}: worst {curves.worst}; average {curves.average}")
    for name, pairs in right.items():
        for which, label in enumerate(("worst", "average")):
            hits, expected = [int(pair[which]) for pair in pairs], classes(name)[which]
            rows.append(Row.of(name, POLICY, f"{label} input fitted as {expected}", hits))
            bar = f"{name}: share of seeds whose {label} input is fitted as {expected}"
            bars.append(Bar.at_least(bar, sum(hits) / len(hits), 1.0))
    return Result(tuple(rows), tuple(bars), tuple(notes))


def classes(name: str) -> tuple[str, str]:
    expected = SUBJECTS[name].classes
    assert expected is not None
    return expected


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
    search = SizeSearch(subject, make_policy(POLICY, seed), SIZES, seed, Silent())
    started = time.process_time()
    while not search.finished and time.process_time() - started < cpu:
        search.step()
    return [record.to_json() for record in search.records]
