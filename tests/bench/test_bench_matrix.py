"""The matrix at a tiny scale: trials in subprocesses, failures as results, bars from results."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from bench.inputs import matrix, promises, subjects, trial
from bench.inputs.matrix import Trial
from bench.inputs.outcomes import Outcomes
from bench.inputs.tally import Finished, Tally


def test_a_trial_in_a_subprocess_reports_its_tally(tmp_path: Path) -> None:
    result = matrix.in_subprocess(Trial("sorted-list", "hypothesis", 1), 60, 30.0, str(tmp_path))

    assert result["ended"] == "finished"
    assert result["attempts"] == 60
    assert 0 < result["unique"] <= result["valid"] < 60


@pytest.mark.parametrize("contender", ["hypothesis", "random", "constructive"])
def test_the_same_seed_gives_the_same_counts(contender: str) -> None:
    first, second = (trial.run("parens", contender, 3, 200, 60.0) for _ in range(2))

    for count in ("attempts", "valid", "unique", "traces", "first_valid"):
        assert first[count] == second[count]
    assert first["attempts"] == 200


def test_attempts_that_never_reach_the_test_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from hypothesis import strategies as st

    impossible = replace(subjects.load("sorted-list"), strategy=st.integers().filter(lambda value: False))
    monkeypatch.setattr(subjects, "load", lambda name: impossible)

    result = trial.run("sorted-list", "random", 1, 50, 60.0)

    assert (result["attempts"], result["valid"], result["first_valid"]) == (50, 0, None)


def test_a_trial_that_dies_or_hangs_is_a_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "python"
    script.write_text(f"#!{sys.executable}\nimport os, sys\nsys.stderr.write('last words')\nos._exit(3)\n")
    script.chmod(0o755)
    monkeypatch.setattr(matrix, "_python", lambda contender: str(script))

    result = matrix.in_subprocess(Trial("bst", "random", 1), 10, 5.0, str(tmp_path))

    assert result == {"error": "exit status 3: last words"}


def test_an_exception_in_a_contender_is_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(tally: Tally, seed: int) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setitem(trial.CONTENDERS, "random", broken)  # type: ignore[arg-type]

    assert trial.run("bst", "random", 1, 10, 5.0) == {"error": "ZeroDivisionError: oops"}


def test_a_tally_ends_after_its_attempts_and_notes_the_first_of_each() -> None:
    tally = Tally(subjects.load("sorted-list"), attempts_allowed=3, cpu_allowed=60.0)
    tally.attempt()
    tally.attempt()
    tally.accept([0, 1, 2, 3])
    tally.attempt()
    tally.accept([0, 1, 2, 20])
    tally.accept([0, 1, 2, 20])

    with pytest.raises(Finished):
        tally.attempt()
    result = tally.to_json()
    assert (result["valid"], result["unique"], result["first_valid"]) == (3, 2, 2)
    assert result["bugs"]["both ends of the range"][0] == 3


def test_no_subject_goes_without_and_shares_stay_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(matrix.time, "monotonic", lambda: now[0])
    pace = matrix.Pace(matrix.QUICK, deadline=150.0)

    first = pace.cpu_for("bst", 12)
    now[0] = 149.0
    last = pace.cpu_for("hash", 1)

    assert 0.5 <= last <= first <= matrix.QUICK.cpu
    assert pace.cpu_for("bst", 12) == first
    assert any("hash 0.5 s" in note for note in pace.notes())


def test_a_busy_machine_gives_smaller_shares() -> None:
    idle, busy = (matrix.Pace(matrix.FULL, deadline=matrix.time.monotonic() + 3_000) for _ in range(2))
    idle.learn({"cpu": 10.0}, wall=11.0)
    busy.learn({"cpu": 10.0}, wall=41.0)

    assert busy.cpu_for("bst", 12) < idle.cpu_for("bst", 12)


@pytest.mark.parametrize("stores", [True, False])
def test_a_second_run_is_only_called_warm_when_the_first_one_stored_something(
    stores: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first_run(trial: Trial, attempts: int, cpu: float, folder: str) -> dict[str, Any]:
        if stores:
            (Path(folder) / ".untrod").mkdir(exist_ok=True)
        return found(5)

    monkeypatch.setattr(matrix, "in_subprocess", first_run)

    warm, _ = matrix.play(Trial("bst", "auto", 1), 100, 1.0)["auto, warm"]

    assert ("skipped" in warm) is not stores


def found(unique: int, first: int = 1, cpu: float = 1.0, **bugs: tuple[int, float]) -> dict[str, Any]:
    counts = {"attempts": 100, "valid": unique, "unique": unique, "traces": 1, "cpu": cpu}
    return {**counts, "first_valid": first, "bugs": bugs, "ended": "finished"}


def judged(*results: tuple[str, str, Mapping[str, Any]]) -> dict[str, bool]:
    outcomes = Outcomes(100)
    outcomes.extend((Trial(subject, contender, 1), result) for subject, contender, result in results)
    return {bar.name: bar.holds for bar in promises.bars(outcomes)}


def test_the_gain_is_measured_against_the_default_in_the_same_run() -> None:
    bar = "bst: unique valid, auto / hypothesis, at least"

    assert judged(("bst", "hypothesis", found(5)), ("bst", "auto", found(50)))[bar]
    assert not judged(("bst", "hypothesis", found(5)), ("bst", "auto", found(49)))[bar]


def test_a_failed_trial_of_ours_loses_its_bars() -> None:
    bars = judged(("json", "hypothesis", found(0)), ("json", "auto", {"error": "segfault"}))

    assert not bars["json: first valid attempt, auto, worst seed, at most"]


def test_a_bug_that_only_the_default_finds_is_a_loss() -> None:
    bars = judged(("bst", "hypothesis", found(5, deep=(9, 0.1))), ("bst", "auto", found(99)))

    assert not bars["bst: bugs found by auto, hypothesis's number, at least"]
    assert not bars["all subjects: attempts to a bug, auto / hypothesis, median, at most"]


def test_controls_bound_the_cost_of_learning() -> None:
    bar = "no-assume: CPU time per attempt, auto / hypothesis, at most"

    assert judged(("no-assume", "hypothesis", found(9)), ("no-assume", "auto", found(9, cpu=1.09)))[bar]
    assert not judged(("no-assume", "hypothesis", found(9)), ("no-assume", "auto", found(9, cpu=1.2)))[bar]


def test_what_was_skipped_is_noted_and_not_judged() -> None:
    outcomes = Outcomes(100)
    outcomes.extend(
        [(Trial("bst", "hypothesis", 1), found(5)), (Trial("bst", "auto", 1), {"skipped": "not built"})]
    )

    assert promises.bars(outcomes) == ()
    assert outcomes.notes() == ("skipped: auto on bst: not built",)
