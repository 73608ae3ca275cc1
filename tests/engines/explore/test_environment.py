"""The worlds as Gymnasium environments."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from statistics import fmean

import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from untrod.engines.explore.worlds.registration import IDS  # noqa: E402


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*unable to check environment conversion.*")
        check_env(gymnasium.make(name).unwrapped)


def play(env, seed: int) -> float:  # type: ignore[no-untyped-def]
    _, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    gained = first = info["coverage"]
    over = False
    while not over:
        _, reward, terminated, truncated, info = env.step(env.action_space.sample())
        gained += reward
        over = terminated or truncated
    assert gained == pytest.approx(info["coverage"])
    assert first < gained
    return float(gained)


def test_moves_into_a_wall_waste_a_step_and_give_the_papers_figure_for_random() -> None:
    env = gymnasium.make("untrod/BraidedMaze-v0")
    assert fmean(play(env, seed) for seed in range(150)) == pytest.approx(0.33, abs=0.02)


def test_a_held_out_world_is_the_same_for_everybody() -> None:
    one, other = (gymnasium.make("untrod/App-v0") for _ in range(2))
    first, _ = one.reset(seed=1, options={"world": 3})
    second, _ = other.reset(seed=2, options={"world": 3})
    assert (first.edge_links == second.edge_links).all()
    assert (first.nodes == second.nodes).all()


def test_the_mask_has_the_links_of_the_node_where_the_walker_stands() -> None:
    env = gymnasium.make("untrod/Maze-v0", side=3)
    seen, info = env.reset(seed=4)
    assert info["action_mask"].sum() == len(seen.edge_links)
    assert list(seen.nodes[0]) == [1.0, 0.0, 1.0]
    assert all(list(row) == [0.0, 1.0, 0.0] for row in seen.nodes[1:])


def test_a_recorded_app_is_an_environment_too(tmp_path: Path) -> None:
    body = {
        "format": "untrod-screens",
        "version": 1,
        "start": "a",
        "screens": {"a": {"actions": [{"type": "click", "to": "b"}]}, "b": {}},
    }
    (tmp_path / "app.json").write_text(json.dumps(body))
    env = gymnasium.make("untrod/App-v0", app_graph=str(tmp_path / "app.json"), steps=4)
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated, info["coverage"]) == (0.5, True, False, 1.0)
