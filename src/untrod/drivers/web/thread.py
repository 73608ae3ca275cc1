"""A thread of its own for the browser, whose protocol must not be interrupted."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotInTime
from typing import Any, TypeVar

T = TypeVar("T")


class BrowserThread:
    """Calls functions one after the other in one other thread, and waits for each.

    A worker is stopped by an exception out of a signal handler. Raised in the middle of a message to the
    browser, or in the event loop that Playwright runs behind the scenes, it would leave both beyond repair.
    Here it hits the thread that waits, and what was under way comes to its own end. It also keeps Playwright
    apart from whatever event loop the caller may have.

    Some calls have no time limit of their own: a page that loops for ever never answers. `overdue` is then
    called, and again after as long; it has to make the call come to its end.
    """

    def __init__(self, name: str, overdue: Callable[[], None]) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._overdue = overdue
        self._under_way: Future[Any] | None = None

    @property
    def busy(self) -> bool:
        """A call is under way: its caller was stopped by an exception."""
        return self._under_way is not None and not self._under_way.done()

    def __call__(self, function: Callable[[], T], seconds: float) -> T:
        called = self._executor.submit(function)
        self._under_way = called
        while True:
            try:
                return called.result(seconds)
            except NotInTime:
                if called.done():  # the function's own
                    raise
                self._overdue()

    def close(self) -> None:
        self._executor.shutdown(wait=True)
