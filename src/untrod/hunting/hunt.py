"""The loop: turns for the tasks, some side by side, until the budget is spent or nothing is left to do."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from untrod.core.budget import Budget
from untrod.core.seeds import derive
from untrod.core.vocabulary import Json
from untrod.hunting.shares import Shares
from untrod.hunting.turn import Turn, TurnOutcome
from untrod.output.severity import NOTE, level_of
from untrod.plugins import EnginePlugin, Task, engine_of_verb

FIRST_SHARE = 0.6
"""Of the budget goes to first turns at most, where there are many tasks; the rest is for what paid."""
SHORTEST = 3.0  # seconds of CPU time: less is all start-up
LONGEST = 30.0
FEWEST = 50  # episodes
SHORTEST_SLOT, LONGEST_SLOT = 10.0, 50.0
"""Where wall time is shared, a turn has a slot of it: for its start, its search and the delivery of tests."""
STARTING, SEARCH_SHARE, LEAST_SEARCH = 1.5, 0.5, 1.5
LAST_SLOT = 5.0
"""Less is not begun: tests could not be tried out any more."""
LAG_WEIGHT = 0.5
HURRY, PATIENCE = 2.5, 4.0
"""Seconds before the end, when running turns are asked to report; after it, when they are ended."""


@dataclass(frozen=True)
class Setting:
    """How every turn is run."""

    project: Path
    store: Path
    tests: Path
    budget: Budget
    seed: int = 0
    side_by_side: int = 1
    flags: tuple[str, ...] = ()  # for every verb: --allow, --memory ...
    on: str = ""  # where the workers run, as `--on` takes it; an application is driven from here
    allow: tuple[str, ...] = ()
    memory_mb: int = 0


@dataclass
class Record:
    """What a task has come to so far, over all its turns."""

    task: Task
    campaign: str = ""
    turns: int = 0
    spent: float = 0.0  # as the budget counts: seconds or episodes
    last: dict[str, Any] = field(default_factory=dict)  # its last `campaign-finished`
    findings: dict[str, dict[str, Any]] = field(default_factory=dict)  # by id
    own_failures: dict[str, dict[str, Any]] = field(default_factory=dict)  # findings that were none
    tests: dict[str, None] = field(default_factory=dict)
    notices: dict[str, None] = field(default_factory=dict)
    trouble: str = ""


class Hunt:
    """`told` hears every event of every turn, from several threads, one at a time."""

    def __init__(
        self,
        tasks: Sequence[Task],
        setting: Setting,
        told: Callable[[Task, Json], None],
        seconds: float | None = None,
    ) -> None:
        """`tasks` in the order of first turns; `seconds`: what is left for turns, of a budget of time."""
        self.records = {task.name: Record(task) for task in tasks}
        self._setting = setting
        budget = setting.budget
        self._counted = budget.episodes is not None  # in episodes: the same seed, the same hunt
        self._coin = "episodes" if self._counted else "cpu" if budget.cpu is not None else "wall"
        self._whole = float(budget.episodes or budget.cpu or budget.wall or math.inf)
        if self._coin == "wall" and seconds is not None:
            self._whole = min(self._whole, seconds)
        self._given = 0.0  # of the whole, where it is not wall time
        self._told, self._lock = told, threading.Lock()
        self._turns: set[Turn] = set()
        self._stopping = False
        self._hurried = False
        self._lag = 0.0  # seconds by which turns have lately been longer than their slots
        room = self._whole * FIRST_SHARE * setting.side_by_side / max(1, len(tasks))
        least, most = (SHORTEST_SLOT, LONGEST_SLOT) if self._coin == "wall" else (SHORTEST, LONGEST)
        self._turn = max(float(FEWEST), room // 1) if self._counted else min(most, max(least, room))
        self._shares = Shares(tasks, self._turn, derive(setting.seed, "hunt"))

    def run(self) -> dict[str, Record]:
        self._started = time.monotonic()
        running: dict[Future[TurnOutcome], tuple[str, float]] = {}
        with ThreadPoolExecutor(self._setting.side_by_side) as pool:
            while True:
                while len(running) < self._setting.side_by_side and (turn := self._next()):
                    name, share = turn
                    running[pool.submit(self._send, self.records[name], share)] = turn
                if not running:
                    return self.records
                done, _ = wait(running, timeout=self._patience(), return_when=FIRST_COMPLETED)
                if not done:
                    self.stop()
                    self._hurried = True
                for future in done:
                    name, share = running.pop(future)
                    self._settle(self.records[name], share, future.result())

    def stop(self) -> None:
        """Turns that run finish and report, no other begins. Again: they end at once. Safe in a signal."""
        self._stopping = True
        for turn in list(self._turns):
            turn.stop()

    def _patience(self) -> float | None:
        """How long to wait for running turns before they are stopped: once to report, and then at once."""
        if self._coin != "wall" or math.isinf(self._whole):
            return None
        return max(0.05, self.left() + (PATIENCE if self._hurried else -HURRY))

    def left(self) -> float:
        """Of the budget, as it counts."""
        return self._whole - (time.monotonic() - self._started if self._coin == "wall" else self._given)

    def _next(self) -> tuple[str, float] | None:
        left = self.left()
        if self._stopping or (left < self._least and any(record.turns for record in self.records.values())):
            return None
        if left <= 0:
            return None
        chosen = self._shares.next()
        if chosen is None:
            return None
        name, share = chosen
        share = min(share, left)
        if self._coin == "wall":
            share = min(share, max(LAST_SLOT, left - self._lag))
        if self._counted:
            share = max(1.0, share // 1)
        self._given += share
        return name, share

    @property
    def _least(self) -> float:
        """What a turn must have left."""
        return {"episodes": 1.0, "cpu": SHORTEST / 2, "wall": LAST_SLOT + self._lag}[self._coin]

    def _search(self, share: float) -> float:
        """How much of its share a turn searches for."""
        return max(LEAST_SEARCH, SEARCH_SHARE * (share - STARTING)) if self._coin == "wall" else share

    def _send(self, record: Record, share: float) -> TurnOutcome:
        delivery = None if self._coin != "wall" else max(0.0, share - STARTING - self._search(share))
        turn = Turn(record.task, self._setting.project, self._tell, delivery)
        self._turns.add(turn)
        started = time.monotonic()
        try:
            return turn.run(self._words(record, share))
        finally:
            self._turns.discard(turn)
            late = max(0.0, time.monotonic() - started - share)
            self._lag += LAG_WEIGHT * (late - self._lag)

    def _words(self, record: Record, share: float) -> list[str]:
        setting, task = self._setting, record.task
        seed = str(derive(setting.seed, task.name) % 1_000_000)
        whole = record.spent + self._search(share)
        amount = {"episodes": f"{whole:.0f}", "wall": f"{whole:.2f}s", "cpu": f"{whole:.2f}s cpu"}[self._coin]
        common = ["--store", str(setting.store), "--json", "--budget", amount]
        if record.campaign:
            return ["campaigns", "resume", *common, "--", record.campaign]
        own = ["--seed", seed, "--tests", str(setting.tests), *self._flags(task)]
        return [task.verb, *common, *own, "--", task.target]  # a file may be called --debug.py

    def _flags(self, task: Task) -> list[str]:
        engine = engine_of_verb(task.verb)
        if engine is not None and not engine.in_workers:
            return []
        return [*self._setting.flags, *(["--on", self._setting.on] if self._setting.on else [])]

    def _tell(self, task: Task, event: Json) -> None:
        with self._lock:
            self._told(task, event)

    def _settle(self, record: Record, share: float, outcome: TurnOutcome) -> None:
        fresh = {str(body["id"]): body for body in outcome.findings}
        news = sum(_is_news(fresh[name]) for name in fresh.keys() - record.findings.keys())
        record.turns += 1
        record.campaign = outcome.campaign or record.campaign
        record.findings.update(fresh)
        record.tests.update(dict.fromkeys(outcome.tests))
        record.notices.update(dict.fromkeys(outcome.notices))
        for what, name in outcome.files.items():
            record.notices[f"{what}: {self._setting.store / name}"] = None
        record.trouble = outcome.trouble
        if outcome.finished is not None:
            record.last = outcome.finished
            before, record.spent = record.spent, float(outcome.finished[self._coin])
            if self._coin == "cpu":
                self._given += record.spent - before - share  # a turn may end early, or a little late
        engine = engine_of_verb(record.task.verb) or EnginePlugin()
        shown, left = engine.shown(record.last), engine.left(record.last)
        over = outcome.over or bool(outcome.trouble)
        self._shares.over(record.task.name, shown, news, share, over, left)


def _is_news(finding: dict[str, Any]) -> bool:
    """A note is not worth another turn."""
    return level_of(str(finding.get("kind", "")), finding.get("detail", {})) != NOTE
