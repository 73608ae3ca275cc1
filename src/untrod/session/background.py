"""Something that runs for a while and tells of it: events while it runs, a result at the end.

Nothing happens before it is iterated over or asked for its result. Whoever iterates is told from a thread of
its own; `result` alone runs it where it is called.
"""

from __future__ import annotations

import queue
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, Self, TypeVar

E = TypeVar("E")
R = TypeVar("R")


class Background(ABC, Generic[E, R]):
    def __init__(self) -> None:
        self.stopped = False
        self._told: queue.SimpleQueue[tuple[E] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._result: R | None = None
        self._error: BaseException | None = None

    @abstractmethod
    def _work(self, tell: Callable[[E], None]) -> R:
        """All of it, told to `tell`."""

    @abstractmethod
    def stop(self, reason: str = "stopped") -> None:
        """It finishes what it does, and reports. From any thread, as often as you like."""

    def __iter__(self) -> Iterator[E]:
        """The events, from the first one that nobody has taken yet. Leaving the loop stops it."""
        if self._thread is None and not self._is_over:
            self._thread = threading.Thread(target=self._in_thread, name="untrod", daemon=True)
            self._thread.start()
        try:
            with self._hearing():
                while (told := self._next()) is not None:
                    yield told[0]
        finally:
            self.stop()
        self.result()  # raises what went wrong

    def result(self) -> R:
        """What it came to, once it has ended. Raises UntrodError for what a person can mend."""
        if self._thread is not None:
            self._wait()
        elif not self._is_over:
            self._keep(lambda event: None)
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self._thread is not None:
            self._wait()

    @property
    def _is_over(self) -> bool:
        return self._result is not None or self._error is not None

    def _in_thread(self) -> None:
        try:
            self._keep(lambda event: self._told.put((event,)))
        except BaseException:  # kept, and raised where somebody waits for the result
            pass
        self._told.put(None)

    def _keep(self, tell: Callable[[E], None]) -> None:
        try:
            self._result = self._work(tell)
        except BaseException as error:
            self._error = error
            if not isinstance(error, Exception):
                raise

    @contextmanager
    def _hearing(self) -> Iterator[None]:
        """The first Ctrl-C ends it wherever it arrives: also in the body of the caller's loop."""
        before = signal.getsignal(signal.SIGINT)
        ours = threading.current_thread() is threading.main_thread() and before is signal.default_int_handler

        def heard(number: int, frame: object) -> None:
            if self.stopped:
                raise KeyboardInterrupt
            self.stop("interrupted")

        if ours:
            signal.signal(signal.SIGINT, heard)
        try:
            yield
        finally:
            if ours and threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGINT, before)

    def _next(self) -> tuple[E] | None:
        """The first Ctrl-C ends it as on the command line, the second ends the waiting for it."""
        while True:
            try:
                return self._told.get()
            except KeyboardInterrupt:
                if self.stopped:
                    raise
                self.stop("interrupted")

    def _wait(self) -> None:
        assert self._thread is not None
        try:
            self._thread.join()
        except KeyboardInterrupt:
            if self.stopped:
                raise
            self.stop("interrupted")
            self._thread.join()
