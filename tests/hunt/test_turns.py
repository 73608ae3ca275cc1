"""What a turn is told on its command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from untrod.core.budget import Budget
from untrod.hunt.hunt import Hunt, Setting
from untrod.hunt.turn import Outcome, Turn
from untrod.plugins import Task


class Turns:
    """Hunts whose turns are not run, only written down; each spends what `spends` says."""

    def __init__(self, budget: str, *lots: Task, spends: float = 3.0, **setting: object) -> None:
        self.words: list[list[str]] = []
        self.spends = spends
        whole = Setting(Path(), Path("store"), Path("tests"), Budget.parse(budget), **setting)  # type: ignore[arg-type]
        self.hunt = Hunt(lots, whole, lambda lot, event: None)

    def play(self, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
        def run(errand: object, words: list[str]) -> Outcome:
            self.words.append(words)
            spent = self.spends * len(self.words)
            return Outcome("c1", {"reason": "", "cpu": spent, "wall": spent, "episodes": int(spent)})

        monkeypatch.setattr("untrod.hunt.turn.Turn.run", run)
        self.hunt.run()
        return self.words


def budget_of(words: list[str]) -> str:
    return words[words.index("--budget") + 1]


def test_cpu_time_is_shared_as_cpu_time(monkeypatch):
    words = Turns("10s cpu", Task("cover", "a.py", ""), spends=4.0).play(monkeypatch)
    assert [budget_of(turn) for turn in words] == ["6.00s cpu", "10.00s cpu", "10.00s cpu"]


def test_screens_are_explored_once(monkeypatch):
    (words,) = Turns("50", Task("explore", "http://x", ""), spends=50).play(monkeypatch)
    assert words[:2] == ["explore", "screens"]
    assert words[-4:] == ["--steps", "50", "--", "http://x"]
    errand, outcome = Turn(Task("explore", "http://x", ""), Path(), lambda lot, event: None), Outcome()
    errand._note('{"screens": 7, "steps": 50, "resets": 2}', outcome)
    assert outcome.over
    assert outcome.finished["extra"]["status"] == "7 screens in 50 steps"


def test_a_browser_is_not_told_of_memory_or_of_places(monkeypatch):
    setting = {"flags": ("--memory", "99"), "on": "ray"}
    (words,) = Turns("50", Task("gui", "http://x", ""), spends=50, **setting).play(monkeypatch)
    assert not {"--memory", "--on"} & set(words)
    (words,) = Turns("50", Task("cover", "a.py", ""), spends=50, **setting).play(monkeypatch)
    assert words[-6:] == ["--memory", "99", "--on", "ray", "--", "a.py"]  # whatever the file is called
