"""What Ctrl-C does while something is under way that is worth finishing."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

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
            os._exit(130)
        os.write(2, AGAIN)
        stop()

    handled = [signal.SIGINT, signal.SIGTERM]
    before = {number: signal.signal(number, handle) for number in handled}
    try:
        yield lambda: count > 0
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
