"""Applications that people use, in a real browser: every task at the levels a, b and c.

A run that finds nothing counts with the steps it took, so random, which often fails, looks better than it is.
The share of runs that found something stands beside the steps. What the planner finds is replayed.
"""

from __future__ import annotations

from statistics import median

from bench.gui.apps import APPS
from bench.gui.apps.base import App
from bench.gui.hunts import Hunt, hunt
from bench.gui.shares import level_bars
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
    hunts: dict[str, dict[str, list[Hunt]]] = {spec: {name: [] for name in names} for spec in app.specs}
    specs = {name: Spec(text) for name, text in app.specs.items()}
    formulas = {name: spec.goal for name, spec in specs.items()}
    held = replayed = 0
    with app.running() as (url, setup):
        driver = WebDriver(url, setup=setup, hang_seconds=PATIENCE)
        try:
            for seed in seeds:
                for name in names:
                    for key, found in hunt(driver, formulas, name, seed, app.steps, episodes).items():
                        hunts[key][name].append(found)
                        if name == "planner" and found.actions is not None:
                            again = [rerun(driver, specs[key], found.actions).shows for _ in range(REPLAYS)]
                            held, replayed = held + sum(again), replayed + len(again)
                    plan.say(f"{app.name}, seed {seed}: {name} done")
        finally:
            driver.close()
    rows, bars = outcome(app, hunts)
    if replayed:
        bars.append(Bar.at_least(f"{app.name}: replays that hold, share", held / replayed, 0.99))
    note = f"{app.name}: {len(seeds)} seeds, {episodes} episodes of {app.steps} steps, {replayed} replays"
    return Result(tuple(rows), tuple(bars), (note,))


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
