"""The parts of `bench gui` that need no browser."""

import json

import pytest
from bench.gui.apps import APPS
from bench.gui.apps.task import Task
from bench.gui.hunts import hunt
from bench.gui.models import model_path
from bench.gui.shares import level_bars
from bench.gui.tables import Results, applications, simulations

from untrod.drivers.graph_reader import load_graph
from untrod.drivers.model import ModelDriver
from untrod.engines.gui.agent import Agent
from untrod.engines.gui.explorers.catalogue import explorer
from untrod.ltl import parse

DATASETTE = next(app for app in APPS if app.site == "datasette")
RECORDED = [app for app in APPS if model_path(app).is_file()]


@pytest.fixture(scope="module")
def library():
    return load_graph(model_path(DATASETTE))


def test_a_task_is_a_formula_at_each_level():
    task = Task(
        "saved", "[text ~ Saved]", ("[actionType = type]",), (("type", "Title", "milk"), ("click", ""))
    )
    assert task.formula("a") == "F ([text ~ Saved])"
    assert task.formula("b") == "F ([actionType = type] & X F ([text ~ Saved]))"
    assert task.formula("c") == (
        'X ([actionType = type] & [actionDetail ~ "Title"] & [actionValue = "milk"]'
        " & X ([actionType = click] & [text ~ Saved]))"
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_walk_for_one_formula_is_what_the_agent_does(library, seed):
    formula = parse(DATASETTE.specs["Ca"])
    agent = Agent(ModelDriver(library, seed=seed), formula, *explorer("random", seed), steps=6)
    trials = list(agent.search(40))
    found = hunt(ModelDriver(library, seed=seed), {"Ca": formula}, "random", seed, 6, 40)["Ca"]
    assert found.steps == sum(max(1, trial.cost) for trial in trials)
    assert found.actions == (trials[-1].actions if trials[-1].satisfied else None)


def test_a_walk_for_several_formulas_charges_each_up_to_its_verdict(library):
    texts = {
        "at once": "[activity = /]",
        "in two": "X X [activity ~ /]",
        "never": "F [text ~ nowhere-at-all]",
    }
    found = hunt(
        ModelDriver(library), {name: parse(text) for name, text in texts.items()}, "random", 1, 6, 10
    )
    assert (found["at once"].steps, found["at once"].actions) == (1, [])
    assert found["in two"].steps == 2
    assert found["never"].actions is None
    assert 10 <= found["never"].steps <= 60


@pytest.mark.parametrize("app", RECORDED, ids=lambda app: app.site)
def test_a_recorded_model_has_the_way_to_every_task(app):
    formulas = {name: parse(text) for name, text in app.specs.items() if name[1] == "c"}
    graph = load_graph(model_path(app))
    hunts = hunt(ModelDriver(graph), formulas, "planner", 1, app.steps, 40)
    assert [name for name, found in hunts.items() if found.actions is None] == []


def test_the_bars_are_medians_over_specifications_and_leave_out_what_they_are_told_to():
    taken = {
        "Aa": {"planner": 1, "random": 10},
        "Ba": {"planner": 3, "random": 10},
        "Ca": {"planner": 10, "random": 10},
        "Da": {"planner": 99, "random": 1},
        "Ac": {"planner": 2, "random": 10},
        "Bc": {"planner": 2},
    }
    bars = {bar.name.split(":")[0]: (bar.value, bar.holds) for bar in level_bars("here", taken, ["Da"])}
    assert bars == {"here, level a": (0.3, True), "here, level c": (0.2, False)}


def test_tables_say_the_steps_and_with_how_many_seeds_nothing_was_found(tmp_path):
    def row(subject, contender, steps, share):
        same = {"subject": subject, "contender": contender, "q1": 0, "q3": 0}
        return [
            {**same, "metric": "steps", "median": steps, "n": 10},
            {**same, "metric": "share solved", "median": share, "n": 1},
        ]

    rows = [*row("Aa", "planner", 12, 1.0), *row("Aa", "random", 1300, 0.4), *row("Ab", "random", 9, 0.0)]
    rows += [*row("Datasette Aa", "planner", 4, 0.9), *row("Datasette Aa", "random", 80, 1.0)]
    path = tmp_path / "gui.json"
    path.write_text(json.dumps({"rows": rows, "bars": []}))
    results = Results([path])
    lines = list(simulations(results))
    assert "| Aa | 12 | - | 1,300 (6) | - | - |" in lines
    assert "| random | 6 | level a 1, b 0, c 0 |" in lines
    (line,) = [each for each in applications(results, "") if each.startswith("| Datasette")]
    assert line.startswith("| Datasette, 10 | 4 (1)/80, -/-")
