"""A thread of its own for a library that must not be interrupted."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotInTime
from typing import TypeVar

T = TypeVar("T")


class Aside:
    """Calls functions one after the other in one other thread, and waits for each.

    A worker is stopped by an exception out of a signal handler. Raised in the middle of a message to the
    browser, or in the event loop that Playwright runs behind the scenes, it would leave both beyond repair.
    Here it hits the thread that waits, and what was under way comes to its own end. It also keeps Playwright
    apart from whatever event loop the caller may have.

    Some calls have no time limit of their own: a page that loops for ever never answers. `overdue` is then
    called, once; it has to make the call return.
    """

    def __init__(self, name: str, overdue: Callable[[], None]) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._overdue = overdue

    def __call__(self, function: Callable[[], T], seconds: float) -> T:
        called = self._executor.submit(function)
        try:
            return called.result(seconds)
        except NotInTime:
            if called.done():  # the function's own
                raise
            self._overdue()
        return called.result()

    def close(self) -> None:
        self._executor.shutdown(wait=True)
