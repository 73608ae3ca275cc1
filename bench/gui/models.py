"""The same tasks on models recorded from the applications: no browser, so there is time for many seeds.

A model offers only what was tried while it was recorded (`record.py`), so it is an easier place than the
application, above all for those who choose by chance.
"""

from __future__ import annotations

from pathlib import Path

from bench.gui.applications import outcome
from bench.gui.apps import APPS
from bench.gui.apps.base import App
from bench.gui.hunts import Hunt, hunt
from bench.plan import Plan, Study
from bench.report import Result
from untrod.drivers.graph_reader import load_graph
from untrod.drivers.model import ModelDriver
from untrod.engines.gui.explorers.catalogue import EXPLORERS
from untrod.ltl import parse

MODELS = Path(__file__).with_name("recorded")
EPISODES = 100


def run(plan: Plan) -> Result:
    return Result.joined(
        _model(app, plan) for app in APPS if plan.wants(_name(app)) and model_path(app).is_file()
    )


def _model(app: App, plan: Plan) -> Result:
    names = plan.contenders or EXPLORERS.names
    seeds = plan.seeds_or(quick=3, full=100)
    graph = load_graph(model_path(app))
    formulas = {name: parse(text) for name, text in app.specs.items()}
    hunts: dict[str, dict[str, list[Hunt]]] = {spec: {name: [] for name in names} for spec in formulas}
    for name in names:
        for seed in seeds:
            driver = ModelDriver(graph, seed=seed)
            for key, found in hunt(driver, formulas, name, seed, app.steps, EPISODES).items():
                hunts[key][name].append(found)
        plan.say(f"{_name(app)}: {name} done")
    rows, bars = outcome(app, hunts, _name(app))
    scale = f"{len(seeds)} seeds, {EPISODES} episodes of {app.steps} steps"
    return Result(tuple(rows), tuple(bars), (f"{_name(app)}: {len(graph.screens)} screens, {scale}",))


def _name(app: App) -> str:
    return f"{app.name}, model"


def model_path(app: App) -> Path:
    return MODELS / f"{app.site}.json"


STUDY = Study("recorded models", tuple(_name(app) for app in APPS), run)
