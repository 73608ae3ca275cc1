"""One live screen for a hunt: who is running, what each task has shown, what was found."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from untrod.core.text import count, duration, one_line
from untrod.core.vocabulary import Json
from untrod.output.severity import NOTE, cause_of, level_of
from untrod.output.terminal import say
from untrod.plugins import Task

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

_INTERVAL = 0.2
_PLAIN_INTERVAL = 10.0
_ROWS = 20


class Screen:
    """A context manager that hears all events. On a terminal it redraws; elsewhere it prints now and then."""

    def __init__(self, tasks: Sequence[Task], seconds: float | None) -> None:
        self._tasks = {task.name: task for task in tasks}
        self._status = dict.fromkeys(self._tasks, "waiting")
        self._running: dict[str, None] = {}
        self._findings: dict[str, str] = {}
        self._seconds = seconds
        self._started = time.monotonic()
        self._next = 0.0
        terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._live: Live | None = _live() if terminal else None

    def __enter__(self) -> Screen:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, task: Task, event: Json) -> None:
        kind = event["event"]
        if kind == "campaign-started":
            self._running[task.name] = None
            self._status[task.name] = "starting"
        elif kind in ("progress", "campaign-finished"):
            self._status[task.name] = _status(event)
            if kind == "campaign-finished":
                self._running.pop(task.name, None)
        elif kind == "finding":
            self._found(task, event["finding"])
        now = time.monotonic()
        if now >= self._next:
            self._next = now + (_INTERVAL if self._live is not None else _PLAIN_INTERVAL)
            self._draw()

    def _found(self, task: Task, finding: dict[str, Any]) -> None:
        detail = finding.get("detail", {})
        kind, key = str(finding.get("kind", "")), str(finding.get("key", finding["id"]))
        cause = cause_of(key, kind, detail, task.target)
        if cause in self._findings or (kind and level_of(kind, detail) == NOTE):
            return  # one line a cause; what is no more than a note is told at the end
        self._findings[cause] = finding["title"]
        line = f"found by {one_line(task.name)}: {one_line(finding['title'])}"
        if self._live is not None:
            self._live.console.print(line, markup=False, highlight=False, emoji=False)
        else:
            say(line, to=sys.stderr)

    def _draw(self) -> None:
        if self._live is not None:
            self._live.update(self._table(), refresh=True)
            return
        running = "; ".join(f"{one_line(name)}: {one_line(self._status[name])}" for name in self._running)
        say(f"{self._headline()}; {running or 'between turns'}", to=sys.stderr)

    def _headline(self) -> str:
        spent = duration(time.monotonic() - self._started)
        of = f" of {duration(self._seconds)}" if self._seconds else ""
        return f"{spent}{of}, {count(len(self._findings), 'finding')}"

    def _table(self) -> Table:
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, title=self._headline(), title_justify="left", title_style="bold")
        for column in ("", "engine", "target", "so far"):
            table.add_column(column, no_wrap=True, overflow="ellipsis")
        order = sorted(
            self._tasks, key=lambda name: (name not in self._running, self._status[name] == "waiting")
        )
        for name in order[:_ROWS]:
            task = self._tasks[name]
            mark = ">" if name in self._running else ""
            shown = [Text(one_line(text, 60)) for text in (task.verb, task.target, self._status[name])]
            table.add_row(mark, *shown)
        if len(order) > _ROWS:
            table.add_row("", "", f"and {len(order) - _ROWS} more", "")
        return table


def _status(event: dict[str, Any]) -> str:
    if str(event.get("reason", "")).startswith("error"):
        return "could not be run"
    told = event.get("extra", {}).get("status")
    return str(told) if told else f"{event['unique']:,} different valid inputs of {event['episodes']:,}"


def _live() -> Live:
    from rich.console import Console
    from rich.live import Live

    return Live(console=Console(stderr=True), auto_refresh=False, transient=True)
