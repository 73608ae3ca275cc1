"""A long bench can be stopped, and continued where it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.inputs import matrix
from bench.inputs.matrix import Trial
from bench.journal import Journal, trial_name


def test_a_trial_in_the_journal_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def play(trial: Trial, attempts: int, cpu: float) -> dict[str, tuple[dict[str, int], float]]:
        played.append(trial.seed)
        return {trial.contender: ({"unique": 7}, 1.5)}

    monkeypatch.setattr(matrix, "play", play)
    path = tmp_path / "trials.jsonl"
    for seed in (1, 2, 1):
        result = matrix.recalled(Journal(path), Trial("bst", "auto", seed), 10, 5.0)
        assert result == {"auto": ({"unique": 7}, 1.5)}

    assert played == [1, 2]


def test_a_trial_of_other_code_or_another_size_is_another_trial(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1")
    before = trial_name({"seed": 1, "attempts": 10}, [tmp_path])
    assert trial_name({"seed": 1, "attempts": 10}, [tmp_path]) == before
    assert trial_name({"seed": 1, "attempts": 11}, [tmp_path]) != before
    (tmp_path / "a.py").write_text("x = 2")
    assert trial_name({"seed": 1, "attempts": 10}, [tmp_path]) != before


def test_a_trial_with_other_cpu_time_is_another_trial(tmp_path: Path) -> None:
    """Though the machine has a word `cpu` of its own."""
    assert trial_name({"cpu": 4.0}, [tmp_path]) != trial_name({"cpu": 60.0}, [tmp_path])


def test_a_line_cut_short_is_no_trial(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    journal = Journal(path)
    journal.put("whole", {"unique": 1})
    path.write_text(path.read_text() + '{"trial": "torn", "res')

    again = Journal(path)

    assert again.get("whole") == {"unique": 1}
    assert again.get("torn") is None


def test_what_follows_a_torn_line_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    path.write_text('{"trial": "torn", "res')
    Journal(path).put("next", 3)

    assert Journal(path).get("next") == 3


def test_without_a_path_nothing_is_remembered() -> None:
    journal = Journal(None)
    journal.put("a", 1)
    assert journal.get("a") is None


def test_what_was_skipped_is_played_the_next_time(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "trials.jsonl")
    assert journal.recall("peer", lambda: {"skipped": "not installed"}) == {"skipped": "not installed"}
    assert journal.recall("peer", lambda: {"unique": 4}) == {"unique": 4}
    assert journal.recall("peer", lambda: {"unique": 5}) == {"unique": 4}


def test_what_is_known_is_recalled_when_it_is_too_late_to_play(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "trials.jsonl")
    journal.put("known", 1)
    assert journal.recall("known", lambda: 2, late=True) == 1
    assert journal.recall("other", lambda: 2, late=True) is None
    assert journal.get("other") is None
