"""FARLEAD's specifications on simulations of its two applications: graphs written from the paper's
descriptions, not recorded from the applications."""

from pathlib import Path
from statistics import mean

import pytest

from untrod.drivers.graph_reader import load_graph
from untrod.drivers.model import ModelDriver
from untrod.engines.gui.agent import Agent
from untrod.engines.gui.explorers.catalogue import explorer
from untrod.ltl import parse

HERE = Path(__file__).parent
SIMULATIONS = HERE.parents[1] / "examples" / "simulations"
TABLE_3 = dict(
    line.split(": ", 1)
    for line in (HERE / "farlead_table3.txt").read_text().splitlines()
    if line and not line.startswith("#")
)
SEEDS, EPISODES, STEPS = range(5), 500, 6


@pytest.fixture(scope="module")
def graphs():
    return {name: load_graph(SIMULATIONS / f"{name}.json") for name in ("chesswalk", "notes")}


def search(graphs, spec, name, seed):
    """Is a satisfying test found, and after how many steps?"""
    graph = graphs["notes" if spec[0] in "HI" else "chesswalk"]
    agent = Agent(ModelDriver(graph, seed=seed), parse(TABLE_3[spec]), *explorer(name, seed), steps=STEPS)
    trials = list(agent.search(EPISODES))
    return trials[-1].satisfied, sum(trial.cost for trial in trials)


@pytest.mark.parametrize("spec", [name for name in TABLE_3 if name[1] != "a"])
def test_levels_b_and_c_are_always_found(graphs, spec):
    runs = [search(graphs, spec, "farlead", seed) for seed in SEEDS]
    assert all(found for found, _ in runs)
    assert max(steps for _, steps in runs) < 4000  # the paper's


@pytest.mark.parametrize("spec", [name for name in TABLE_3 if name[1] == "a"])
def test_level_a_is_found_at_least_once(graphs, spec):
    assert any(search(graphs, spec, "farlead", seed)[0] for seed in SEEDS)


@pytest.mark.parametrize("spec", "ABEFGHI")
def test_level_c_takes_fewer_steps_than_random(graphs, spec):
    farlead, random = (
        mean(search(graphs, f"{spec}c", name, seed)[1] for seed in SEEDS) for name in ("farlead", "random")
    )
    assert farlead < 0.5 * random


def test_the_learner_always_finds_the_moves_of_the_first_game_in_the_second_and_others_rarely(graphs):
    """G: five actions in the right order, among twenty moves and a dozen buttons."""
    found = {
        name: sum(search(graphs, "Gc", name, seed)[0] for seed in SEEDS)
        for name in ("farlead", "random", "monkey", "qbe")
    }
    assert found.pop("farlead") == 5
    assert max(found.values()) <= 1
