"""A running campaign, told to a person: one live line on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, TextIO

from untrod.core.budget import Budget
from untrod.core.events import (
    CampaignFinished,
    CampaignStarted,
    Event,
    FindingFound,
    Notice,
    Progress,
    WorkerLost,
)
from untrod.core.text import count, duration, one_line

if TYPE_CHECKING:
    from rich.live import Live

QUIET_SECONDS = 2.0  # a run shorter than this is over before a line could be read
LIVE_INTERVAL = 0.1
PLAIN_INTERVAL = 5.0


class ProgressListener:
    """Redraws at most ten times a second, whatever the rate of events; between two redraws an event costs a
    clock reading. Findings and notices are printed above the line as they come.

    `close` takes the line away; the end of the campaign does so too. When the stream breaks, the listener
    falls silent and the campaign goes on.
    """

    def __init__(
        self,
        budget: Budget | None,
        stream: TextIO,
        *,
        clock: Callable[[], float] = time.monotonic,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        live = stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
        self._screen: _Screen = _LiveScreen(stream) if live else _PlainScreen(stream)
        self._interval = LIVE_INTERVAL if live else PLAIN_INTERVAL
        self._budget = budget  # None: what the campaign says when it starts
        self._clock = clock
        self._started = clock()
        self._next_draw = self._started + max(QUIET_SECONDS, self._interval if not live else 0.0)
        self._resumed_at = 0
        self._seen: set[str] = set()
        self._doing = ""
        self._silent = False

    def __call__(self, event: Event) -> None:
        if self._silent:
            return
        try:
            self._show(event)
        except (OSError, ValueError):  # the terminal went away, or its stream was closed
            self._silent = True

    def show(self, line: str) -> None:
        """What is being done when no episodes are run any more; at once where that is something else."""
        now, doing = self._clock(), line.partition(" ")[0]
        begins = doing != self._doing and now >= self._started + QUIET_SECONDS
        if self._silent or (now < self._next_draw and not begins):
            return
        self._doing = doing
        self._next_draw = now + self._interval
        try:
            self._screen.draw(line)
        except (OSError, ValueError):
            self._silent = True

    def close(self) -> None:
        if not self._silent:
            self._silent = True
            try:
                self._screen.close()
            except (OSError, ValueError):
                pass  # nobody is there to see it

    def _show(self, event: Event) -> None:
        if isinstance(event, Progress):
            now = self._clock()
            if now >= self._next_draw:
                self._next_draw = now + self._interval
                self._screen.draw(self._line(event, now))
        elif isinstance(event, FindingFound):
            if event.finding.id not in self._seen:
                self._seen.add(event.finding.id)
                self._screen.print(finding_line(event))
        elif isinstance(event, Notice):
            self._screen.print(f"note: {one_line(event.text)}")
        elif isinstance(event, WorkerLost):
            self._screen.print(f"note: worker {event.shard} lost ({one_line(event.cause)}), restarted")
        elif isinstance(event, CampaignStarted):
            self._resumed_at = event.resumed_at
            self._budget = self._budget or Budget.from_json(event.budget)
        elif isinstance(event, CampaignFinished):
            self.close()

    def _line(self, progress: Progress, now: float) -> str:
        elapsed = max(now - self._started, 0.001)
        rate = (progress.episodes - self._resumed_at) / elapsed
        left = _time_left(self._budget, progress, rate) if self._budget is not None else None
        parts = [  # what matters most comes first: a narrow terminal cuts the rest
            duration(progress.wall) + ("" if left is None else f", {duration(left)} left"),
            count(progress.findings, "finding"),
            f"{count(progress.episodes, 'episode')} ({_rate(rate)})",
            f"{progress.valid:,} valid",
            f"{progress.unique:,} unique",
        ]
        if status := progress.extra.get("status"):
            parts[3:] = [one_line(str(status))]  # the engine's own words say more than our counts
        return "  ".join(parts)


def finding_line(event: FindingFound) -> str:
    """`failed: total is negative  (f1a2b3c4d, episode 1,204)`"""
    finding = event.finding
    where = f"({one_line(finding.id, 40)}, episode {event.episode:,})"
    return f"{one_line(finding.kind, 40)}: {one_line(finding.title)}  {where}"


def _rate(rate: float) -> str:
    return f"{rate:,.0f}/s" if rate >= 10 or rate == 0 else f"{rate:.1f}/s"


def _time_left(budget: Budget, progress: Progress, rate: float) -> float | None:
    """Until the limit that will be reached first; None when nothing can be said."""
    left = []
    if budget.wall is not None:
        left.append(budget.wall - progress.wall)
    if budget.cpu is not None and progress.cpu > 0:
        left.append((budget.cpu - progress.cpu) * progress.wall / progress.cpu)
    if budget.episodes is not None and rate > 0:
        left.append((budget.episodes - progress.episodes) / rate)
    return max(0.0, min(left)) if left else None


class _Screen(Protocol):
    def draw(self, line: str) -> None: ...

    def print(self, line: str) -> None: ...

    def close(self) -> None: ...


class _PlainScreen:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def print(self, line: str) -> None:
        encoding = getattr(self._stream, "encoding", None) or "utf-8"
        self._stream.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        self._stream.flush()

    draw = print

    def close(self) -> None:
        pass


class _LiveScreen:
    """The live line exists from the first `draw` on; until then findings are printed as plain lines."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._live: Live | None = None

    def draw(self, line: str) -> None:
        from rich.text import Text

        if self._live is None:
            self._live = self._started()
        self._live.update(Text(line, style="dim", no_wrap=True, overflow="ellipsis"), refresh=True)

    def print(self, line: str) -> None:
        if self._live is None:
            _PlainScreen(self._stream).print(line)
        else:
            self._live.console.print(line, markup=False, highlight=False, emoji=False, soft_wrap=True)

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _started(self) -> Live:
        from rich.console import Console
        from rich.live import Live

        # Redirection would send the user's own prints through Rich; the line redraws itself soon enough.
        live = Live(
            console=Console(file=self._stream),
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        live.start()
        return live
