"""Fleets: many walks in arrays, and the same as one walk at a time."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

pytest.importorskip("torch")

from untrod.engines.explore.teachers import HindsightTeacher, TaughtEnv
from untrod.engines.explore.vector_env import VectorEnv, maze_hints
from untrod.engines.explore.walk import Walk
from untrod.engines.explore.walkers.planner import COMPLETIONS, Planner
from untrod.engines.explore.walkers.routes import Routes
from untrod.engines.explore.worlds.graph import Graph
from untrod.engines.explore.worlds.tasks import TASKS, task


def go(walk: Walk, node: int) -> None:
    """To a frontier node by the shortest way, as one move of a env does."""
    for each in reversed(Routes(walk, walk.here, walk.left).way(node)):
        walk.step(each)


@pytest.mark.parametrize("moves", ["aims", "steps"])
@pytest.mark.parametrize("name", TASKS.names)
def test_a_fleet_does_what_walks_do(name: str, moves: str) -> None:
    family, rng = task(name), Random(1)
    graphs = list(family.worlds(3, "train", 6))
    walks, env = [Walk(graph, family.steps) for graph in graphs], VectorEnv(graphs, family.steps, moves)  # type: ignore[arg-type]
    while not env.over:
        options = [
            [int(node - env.offsets[number]) for node in env.option_nodes if owner(env, node) == number]
            for number in range(len(graphs))
        ]
        choices = [rng.randrange(len(each)) for each in options]
        before = env.coverage
        alive = env.scene().alive
        for number, walk in enumerate(walks):
            if moves == "aims":
                expected = sorted(Routes(walk, walk.here, walk.left).frontier)
            else:
                expected = [] if walk.over else sorted(walk.neighbours(walk.here))
            assert options[number] == (expected or [walk.here])
            assert alive[number] == bool(expected)
            if expected:
                (go if moves == "aims" else Walk.step)(walk, options[number][choices[number]])
        rewards = env.act(np.array(choices))
        assert env.coverage == pytest.approx([walk.coverage for walk in walks])
        assert rewards == pytest.approx(env.coverage - before, abs=1e-6)
        assert list(env.left) == [walk.left for walk in walks]
        assert list(env.here - env.offsets) == [walk.here for walk in walks]


def owner(env: VectorEnv, node: int) -> int:
    return int(np.searchsorted(env.offsets, node, side="right")) - 1


@pytest.mark.parametrize("name", TASKS.names)
def test_one_world_as_it_stands_looks_as_it_does_in_a_fleet_that_knows_all_of_it(name: str) -> None:
    family = task(name)
    graph = family.world(2, "train", 5)
    env, walk = VectorEnv([graph], family.steps), Walk(graph, family.steps)
    for _ in range(4):
        if env.over:
            break
        whole, part = env.scene(), VectorEnv.of(walk, family.steps)
        seen = part.scene()
        to_whole = [
            int(np.flatnonzero(np.flatnonzero(env._seen) == name)[0])
            for name in np.array(part.names)[part._seen]
        ]
        assert seen.features == pytest.approx(whole.features[to_whole])
        assert {(to_whole[s], to_whole[t]) for s, t in zip(seen.sources, seen.targets, strict=True)} == set(
            zip(whole.sources.tolist(), whole.targets.tolist(), strict=True)
        )
        assert sorted(to_whole[option] for option in seen.options) == whole.options.tolist()
        node = int(env.option_nodes[0])
        env.go(np.array([node]))
        go(walk, node)


def test_a_node_without_a_way_to_it_is_no_option() -> None:
    env = VectorEnv([Graph.build([[1, 3], [2], [1], []], 0)], 20)
    env.go(np.array([1]))
    assert env.option_nodes.tolist() == [2]
    env.go(np.array([2]))
    assert env.over
    assert env.coverage[0] == pytest.approx(0.75)


def test_hints_count_unseen_cells_that_may_be_part_of_the_maze() -> None:
    """Side 3; seen are the top row and the centre. So there are no more columns, and one more row, above or
    below."""
    cells = np.array([0, 1, 2, 4])
    hints = maze_hints(cells, np.zeros(4, np.int64), np.array([1]), 3)
    assert (hints[:, 0] * 4).tolist() == [2, 1, 2, 3]  # above and below; above; ...; left, right and below
    assert (hints[:, 3:5] * 3).round().tolist() == [[0, -1], [0, 0], [0, 1], [1, 0]]
    assert (hints[:, 5] == 1).all()
    full = maze_hints(np.arange(9), np.zeros(9, np.int64), np.array([0]), 3)
    assert not full[:, :3].any()


def test_two_mazes_do_not_see_each_other() -> None:
    one = maze_hints(np.array([0, 1]), np.zeros(2, np.int64), np.array([0]), 4)
    both = maze_hints(np.array([0, 1, 9]), np.array([0, 0, 1]), np.array([0, 9]), 4)
    assert (both[:2] == one).all()


def test_the_planner_advises_on_every_option_where_there_is_a_choice() -> None:
    family = task("maze")
    env = TaughtEnv(list(family.worlds(0, "train", 3)), 36, Planner(0, COMPLETIONS["maze"], 3))
    while not env.over:
        scene = env.scene()
        advice = env.advice(scene)
        counts = np.bincount(scene.option_graphs, minlength=3)
        assert (np.isfinite(advice) == (counts > 1)[scene.option_graphs]).all()
        assert (advice[np.isfinite(advice)] <= 1).all()
        env.act(np.zeros(3, np.int64))


def test_hindsight_tells_what_each_option_brings_in_the_world_as_it_is() -> None:
    """From 0 a link leads to the sink 1, and one to 2, from where a chain goes on: 3, 4, 5."""
    graph = Graph.build([[1, 2], [], [3], [4], [5], []], 0)
    env = TaughtEnv([graph], 4, HindsightTeacher())
    assert env.option_nodes.tolist() == [1, 2]
    assert env.advice(env.scene()) == pytest.approx([0.0, 3 / 6])  # beside the node itself


def test_the_network_sees_how_far_a_node_is_from_the_start() -> None:
    env = VectorEnv([Graph.build([[1, 3], [2], [1], []], 0)], 20)
    env.go(np.array([1]))
    assert env.scene().features[:, 12] * 10 == pytest.approx([0, 1, 2, 1])
