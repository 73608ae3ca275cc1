"""Applications that people use, in a real browser: every task at the levels a, b and c.

A run that finds nothing counts with the steps it took, so random, which often fails, looks better than it is.
The share of runs that found something stands beside the steps. What the planner finds is replayed.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import cached_property, partial
from statistics import median
from typing import Any

from bench.gui.apps import APPS
from bench.gui.apps.base import ROOT, App
from bench.gui.hunts import Hunt, hunt
from bench.gui.shares import level_bars
from bench.journal import Journal, trial_name
from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from untrod.core.errors import UntrodError
from untrod.drivers.web.chromium import find_chromium
from untrod.drivers.web.driver import WebDriver
from untrod.engines.gui.replaying import rerun
from untrod.engines.gui.specs import Spec

CONTENDERS = ("planner", "random")
QUICK_EPISODES, FULL_EPISODES = 20, 100
REPLAYS = 2
CODE = [
    ROOT / each
    for each in ("src/untrod/drivers", "src/untrod/engines/gui", "src/untrod/ltl", "bench/gui/apps")
]
"""What a trial in the journal depends on."""
PATIENCE = 120.0
"""Seconds for a step: a busy machine is not a page that hangs."""


def run(plan: Plan) -> Result:
    try:
        find_chromium()
    except UntrodError as error:
        return Result(notes=(f"applications: {error}",))
    results = []
    for app in APPS:
        if plan.wants(app.name):
            why = app.missing()
            results.append(Result(notes=(why,)) if why else _application(app, plan))
    return Result.joined(results)


def _application(app: App, plan: Plan) -> Result:
    names = plan.contenders or CONTENDERS
    seeds = plan.seeds_or(quick=1, full=5)
    episodes = QUICK_EPISODES if plan.quick else FULL_EPISODES
    journal = Journal(plan.journal)
    hunts: dict[str, dict[str, list[Hunt]]] = {spec: {name: [] for name in names} for spec in app.specs}
    held = replayed = 0
    with _Opened(app) as opened:
        for seed in seeds:
            for name in names:
                words = {"study": "real", "app": app.name, "contender": name, "seed": seed}
                trial = trial_name({**words, "steps": app.steps, "episodes": episodes}, CODE)
                play = partial(_trial, app, opened.driver, name, seed, episodes)
                found = journal.recall(trial, play)
                for key, (steps, solved) in found["hunts"].items():
                    hunts[key][name].append(Hunt(steps, [] if solved else None))
                held, replayed = held + found["held"], replayed + found["replayed"]
                plan.say(f"{app.name}, seed {seed}: {name} done")
    rows, bars = outcome(app, hunts)
    if replayed:
        bars.append(Bar.at_least(f"{app.name}: replays that hold, share", held / replayed, 0.99))
    note = f"{app.name}: {len(seeds)} seeds, {episodes} episodes of {app.steps} steps, {replayed} replays"
    return Result(tuple(rows), tuple(bars), (note,))


def _trial(app: App, driver: WebDriver, name: str, seed: int, episodes: int) -> dict[str, Any]:
    """One contender with one seed on all specifications. What the planner finds is replayed."""
    specs = {key: Spec(text) for key, text in app.specs.items()}
    found = hunt(driver, {key: spec.goal for key, spec in specs.items()}, name, seed, app.steps, episodes)
    again = [
        rerun(driver, specs[key], each.actions).shows
        for key, each in found.items()
        for _ in range(REPLAYS)
        if name == "planner" and each.actions is not None
    ]
    hunts = {key: [each.steps, each.actions is not None] for key, each in found.items()}
    return {"hunts": hunts, "held": sum(again), "replayed": len(again)}


class _Opened:
    """The application and a browser, once somebody asks for them: a journal may have all there is to know."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._stack = ExitStack()

    def __enter__(self) -> _Opened:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @cached_property
    def driver(self) -> WebDriver:
        url, setup = self._stack.enter_context(self._app.running())
        driver = WebDriver(url, setup=setup, hang_seconds=PATIENCE)
        self._stack.callback(driver.close)
        return driver


def outcome(
    app: App, hunts: dict[str, dict[str, list[Hunt]]], where: str = ""
) -> tuple[list[Row], list[Bar]]:
    """Rows for each specification, and the bars of the levels. Tasks of one step are left out of these: even
    chance needs few steps for them."""
    where = where or app.name
    rows: list[Row] = []
    taken: dict[str, dict[str, float]] = {}
    for spec, by_name in hunts.items():
        taken[spec] = {}
        for name, found in by_name.items():
            steps = [float(each.steps) for each in found]
            taken[spec][name] = median(steps)
            solved = sum(each.actions is not None for each in found) / len(found)
            rows.append(Row.of(f"{where} {spec}", name, "steps", steps))
            rows.append(Row.of(f"{where} {spec}", name, "share solved", [solved]))
    letters = dict(zip(dict.fromkeys(spec[0] for spec in app.specs), app.tasks, strict=True))
    short = [spec for spec in app.specs if len(letters[spec[0]].steps) == 1]
    return rows, level_bars(where, taken, short)


STUDY = Study("real applications", tuple(app.name for app in APPS), run)
