"""What a turn is told on its command line."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from untrod.core.budget import Budget
from untrod.hunting.hunt import Hunt, Setting
from untrod.hunting.turn import Turn, TurnOutcome
from untrod.output.deliver import DELIVERY
from untrod.plugins import Task


class Turns:
    """Hunts whose turns are not run, only written down; each spends what `spends` says."""

    def __init__(
        self,
        budget: str,
        *lots: Task,
        spends: float = 3.0,
        seconds: float | None = None,
        **setting: object,
    ) -> None:
        self.words: list[list[str]] = []
        self.spends = spends
        whole = Setting(Path(), Path("store"), Path("tests"), Budget.parse(budget), **setting)  # type: ignore[arg-type]
        self.hunt = Hunt(lots, whole, lambda lot, event: None, seconds)

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


def test_wall_time_is_shared_in_slots_with_their_delivery(monkeypatch):
    """Turns do not run here, so no time passes: the budget is what ends them."""
    turns = Turns("100s", Task("cover", "a.py", ""), Task("cover", "b.py", ""), seconds=80.0)
    delivery = []
    made = Turn.__init__

    def noted(self: Turn, *args: object) -> None:
        delivery.append(args[-1])
        made(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Turn, "__init__", noted)
    monkeypatch.setattr(turns.hunt, "left", lambda: 80.0 - 24.0 * len(turns.words))
    words = turns.play(monkeypatch)
    assert len(words) == 4  # of 24 s each; the last one has what is left
    assert [budget_of(turn) for turn in words][:2] == ["11.25s", "11.25s"]
    assert delivery[:2] == [11.25, 11.25]
    assert all(float(budget_of(turn)[:-1]) <= 80 for turn in words)


def test_turns_that_run_when_the_time_is_over_report_and_are_ended_if_they_do_not(monkeypatch):
    """Two stops: as by Ctrl-C, twice."""
    turns = Turns("10s", Task("cover", "a.py", ""))
    stopped: list[float] = []
    over = threading.Event()
    clock = iter([10.0, 2.4, -4.1])

    def run(turn: Turn, words: list[str]) -> TurnOutcome:
        turns.words.append(words)
        assert over.wait(60)
        return TurnOutcome("c1", {"reason": "", "cpu": 1.0, "wall": 1.0, "episodes": 1})

    def stop(turn: Turn) -> None:
        stopped.append(1.0)
        if len(stopped) == 2:
            over.set()

    monkeypatch.setattr(turns.hunt, "left", lambda: next(clock, -9.0))
    monkeypatch.setattr(Turn, "run", run)
    monkeypatch.setattr(Turn, "stop", stop)
    turns.hunt.run()
    assert len(turns.words) == 1
    assert len(stopped) == 2


def test_a_turn_is_told_what_its_tests_may_take(monkeypatch):
    told = []

    def start(command: object, **options: object) -> object:
        told.append(options["env"])
        raise OSError("it is not started")

    monkeypatch.setattr("untrod.runtime.launch.start", start)
    for seconds in (None, 2.5):
        with pytest.raises(OSError, match="not started"):
            Turn(Task("cover", "a.py", ""), Path(), lambda task, event: None, seconds).run(["cover"])
    assert [each.get(DELIVERY) for each in told] == [None, "2.50"]


def test_notes_do_not_pay(monkeypatch):
    turns = Turns("100", Task("cover", "a.py", ""))
    paid = []
    monkeypatch.setattr(
        turns.hunt._shares, "over", lambda name, shown, findings, *rest: paid.append(findings)
    )
    levels = ("note", "high", "note")
    bodies = [
        {"id": level + str(n), "kind": "failed", "detail": {"level": level}} for n, level in enumerate(levels)
    ]
    turns.hunt._settle(turns.hunt.records["cover a.py"], 1.0, TurnOutcome("c1", None, bodies))
    assert paid == [1]
