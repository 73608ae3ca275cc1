"""The `worst` bench at a tiny scale: trials in subprocesses, subjects that are what they claim, bars."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bench.plan import Plan
from bench.worst import matrix, promises
from bench.worst.outcomes import Outcomes
from bench.worst.subjects import SUBJECTS

from untrod.symbolic.shapes import Bool, Int, Leaf, arguments, assemble, leaves


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_subject_runs_on_its_own_shape(name: str) -> None:
    subject = SUBJECTS[name]
    for size in (*subject.small, 12):
        shape = arguments(subject.shape(size))
        values = [_value(leaf, Random(size)) for leaf in leaves(shape).values()]
        subject.function(*assemble(shape, values))


def test_a_trial_in_a_subprocess_finds_the_true_worst_of_a_small_sort() -> None:
    result = matrix.in_subprocess(matrix.Trial("insertion-sort", "exhaustive", 4, 1), 1_000, 30.0)

    assert result["ended"] == "exhausted", result
    assert result["best"] == 6
    assert result["spent"]["paths"] == 24


def test_a_trial_ends_when_it_has_found_what_is_known_to_be_the_worst() -> None:
    result = matrix.in_subprocess(matrix.Trial("insertion-sort", "climb", 4, 1), 1_000, 30.0, enough=6)

    assert result["ended"] == "found the worst", result
    assert result["best"] == 6
    assert result["spent"] == result["to_best"]


def test_every_lesson_is_held_in_full() -> None:
    result = matrix.in_subprocess(matrix.Trial("insertion-sort", "spf-wca", 5, 1), 1_000, 30.0)

    assert result["lessons"]["paths"] == 2 + 6 + 24, "all paths of the sizes 2, 3 and 4"


def test_the_worst_is_certain_by_exhaustion_or_by_a_formula_and_not_otherwise() -> None:
    outcomes = Outcomes()
    outcomes.add("boyer-moore", 6, "exhaustive", 1, _result(12, ended="exhausted"))

    assert matrix.certain(outcomes, matrix.Trial("boyer-moore", "auto", 6, 2)) == 12
    assert matrix.certain(outcomes, matrix.Trial("boyer-moore", "auto", 30, 1)) is None
    assert matrix.certain(outcomes, matrix.Trial("quicksort", "auto", 30, 1)) == 435


def test_what_the_journal_has_is_told_when_there_is_no_time_for_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[matrix.Trial] = []

    def play(trial: matrix.Trial, *_: object) -> dict[str, Any]:
        played.append(trial)
        return _result(435)

    monkeypatch.setattr(matrix, "in_subprocess", play)
    plan = Plan(only="quicksort", contenders=("climb",), cpu=1.0, journal=tmp_path / "journal")
    known = matrix.run(replace(plan, seeds=1))
    again = matrix.run(replace(plan, seeds=2, minutes=0))

    assert {trial.seed for trial in played} == {1}
    assert again.rows == known.rows
    assert any(f"{len(played)} trials were left out" in note for note in again.notes)


def test_a_trial_that_fails_is_a_result() -> None:
    result = matrix.in_subprocess(matrix.Trial("insertion-sort", "no such policy", 4, 1), 10, 5.0)

    assert "no such policy" in result["error"]


def test_the_true_worst_is_known_only_where_every_path_was_walked() -> None:
    outcomes = Outcomes()
    outcomes.add("quicksort", 4, "exhaustive", 1, _result(6, ended="exhausted"))
    outcomes.add("quicksort", 10, "exhaustive", 1, _result(20, ended="out of CPU time"))

    assert outcomes.true_worst("quicksort", 4) == 6
    assert outcomes.true_worst("quicksort", 10) is None


def test_the_worst_seed_decides_whether_the_true_worst_was_found() -> None:
    outcomes = Outcomes()
    outcomes.add("quicksort", 4, "exhaustive", 1, _result(6, ended="exhausted"))
    outcomes.add("quicksort", 4, "auto", 1, _result(6))
    outcomes.add("quicksort", 4, "auto", 2, _result(5))

    (bar,) = promises.bars(outcomes)

    assert (bar.value, bar.bar, bar.holds) == (5, 6, False)


def test_paths_that_lead_nowhere_count_in_full_for_wise() -> None:
    outcomes = Outcomes()
    outcomes.add("bracket-parser", 10, "auto", 1, _result(40, paths=5))
    outcomes.add("bracket-parser", 10, "wise", 1, _result(30, paths=2, all_paths=80))

    (bar,) = promises.bars(outcomes)

    assert (bar.value, bar.holds) == (16, True)


def test_a_ratio_to_paths_that_led_nowhere_says_so() -> None:
    outcomes = Outcomes()
    outcomes.add("bracket-parser", 10, "auto", 1, _result(40, paths=1))
    outcomes.add("bracket-parser", 10, "wise", 1, _result(30, paths=1, all_paths=1))
    outcomes.add("bracket-parser", 100, "auto", 1, _result(40, paths=1))
    outcomes.add("bracket-parser", 100, "wise", 1, _result(40, paths=12))

    short, there = promises.bars(outcomes)

    assert "all paths that wise walked without reaching auto's worst" in short.name
    assert not short.holds, "one path is too few to show that it would need ten"
    assert "paths to auto's worst" in there.name
    assert there.holds


def test_nothing_found_holds_no_bar() -> None:
    outcomes = Outcomes()
    for policy in ("auto", "climb", "wise"):
        outcomes.add("dijkstra", 30, policy, 1, {**_result(0, paths=0, all_paths=50), "best": None})

    assert [(bar.value, bar.holds) for bar in promises.bars(outcomes)] == [(None, False), (None, False)]


def test_practice_is_broken_off_at_half_of_the_time_and_there_is_an_input_all_the_same() -> None:
    result = matrix.in_subprocess(matrix.Trial("smith-waterman", "pyse-table", 30, 1), 1_000, 0.8)

    assert result["ended"] == "out of CPU time"
    assert 0 < result["lessons"]["attempts"] < 900
    assert result["best"]


def test_less_time_thins_the_cpu_time_of_trials_and_leaves_out_what_no_bar_compares() -> None:
    plan = Plan(quick=False, minutes=matrix.FULL.minutes / 4)
    scale = matrix.scale_of(plan)
    assert {size: 4 * cpu for size, cpu in scale.cpu.items()} == matrix.FULL.cpu

    rounds = matrix._rounds(plan, scale)
    trials = [trial for trials in rounds for trial in trials]
    assert len(set(trials)) == len(trials)
    ranks = [promises.rank(trial.subject, trial.policy, trial.size) for trial in trials]
    assert ranks.index(3) > max(place for place, rank in enumerate(ranks) if rank == 1), "the bars come first"
    walked = [trial for trial in trials if trial.size == 6 and trial.subject == "quicksort"]
    assert [trial.policy for trial in walked[:2]] == ["exhaustive", "auto"], "what it finds ends the other's"
    assert all(len({trial.policy for trial in group}) == len(group) for group in rounds)
    table = matrix.Trial("boyer-moore", "pyse", 30, 2)
    assert matrix.cpu_for(plan, scale, table) == matrix.TABLE_CPU


@pytest.mark.parametrize("best", [None, 0])
def test_no_input_is_not_a_worst_path_that_was_found_at_once(best: int | None) -> None:
    outcomes = Outcomes()
    for seed in (1, 2):
        outcomes.add("smith-waterman", 100, "pyse", seed, {**_result(0, paths=0, all_paths=0), "best": best})

    (bar,) = promises.bars(outcomes)

    assert (bar.value, bar.holds) == (None, False)


def test_the_papers_table_wants_every_seed_to_reach_the_worst_path() -> None:
    outcomes = Outcomes()
    outcomes.add("smith-waterman", 100, "pyse", 1, _result(300, paths=2))
    assert [(bar.value, bar.holds) for bar in promises.bars(outcomes)] == [(2, True)]

    outcomes.add("smith-waterman", 100, "pyse", 2, {**_result(0), "best": None})
    assert [(bar.value, bar.holds) for bar in promises.bars(outcomes)] == [(None, False)]


def test_a_policy_that_failed_is_noted_and_found_nothing() -> None:
    outcomes = Outcomes()
    outcomes.add("dijkstra", 30, "auto", 1, {"error": "killed after 60 s"})
    outcomes.add("dijkstra", 30, "climb", 1, _result(3))

    (bar,) = promises.bars(outcomes)

    assert not bar.holds
    assert outcomes.notes() == ("dijkstra 30 auto: error: killed after 60 s",)


def test_a_policy_whose_practice_used_up_its_time_is_noted() -> None:
    outcomes = Outcomes()
    outcomes.add("quicksort", 10, "pyse", 1, {**_result(0, ended="out of CPU time"), "best": None})

    assert outcomes.rows() == ()
    (note,) = outcomes.notes()
    assert "quicksort 10 pyse: found no input: out of CPU time" in note


def _result(best: int, paths: int = 1, all_paths: int = 1, ended: str = "finished") -> dict[str, Any]:
    def spent(count: int) -> dict[str, float]:
        return {"attempts": count, "paths": count, "solver_calls": count, "cpu": 0.1}

    return {
        "best": best,
        "to_best": spent(paths),
        "spent": spent(all_paths),
        "lessons": spent(0),
        "ended": ended,
    }


def _value(leaf: Leaf, random: Random) -> Any:
    if isinstance(leaf, Int):
        return random.randint(-9 if leaf.low is None else leaf.low, 9 if leaf.high is None else leaf.high)
    if isinstance(leaf, Bool):
        return random.random() < 0.5
    return random.choice(leaf.alphabet or "ab")
