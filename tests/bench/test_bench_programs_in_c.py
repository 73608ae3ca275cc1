"""The matrix of `bench native`, without its programs: what is played, recalled, left out and promised."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.native import matrix, promises
from bench.native.contenders import AFL, ANGR, PORTFOLIO, RANDOM
from bench.native.peers import ANGR_PYTHON, angr
from bench.native.subjects import SUBJECTS
from bench.plan import Plan

GOOD = {
    "branches": 300,
    "total": 472,
    "complete": 2_000,
    "live": 10,
    "findings": [],
    "memory": 300,
    "cpu": 90.0,
}


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, int]]:
    """Every trial that was really played, in place of playing it."""
    trials: list[tuple[str, str, int]] = []

    def play(subject: str, contender: str, seed: int, cpu: float) -> dict[str, object]:
        trials.append((subject, contender, seed))
        return dict(GOOD)

    monkeypatch.setattr(matrix, "_play", play)
    monkeypatch.setattr(matrix, "missing", lambda: "")
    monkeypatch.setattr(type(SUBJECTS["tr"]), "target", lambda self: None)
    return trials


def plan(journal: Path | None = None, minutes: float = 5.0, contenders=(PORTFOLIO, ANGR)) -> Plan:
    return Plan(quick=False, seeds=2, only="tr", contenders=contenders, minutes=minutes, journal=journal)


def test_who_has_no_seed_plays_once(played: list[tuple[str, str, int]]) -> None:
    matrix.run(plan())
    assert sorted(played) == [("tr", ANGR, 1), ("tr", PORTFOLIO, 1), ("tr", PORTFOLIO, 2)]


def test_what_was_played_is_recalled_when_time_is_up(
    played: list[tuple[str, str, int]], tmp_path: Path
) -> None:
    journal = tmp_path / "journal"
    first = matrix.run(plan(journal))
    played.clear()
    late = matrix.run(plan(journal, minutes=-1.0, contenders=(PORTFOLIO, ANGR, AFL)))
    assert not played
    assert late.rows == first.rows
    assert "2 trials were left out to stay within the time" in late.notes


def test_a_peer_that_is_not_there_is_skipped_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ANGR_PYTHON, raising=False)
    assert angr(SUBJECTS["tr"], 1.0) == {"skipped": f"{ANGR_PYTHON} names no interpreter"}


def test_a_bar_compares_medians_over_the_seeds() -> None:
    ours = [{**GOOD, "branches": count} for count in (200, 230, 260)]
    theirs = [{**GOOD, "branches": count} for count in (240, 220, 100)]
    bars = {bar.name: bar for bar in promises.bars({("tr", PORTFOLIO): ours, ("tr", AFL): theirs})}
    assert bars[f"tr: branches of {PORTFOLIO}, at least"].value == 230
    assert bars[f"programs on which {PORTFOLIO} is above AFL++, at least"].value == 1


def test_an_unknown_contender_is_named() -> None:
    with pytest.raises(SystemExit, match=f"no contender 'nobody'.*{RANDOM}"):
        matrix.run(plan(contenders=("nobody",)))
