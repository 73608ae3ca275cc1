"""What a turn is told on its command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from untrod.core.budget import Budget
from untrod.hunting.hunt import Hunt, Setting
from untrod.hunting.turn import Turn, TurnOutcome
from untrod.plugins import Task


class Turns:
    """Hunts whose turns are not run, only written down; each spends what `spends` says."""

    def __init__(self, budget: str, *lots: Task, spends: float = 3.0, **setting: object) -> None:
        self.words: list[list[str]] = []
        self.spends = spends
        whole = Setting(Path(), Path("store"), Path("tests"), Budget.parse(budget), **setting)  # type: ignore[arg-type]
        self.hunt = Hunt(lots, whole, lambda lot, event: None)

    def play(self, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
        def run(errand: object, words: list[str]) -> TurnOutcome:
            self.words.append(words)
            spent = self.spends * len(self.words)
            return TurnOutcome("c1", {"reason": "", "cpu": spent, "wall": spent, "episodes": int(spent)})

        monkeypatch.setattr("untrod.hunting.turn.Turn.run", run)
        self.hunt.run()
        return self.words


def budget_of(words: list[str]) -> str:
    return words[words.index("--budget") + 1]


def test_cpu_time_is_shared_as_cpu_time(monkeypatch):
    words = Turns("10s cpu", Task("cover", "a.py", ""), spends=4.0).play(monkeypatch)
    assert [budget_of(turn) for turn in words] == ["6.00s cpu", "10.00s cpu", "10.00s cpu"]


def test_screens_are_explored_by_a_campaign_as_all_others(monkeypatch):
    first, second = Turns("80", Task("explore", "http://x", ""), spends=25).play(monkeypatch)[:2]
    assert first[:1] == ["explore"]
    assert first[-2:] == ["--", "http://x"]
    assert second[:2] == ["campaigns", "resume"]


def test_files_that_a_campaign_leaves_in_the_store_are_named():
    turn, outcome = Turn(Task("explore", "http://x", ""), Path(), lambda task, event: None), TurnOutcome()
    files = {"a picture of its screens": "screens/x.svg"}
    finished = {"event": "campaign-finished", "reason": "exhausted", "extra": {"files": files}}
    turn._note(json.dumps(finished), outcome)
    assert outcome.over
    assert outcome.files == files


def test_a_browser_is_not_told_of_memory_or_of_places(monkeypatch):
    setting = {"flags": ("--memory", "99"), "on": "ray"}
    (words,) = Turns("50", Task("gui", "http://x", ""), spends=50, **setting).play(monkeypatch)
    assert not {"--memory", "--on"} & set(words)
    (words,) = Turns("50", Task("cover", "a.py", ""), spends=50, **setting).play(monkeypatch)
    assert words[-6:] == ["--memory", "99", "--on", "ray", "--", "a.py"]  # whatever the file is called
