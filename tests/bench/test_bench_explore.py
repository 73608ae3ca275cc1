"""The `explore` bench: means beside the paper's figures, and bars that say what they mean."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from bench.explore import ablations, means, paper, programs, promises, walks
from bench.plan import Plan


def test_rows_have_a_mean_and_its_interval() -> None:
    row = means.row("maze", "dfs", "coverage", [0.6, 0.7, 0.8, 0.7])
    assert row.median == pytest.approx(0.7)
    assert row.q3 - row.median == row.median - row.q1 == pytest.approx(0.08, abs=0.001)
    assert (row.q1 < 0.7 < row.q3, row.n) == (True, 4)


def test_a_gain_counts_worlds_that_both_have_walked() -> None:
    assert means.gain([0.5, 0.6, 0.9], [0.4, 0.5]) == pytest.approx((0.1, 0.0))


def test_a_gain_that_may_be_luck_does_not_hold() -> None:
    surely = {("maze", "trained"): [0.8, 0.8], ("maze", "dfs"): [0.7, 0.7], ("maze", "frontier"): [0.9, 0.6]}
    held = {bar.name.partition(":")[2].split(",")[0]: bar.holds for bar in promises.walks(surely)}
    assert held == {" coverage": True, " trained - dfs": True, " trained - frontier": False}


def test_directed_apps_need_a_gain_of_five_points() -> None:
    found = {("directed-app", "trained"): [0.6, 0.5], ("directed-app", "frontier"): [0.5, 0.52]}
    (bar,) = promises.walks(found)
    assert bar.value == pytest.approx(0.04)
    assert not bar.holds


def test_walks_are_measured_once_and_then_taken_from_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walks, "QUICK", walks.Scale(worlds=6, slow=2, minutes=5))
    plan = Plan(only="app", contenders=("rand-dfs", "tabular-q"), journal=tmp_path / "journal")
    first = walks.run(plan)
    rows = {(row.contender, row.metric): row for row in first.rows}
    assert rows["rand-dfs", "coverage"].n == 6
    assert rows["tabular-q", "coverage"].n == 2
    assert rows["rand-dfs", "paper"].median == paper.WALKS["app", "rand-dfs"]
    monkeypatch.setattr(walks, "_walker", None)  # nobody has to walk again
    assert walks.run(plan).rows == first.rows


def test_programs_have_a_column_for_each_number_of_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "QUICK", {"": 3, "z3": 1})
    result = programs.run(Plan(only="karel", contenders=("random", "directed")))
    metrics = [row.metric for row in result.rows if row.contender == "random"]
    assert metrics == ["1 input", "paper, 1", "5 inputs", "10 inputs", "100 inputs"]
    assert result.bars == ()  # they are about the policy that ships


def test_the_policy_for_programs_has_to_beat_hill_climbing_with_as_many_inputs() -> None:
    found = {
        ("karel", "trained", 1): [0.8, 0.9],
        ("karel", "hill-climbing", 1): [0.9, 0.7],
        ("karel", "trained", 100): [1.0, 0.9],
        ("karel", "hill-climbing", 100): [1.0, 1.0],
    }
    held = {bar.name: bar.holds for bar in promises.programs(found)}
    assert held == {
        "karel: coverage with 1 inputs, trained, at least": True,
        "karel: trained - hill-climbing with 1 inputs, mean, above": True,
        "karel: trained - hill-climbing with 100 inputs, mean, above": False,
    }


def test_every_ablation_is_trained_on_the_same_lessons_and_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ablations, "QUICK", ablations.Scale(updates=2, pool=1, worlds=3, minutes=5))
    result = ablations.run(Plan(only="robustfill", contenders=("gnn, no history", "uncond")))
    assert [(row.contender, row.metric, row.n) for row in result.rows] == [
        ("gnn, no history", "2 updates, 1 input", 3),
        ("gnn, no history", "2 updates, 5 inputs", 3),
        ("uncond", "2 updates, 1 input", 3),
        ("uncond", "2 updates, 5 inputs", 3),
    ]


def test_ablations_differ_in_one_part_each() -> None:
    plans = {name: ablations.plan_of("karel", name, ablations.FULL) for name in ablations.VARIANTS}
    assert len({str(plan) for plan in plans.values()}) == len(plans)
    assert (plans["gnn, no run-time"].runtime, plans["gnn, no history"].history) == (False, False)
