"""What a campaign costs over the bare loop, and what a second worker brings.

The bare loop is `core.loop.explore` in this process: generator, guide, learner, novelty. The campaign is the
same episodes in a guarded worker, with beacon, audit hook, reports, checkpoints and a store on disk. Both
count wall time from the first episode to the last, start-up excluded: starting a worker is a row of its own.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from statistics import median

from bench.inputs.native import Tree, explicit, is_search_tree
from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from untrod.core.budget import Budget
from untrod.core.events import Bus, CampaignStarted, Event, Progress
from untrod.core.loop import explore
from untrod.engines.inputs.engine import InputsConfig, InputsEngine
from untrod.engines.inputs.judge import ByValue, Novelty
from untrod.engines.inputs.target import Choose, GeneratorTarget
from untrod.learn.catalogue import make_learner
from untrod.runtime.campaign import Campaign
from untrod.runtime.campaign import Plan as CampaignPlan
from untrod.runtime.loading import TargetName
from untrod.store import Store

SUBJECT = "campaign"
LEARNERS = ("montecarlo", "random")
ROOT = Path(__file__).resolve().parents[2]


def tree(choose: Choose) -> Tree:
    return explicit(choose, "L", "R")


def run(plan: Plan) -> Result:
    episodes = 60_000 if plan.quick else 300_000
    rates: dict[tuple[str, str], list[float]] = {}
    starts: list[float] = []
    for seed in plan.seeds_or(quick=3, full=7):
        for learner in LEARNERS:
            rates.setdefault((learner, "bare loop"), []).append(bare(learner, seed, episodes))
            for workers in (1, 2):
                rate, start = campaign(learner, seed, episodes * workers, workers)
                name = "campaign" if workers == 1 else f"campaign, {workers} workers"
                rates.setdefault((learner, name), []).append(rate)
                starts.append(start)
        plan.say(
            f"{SUBJECT} seed {seed}: " + ", ".join(f"{k[0]} {k[1]} {v[-1]:,.0f}/s" for k, v in rates.items())
        )
    rows = [
        Row.of(f"{SUBJECT} {learner}", name, "episodes/s", values)
        for (learner, name), values in rates.items()
    ]
    rows.append(Row.of(SUBJECT, "campaign", "seconds to the first episode", starts))
    return Result(tuple(rows), tuple(bars(rates)), (_note(episodes),))


STUDY = Study("a campaign against the bare loop", (SUBJECT,), run)


def bare(learner: str, seed: int, episodes: int) -> float:
    """Episodes per second without worker, store or progress."""
    target = GeneratorTarget(tree, is_search_tree, None, ByValue(), _NoBeacon())
    started = time.perf_counter()
    for episode in explore(target, make_learner(learner, seed, {}), Novelty()):
        if episode.number + 1 == episodes:
            break
    return episodes / (time.perf_counter() - started)


def campaign(learner: str, seed: int, episodes: int, workers: int) -> tuple[float, float]:
    """Episodes per second of a whole campaign, and the seconds before its first episode."""
    names = {name: TargetName("bench.inputs.campaign", name, ".") for name in ("tree", "is_search_tree")}
    config = InputsConfig(names["tree"], names["is_search_tree"], learner=learner)
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / ".untrod") as store:
        budget = Budget(episodes=episodes)
        row = store.create_campaign("inputs", "tree", config.to_json(), seed, budget)
        watch = _Watch()
        with store.recorder(row.id) as recorder:
            begun = time.perf_counter()
            engine = InputsEngine(config, seed, ROOT, workers)
            plan = CampaignPlan(row.id, "tree", seed, budget, ROOT, Path(folder) / "scratch", workers)
            Campaign(plan, engine, Bus(recorder, watch)).run()
        return episodes / (watch.last - watch.first), watch.first - begun


def bars(rates: dict[tuple[str, str], list[float]]) -> list[Bar]:
    def ratio(learner: str, name: str, baseline: str) -> float:
        pairs = zip(rates[learner, name], rates[learner, baseline], strict=True)
        return median(one / other for one, other in pairs)

    kept = [
        Bar.at_least(
            f"{learner}: campaign keeps of the bare loop's speed",
            ratio(learner, "campaign", "bare loop"),
            0.8,
        )
        for learner in LEARNERS
    ]
    gained = [
        Bar.at_least(
            f"{learner}: two workers over one", ratio(learner, "campaign, 2 workers", "campaign"), 1.7
        )
        for learner in LEARNERS
        if (os.cpu_count() or 1) > 1
    ]
    return kept + gained


def _note(episodes: int) -> str:
    return f"{SUBJECT}: {episodes:,} episodes a worker; the parent writes the store beside it"


class _NoBeacon:
    def begin(self, episode: int) -> None: ...
    def trace(self, answers: list[int]) -> None: ...
    def end(self) -> None: ...


class _Watch:
    """When the workers were ready, and when the last batch was reported."""

    def __init__(self) -> None:
        self.first = self.last = 0.0

    def __call__(self, event: Event) -> None:
        if isinstance(event, CampaignStarted):
            self.first = time.perf_counter()
        elif isinstance(event, Progress):
            self.last = time.perf_counter()
