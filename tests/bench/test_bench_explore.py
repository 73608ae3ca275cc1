"""The `explore` bench: means beside the paper's figures, and bars that say what they mean."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from bench.explore import means, paper, programs, promises, walks
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
    assert [bar.name for bar in result.bars] == [
        "karel: coverage with 1 inputs, directed, at least",
        "karel: coverage with 5 inputs, directed, at least",
    ]
