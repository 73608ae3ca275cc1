"""The `explore` bench, what it says of walks besides coverage: bounds, seeds, ablations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import fmean

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from bench.explore import STUDIES, bounds, paper, training_seeds, walk_ablations
from bench.explore.plain_nodes import PlainPolicy
from bench.plan import Plan

from untrod.engines.explore.measure import rival
from untrod.engines.explore.vector_env import FEATURES, VectorEnv
from untrod.engines.explore.weights import load_weights
from untrod.engines.explore.worlds.graph import Graph
from untrod.engines.explore.worlds.tasks import task
from untrod.learn.gmetaexp.ggnn import GraphPolicy, Shape
from untrod.learn.gmetaexp.scenes import Scene


def test_who_jumps_is_held_by_a_sink_and_by_nothing_else() -> None:
    chain = Graph.build([[1, 2], [3], [4], [], []], 0)  # 3 and 4 are sinks, no link leads back
    covered = {name: bounds.jump(chain, 20, order, Random(0)) for name, order in bounds.ORDERS.items()}
    assert covered["jumps to the shallowest"] == covered["jumps to sinks last"] == 4 / 5
    assert bounds.jump(chain, 2, bounds.ORDERS["jumps to sinks last"], Random(0)) == 3 / 5  # a step each


def test_the_shallowest_screen_is_the_nearest_to_the_start_by_what_is_known() -> None:
    graph = Graph.build([[1, 2], [3, 0], [0, 4], [0], []], 0)
    shallow = bounds.ORDERS["jumps to the shallowest"]
    assert {bounds.jump(graph, 2, shallow, Random(seed)) for seed in range(9)} == {3 / 5}
    seen: list[int] = []
    bounds.jump(graph, 20, lambda world, node, depth: seen.append(depth) or depth, Random(0))
    assert set(seen) == {1, 2}


def test_knowing_sinks_is_worth_more_than_any_order_that_does_not() -> None:
    rows = {(row.contender, row.metric): row.median for row in bounds.run(Plan(quick=True)).rows}
    known, shallow, any_order, frontier = (
        rows[name, "coverage"] for name in (*reversed(bounds.ORDERS), bounds.RIVAL)
    )
    assert known > 0.9 > shallow > frontier
    assert known > any_order > frontier
    assert rows["jumps to sinks last", "gain over frontier"] == pytest.approx(known - frontier)


def test_ablations_of_mazes_are_the_rows_of_tables_5_and_6() -> None:
    wanted = {(subject, variant) for subject in walk_ablations.LAYERS for variant in walk_ablations.VARIANTS}
    assert set(paper.ABLATIONS) == wanted
    plans = {name: walk_ablations.plan_of(name, walk_ablations.FULL) for name in walk_ablations.VARIANTS}
    assert {(plan.memory, plan.history) for plan in plans.values()} == {
        (memory, history) for memory in ("node", "pool", "graph") for history in (True, False)
    }
    alike = {replace(plan, memory="graph", history=True) for plan in plans.values()}
    assert len(alike) == 1
    assert next(iter(alike)).moves == "steps"


def test_an_ablation_is_trained_once_and_measured_in_two_ways(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walk_ablations, "QUICK", walk_ablations.Scale(1, 2, 3, minutes=5))
    plan = Plan(
        only="maze, 1 layer", contenders=("node without history", "graph"), journal=tmp_path / "journal"
    )
    first = walk_ablations.run(plan)
    assert [(row.contender, row.metric, row.n) for row in first.rows] == [
        ("node without history", "coverage, best option", 3),
        ("node without history", "coverage, drawn", 3),
        ("node without history", "paper", 1),
        ("graph", "coverage, best option", 3),
        ("graph", "coverage, drawn", 3),
        ("graph", "paper", 1),
    ]
    monkeypatch.setattr(walk_ablations, "PlainTrainer", None)  # nobody has to learn again
    assert walk_ablations.run(plan).rows == first.rows
    monkeypatch.undo()
    assert walk_ablations.run(replace(plan, minutes=-1)).rows == ()  # another scale, and no time


def test_plain_nodes_do_not_say_whether_an_option_was_visited() -> None:
    """Of the features, only the coverage bit and the walker's place count."""
    env = VectorEnv(list(task("maze").worlds(0, "validation", 2)), 36, "steps")
    for _ in range(5):
        env.act(np.zeros(2, np.int64))
    scene = env.scene()
    other = replace(scene, features=scene.features.copy())
    other.features[:, 2:] += 1
    covered = replace(scene, features=scene.features.copy())
    covered.features[:, 0] = 1

    def same(policy: GraphPolicy, shown: Scene) -> bool:
        """Chances and values, as far as weights that are not trained let one tell."""
        torch.nn.init.ones_(policy.point[2].weight)
        pairs = zip(policy(scene, policy.begin(2))[:2], policy(shown, policy.begin(2))[:2], strict=True)
        return all(torch.equal(one, two) for one, two in pairs)

    for memory in ("node", "pool", "graph"):
        shape = Shape(FEATURES, 8, memory=memory, links=4)  # type: ignore[arg-type]
        plain, told = PlainPolicy(shape, 0, 1), GraphPolicy(shape, 0)
        assert same(plain, other)
        assert not same(told, other)
        assert same(plain, covered) == (memory == "node")


def test_two_layers_see_farther_than_one() -> None:
    """The end of a corridor of three: what lies behind its neighbour is two links away."""
    shape = Shape(FEATURES, 8, links=4)
    short, longer = (Graph(links, 0, 9) for links in (((1,), (0,)), ((1,), (0, 2), (1,))))
    for layers, differs in ((1, False), (2, True)):
        links = PlainPolicy(shape, 0, layers).links
        ends = []
        for graph in (short, longer):
            env = VectorEnv([graph], 9, "steps")
            env.visited[:] = True
            env._look()
            ends.append(links(env.scene())[0])
        assert (not torch.allclose(*ends, atol=1e-7)) == differs


def test_the_command_of_the_manifest_is_taken_as_it_stands_but_for_seed_and_folder(tmp_path: Path) -> None:
    words = training_seeds.command_of("maze", 2, tmp_path, 7)
    assert words[:2] == ["train", "maze"]
    assert words[words.index("--updates") + 1] == "3000"
    assert words[-8:] == ["--seed", "2", "--out", str(tmp_path), "--worlds", "1", "--stop", "7"]
    assert "--stop" in training_seeds.command_of("maze", 2, tmp_path, None)  # the manifest's own


@pytest.mark.timeout(600)  # torch is started twice
def test_seeds_are_trained_once_each_and_beside_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_seeds, "QUICK", training_seeds.Scale(worlds=4, minutes=5, stop=1))
    plan = Plan(only="app", seeds=1, journal=tmp_path / "journal")
    first = training_seeds.run(plan)
    rows = {(row.contender, row.metric): row for row in first.rows}
    assert [name for name, metric in rows if metric == "coverage"] == [
        "frontier",
        "seed 0",
        "seed 1",
        "2 seeds",
    ]
    middle = rows["2 seeds", "coverage"]
    assert (middle.n, rows["seed 1", "coverage"].n) == (2, 4)
    assert middle.median == pytest.approx(
        (rows["seed 0", "coverage"].median + rows["seed 1", "coverage"].median) / 2
    )
    trained = sorted((tmp_path / "journal.courses").iterdir())
    manifests = [load_weights(folder)[1] for folder in trained]
    assert [(each["seed"], each["updates"]) for each in manifests] == [(0, 1), (1, 1)]
    monkeypatch.setattr(training_seeds, "_train", None)  # nobody has to learn again
    assert training_seeds.run(plan).rows == first.rows


def test_the_weights_that_ship_are_seed_0_and_not_trained_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_seeds, "FULL", training_seeds.Scale(worlds=20, minutes=0, stop=None))
    result = training_seeds.run(Plan(quick=False, only="app"))
    assert [row.contender for row in result.rows] == ["frontier", "seed 0, ships", "seed 0, ships"]
    assert sum("time was up" in note for note in result.notes) == 2


def test_a_course_that_does_not_end_in_time_is_left_for_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_seeds.sys, "executable", str(tmp_path / "slow"))
    (tmp_path / "slow").write_text("#!/bin/sh\nexec sleep 60\n")
    (tmp_path / "slow").chmod(0o755)
    plan = Plan(only="app", minutes=0.005, journal=tmp_path / "journal")
    monkeypatch.setattr(training_seeds, "QUICK", training_seeds.Scale(worlds=2, minutes=5, stop=1))
    result = training_seeds.run(plan)
    assert [row.contender for row in result.rows] == ["frontier"]
    assert sum("time was up" in note for note in result.notes) == 3


def test_a_word_of_the_command_line_chooses_one_study() -> None:
    names = {
        word: [study.name for study in STUDIES if Plan(study=word).wants_study(study.name)]
        for word in ("walks", "bounds", "seeds", "mazes", "pace", "inputs", "policy for programs")
    }
    assert all(len(chosen) == 1 for chosen in names.values()), names
    assert not any("," in name for name in (*walk_ablations.VARIANTS, *bounds.ORDERS))  # of --contenders


def test_an_untrained_walker_that_draws_its_options_walks_at_random() -> None:
    untrained = PlainPolicy(Shape(FEATURES, 8, links=4, prior=0.0), 0, layers=2)
    worlds = list(task("maze").worlds(0, "held-out", 40))
    drawn = walk_ablations.drawn_coverages(untrained, worlds, 36)
    assert fmean(drawn) == pytest.approx(fmean(rival("random", worlds, 36, 0, "maze")), abs=0.05)
