"""What does learned pruning have to go by? HOMI on every module, with somebody watching.

A learned weight is worth something where its feature comes back, and where it tells states apart. So this
counts, at every prune: how many states there were, how many of them had a feature with a weight, how many
one whose weight was learned, and how many had the same score as another, so that chance decided.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.cover.contenders import BEST
from bench.cover.subjects import SUBJECTS, Subject
from bench.journal import Journal, trial_name
from bench.plan import Plan, Study
from bench.report import Result, Row
from untrod.core.budget import Budget
from untrod.core.protocols import Batch, Beacon
from untrod.core.vocabulary import Json
from untrod.engines.cover.engine import CoverConfig, CoverEngine
from untrod.engines.cover.search import CoverSearch
from untrod.learn import catalogue
from untrod.learn.homi import EXPLORE, Homi
from untrod.learn.pruning import RoundPlan
from untrod.runtime.campaign import Campaign
from untrod.runtime.campaign import Plan as CampaignPlan
from untrod.runtime.job import SearchJob
from untrod.runtime.limits import Limits
from untrod.runtime.loading import TargetName

ROOT = Path(__file__).resolve().parents[2]
CONTENDER = f"{BEST} + homi"
QUICK_SECONDS, FULL_SECONDS, FULL_SEEDS = 3.0, 20.0, 3
FEW = 10
"""Prunes of fewer states say nothing."""
OF_STATES = ("weighed", "learned", "tied")


SEEN: Counter[str] = Counter()
"""Of this process: a worker has one HOMI."""


class Watched(Homi):
    """HOMI, and what it saw."""

    def begin_round(self) -> RoundPlan:
        plan = super().begin_round()
        SEEN.update(["rounds"] + ["informed rounds"] * (plan.method != EXPLORE))
        return plan

    def prune(self, states: Mapping[int, Collection[str]]) -> list[int]:
        dropped = super().prune(states)
        if self.serving is not None and len(states) >= FEW:
            vector = self._vectors[self.serving]
            scores = vector.scores(states.values())
            same = Counter(scores)
            SEEN.update(
                prunes=1,
                pruned=len(states),
                weighed=_with(states, vector.features),
                learned=_with(states, self.distributions.learned),
                tied=sum(same[score] > 1 for score in scores),
            )
        return dropped


def _with(states: Mapping[int, Collection[str]], features: Collection[str]) -> int:
    known = frozenset(features)
    return sum(not known.isdisjoint(of) for of in states.values())


class WatchedSearch(CoverSearch):
    """What was seen is told with what symbolic execution counts."""

    def _symbolic(self) -> dict[str, int]:
        names = ("rounds", "informed rounds", "prunes", "pruned", *OF_STATES)
        return super()._symbolic() | {name: SEEN[name] for name in names}


class WatchedJob(SearchJob):
    """Lives in a worker, as any job does."""

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        super().__init__(WatchedSearch(spec, beacon), beacon)

    def run(self, batch: Batch) -> Json:
        with catalogue.PRUNINGS.override(Homi.name, Watched):
            return super().run(batch)


class WatchedEngine(CoverEngine):
    job = "bench.cover.learned:WatchedJob"


def watch(subject: Subject, seed: int, cpu: float) -> dict[str, float]:
    """One campaign: what it covered, and what its pruning saw."""
    root = subject.root or ROOT
    config = CoverConfig(TargetName(subject.module, "", str(root)), searcher=BEST, chance=False)
    with tempfile.TemporaryDirectory() as folder:
        plan = CampaignPlan(
            "learned",
            subject.module,
            seed,
            Budget(cpu=cpu),
            ROOT,
            Path(folder),
            limits=Limits(episode_cpu=1.0),
        )
        finished = Campaign(plan, WatchedEngine(config, seed, root), lambda event: None).run()
    return summary(finished.extra)


def summary(extra: Mapping[str, Any]) -> dict[str, float]:
    """Percentages are of all states at all prunes."""
    seen: Mapping[str, int] = extra["symbolic"]
    found: dict[str, float] = {"branches": extra["covered"]}
    found |= {name: seen[name] for name in ("rounds", "informed rounds", "prunes")}
    if seen["prunes"]:
        found["states at a prune"] = round(seen["pruned"] / seen["prunes"], 1)
        found |= {f"% {name}": round(100 * seen[name] / seen["pruned"], 1) for name in OF_STATES}
    return found


def run(plan: Plan) -> Result:
    cpu = plan.cpu or (QUICK_SECONDS if plan.quick else FULL_SECONDS)
    journal, rows = Journal(plan.journal), list[Row]()
    for name in filter(plan.wants, STUDY.subjects):
        if missing := SUBJECTS[name].missing():
            plan.say(f"{name}: {missing}")
            continue
        results = []
        for seed in plan.seeds_or(1, FULL_SEEDS):
            results.append(_recalled(journal, name, seed, cpu))
            plan.say(f"{name} seed {seed}: {json.dumps(results[-1])}")
        rows += _rows(name, results)
    return Result(tuple(rows), notes=(f"{cpu:g} CPU s a campaign; prunes of {FEW} states or more",))


STUDY = Study(
    "what learned pruning goes by",
    tuple(name for name, subject in SUBJECTS.items() if not subject.held_out),
    run,
)


def _rows(name: str, results: list[Mapping[str, float]]) -> Iterator[Row]:
    for metric in dict.fromkeys(metric for result in results for metric in result):
        yield Row.of(name, CONTENDER, metric, [result[metric] for result in results if metric in result])


def _recalled(journal: Journal, name: str, seed: int, cpu: float) -> Mapping[str, float]:
    trial = {"study": STUDY.name, "subject": name, "seed": seed, "cpu": cpu}
    code = [ROOT / "bench" / "cover", ROOT / "examples" / "cover", ROOT / "src" / "untrod"]
    key = trial_name(trial, code)
    found: Mapping[str, float] = journal.recall(key, lambda: watch(SUBJECTS[name], seed, cpu))
    return found
