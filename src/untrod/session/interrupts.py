"""What Ctrl-C does: at first it asks for an end, the second time it is one."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
PATIENCE = 1.5
"""Seconds in which an interrupted verb has to come to its end: with its line, all must be over after two."""
LINE = b"untrod: interrupted\n"
AGAIN = b"\ninterrupted: finishing and reporting; again ends at once\n"


@contextmanager
def stop_on_interrupt(stop: Callable[[], None] = lambda: None) -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C, or SIGTERM, asks for an end and a report, the second ends everything at once. What is
    yielded says whether there was one."""
    count = 0

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal count
        count += 1
        if count > 1:
            # Workers die with this process; scratch folders are swept by the next one.
            os._exit(INTERRUPTED)
        os.write(2, AGAIN)
        stop()

    handled = [signal.SIGINT, signal.SIGTERM]
    before = {number: signal.signal(number, handle) for number in handled}
    try:
        yield lambda: count > 0
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def ends_soon() -> Iterator[None]:
    """Around everything. Ctrl-C is a KeyboardInterrupt, and that is one line. It may get lost: modules that
    are being imported swallow it, and so do callbacks. So what has not ended then is ended."""
    ending = _Ending()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, ending.handle)
    try:
        yield
    except KeyboardInterrupt:
        ending.say()
        sys.exit(INTERRUPTED)


class _Ending:
    def __init__(self) -> None:
        self._asked = self._said = False

    def handle(self, number: int, frame: FrameType | None) -> None:
        if self._asked:
            os._exit(INTERRUPTED)
        self._asked = True
        last = threading.Timer(PATIENCE, self._end)
        last.daemon = True
        last.start()
        raise KeyboardInterrupt

    def say(self) -> None:
        if not self._said:
            self._said = True
            os.write(2, LINE)

    def _end(self) -> None:
        self.say()
        os._exit(INTERRUPTED)
