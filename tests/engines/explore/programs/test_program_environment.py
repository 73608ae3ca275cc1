"""Programs as Gymnasium environments, and as numbered members of a task."""

from __future__ import annotations

from random import Random

import pytest

gymnasium = pytest.importorskip("gymnasium")

import numpy as np  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

from untrod.core.errors import UntrodError  # noqa: E402
from untrod.engines.explore.programs.environment import WORDS  # noqa: E402
from untrod.engines.explore.programs.registration import IDS  # noqa: E402
from untrod.engines.explore.programs.tasks import TASKS, task  # noqa: E402


@pytest.mark.parametrize("name", IDS)
@pytest.mark.filterwarnings("ignore")
def test_gymnasium_has_nothing_against_it(name: str):
    check_env(gymnasium.make(name).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", IDS)
def test_rewards_add_up_to_the_coverage(name: str):
    env = gymnasium.make(name, steps=3).unwrapped
    inputs = task(IDS[name]).world(0, "held-out", 7).inputs
    random = Random(1)
    observation, info = env.reset(options={"world": 7})
    total, over, steps = 0.0, False, 0
    while not over:
        action = np.array(inputs.encode(inputs.draw(random)))
        observation, reward, terminated, truncated, info = env.step(action)
        total, over, steps = total + reward, terminated or truncated, steps + 1
    assert total == pytest.approx(info["coverage"])
    counted = observation.nodes[:, WORDS].sum()
    assert observation.nodes[:, WORDS + 1].sum() / counted == pytest.approx(info["coverage"])
    assert truncated == (info["coverage"] < 1)
    assert steps <= 3


def test_the_same_seed_draws_the_same_program():
    env = gymnasium.make("untrod/Karel-v0").unwrapped
    first, second = (env.reset(seed=3)[0].nodes for _ in range(2))
    other = env.reset(seed=4)[0].nodes
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("name", TASKS.names)
def test_worlds_have_numbers(name: str):
    programs = [world.program for world in task(name).worlds(0, "held-out", 12)]
    assert task(name).world(0, "held-out", 5).program == programs[5]
    assert len(set(programs)) > 10
    assert task(name).world(0, "train", 5).program != programs[5]
    assert task(name).world(1, "held-out", 5).program != programs[5]
    longest = max(len(words) for world in task(name).worlds(0, "train", 30) for words in world.graph.words)
    assert longest <= WORDS


def test_unknown_tasks_are_refused():
    with pytest.raises(UntrodError, match="no task 'lisp' for programs"):
        task("lisp")
