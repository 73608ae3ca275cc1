"""Coroutines in an event loop of asyncio's own, which ends: by turns, by time, or when nothing can happen.

Nobody waits here for a clock. Where all that a loop has left to do is to wait for a timer, its clock goes on
to that moment: what sleeps for a tenth of a second does so in microseconds. A test sleeps for real, so there
is a bound on that time as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from untrod.runtime.guard import paused

MOST_TURNS = 1_000
MOST_SECONDS = 2.0
"""On the clock of the loop: a test takes as long."""
CLEANING = 200


class StillWaiting(RuntimeError):
    """A coroutine waits for something that does not happen here, or not soon."""


def run_coroutine(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """As `asyncio.run` does it: what is still running at the end is cancelled. Raises StillWaiting."""
    with asyncio.Runner(loop_factory=_loop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, BoundedLoop)
        try:
            return runner.run(coroutine)
        finally:
            loop.turns = MOST_TURNS - CLEANING  # to clean up, there is a little more
            loop.late = loop.time() + MOST_SECONDS


class BoundedLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._ahead = 0.0
        super().__init__()
        self.turns = 0
        self.late = self.time() + MOST_SECONDS
        self.set_exception_handler(lambda loop, context: None)  # asyncio would only log it

    def time(self) -> float:
        return super().time() + self._ahead

    def _run_once(self) -> None:
        """asyncio's own turn: timers that are due, files and sockets, callbacks."""
        self.turns += 1
        if self.turns > MOST_TURNS or self.time() > self.late:
            raise StillWaiting(f"it still waits after {MOST_TURNS} turns, or {MOST_SECONDS:g} s")
        if not self._ready and not self._stopping and not self._is_watched:  # type: ignore[attr-defined]
            self._skip()
        super()._run_once()  # type: ignore[misc]

    @property
    def _is_watched(self) -> bool:
        """Can something come from outside: a thread, a file, a socket? One file is the loop's own."""
        return self._default_executor is not None or len(self._selector.get_map()) > 1  # type: ignore[attr-defined]

    def _skip(self) -> None:
        """To the next timer, since nothing else can happen."""
        due = [timer.when() for timer in self._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]
        if not due:
            raise StillWaiting("it waits for something that does not happen")
        self._ahead += max(0.0, min(due) - self.time())


def _loop() -> BoundedLoop:
    with paused():  # a loop has a pair of sockets for itself
        return BoundedLoop()
