import json
from collections import Counter

import pytest

from untrod.drivers.model import ModelDriver
from untrod.drivers.protocol import Action
from untrod.engines.gui.agent import Agent
from untrod.engines.gui.explorers.base import key, labelling
from untrod.engines.gui.explorers.baselines import Monkey
from untrod.engines.gui.explorers.catalogue import EXPLORERS, explorer
from untrod.ltl import parse
from untrod.testing.explorers import check_explorer

NEVER = parse("F [activity ~ never]")
SQUARES = [Action("click", detail=str(number)) for number in range(9)]


def play(walk, chooser, ideas, episodes=20):
    agent = Agent(ModelDriver(walk), NEVER, chooser, ideas, steps=4)
    return [trial.actions for trial in agent.search(episodes)]


@pytest.mark.parametrize("name", EXPLORERS.names)
def test_goes_on_from_json_as_if_it_had_never_stopped(walk, name):
    one, ideas = explorer(name, 3)
    play(walk, one, ideas)
    two, _ = explorer(name, 99)
    two.load(json.loads(json.dumps(one.state())))
    assert play(walk, one, ideas) == play(walk, two, ideas)
    assert json.dumps(one.state()) == json.dumps(two.state())


@pytest.mark.parametrize("name", EXPLORERS.names)
def test_keeps_the_word_of_an_explorer_and_only_the_planner_aims(name):
    assert check_explorer(EXPLORERS.find(name)) == (("Aiming",) if name == "planner" else ())


def test_monkey_draws_the_kind_first_however_many_actions_of_it_there_are():
    monkey = Monkey(0)
    drawn = Counter(monkey.choose([*SQUARES, Action("back")]).type for _ in range(1000))
    assert 400 < drawn["back"] < 600  # the same share as click, not a tenth


def test_random_draws_from_all_actions_alike():
    chance, _ = explorer("random", 0)
    drawn = Counter(chance.choose([*SQUARES, Action("back")]).type for _ in range(1000))
    assert 60 < drawn["back"] < 140


def test_qbe_learns_which_kinds_change_the_activity(walk):
    """On the main page with its idle squares, `back` always leaves and `pauseresume` never does."""
    qbe, ideas = explorer("qbe", 0)
    play(walk, qbe, ideas, 100)
    main = (("back", 1), ("click", 2), ("pauseresume", 1))
    back, click, pause = (sum(qbe.learner.values(main, kind)) for kind in ("back", "click", "pauseresume"))
    assert back > click > pause


def test_an_actions_labelling_leaves_out_where_it_is_unless_that_is_all_there_is():
    here, there = (Action("click", ("objectID", place), detail="OK") for place in ("0:1", "0:2"))
    assert key(here) != key(there)
    assert labelling(key(here)) == labelling(key(there))
    bare = [Action("click", ("objectID", place)) for place in ("0:1", "0:2")]
    assert len({labelling(key(action)) for action in bare}) == 2
