"""Does a run draw from chance? Then another run of the same input may do something else.

Nearly all sources of chance end in a few functions of C: generators of `random` in `getrandbits` and
`random`, `secrets` and `uuid4` in `os.urandom`, clocks in themselves. A profile function hears of every call
of these, whoever makes it. NumPy's generators tell by their state (`runtime/randomness.py`).
"""

from __future__ import annotations

import datetime
import os
import random
import sys
import time
from types import FrameType
from typing import Any

from untrod.runtime.randomness import was_used

_CLOCKS = (
    *("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns"),
    *("process_time", "process_time_ns", "thread_time", "localtime", "gmtime", "ctime"),
)
_FUNCTIONS = frozenset(
    [os.urandom, os.getpid, *(found for name in _CLOCKS if (found := getattr(time, name, None)))]
)
_TYPES = (datetime.datetime, datetime.date)
_NOW = frozenset({"now", "today", "utcnow"})
_DRAWS = frozenset({"random", "getrandbits"})


class ChanceWatch:
    """`with watch:` and then `watch.drew`: has anything been drawn, or a clock been read?

    Off unless `on`: each call in the run costs a little. Code that sets a profile function of its own is
    seen only in part.
    """

    def __init__(self) -> None:
        self.on = False
        self.drew = False

    def __enter__(self) -> None:
        self.drew = False
        if self.on:
            sys.setprofile(self._heard)

    def __exit__(self, *exception: object) -> None:
        if self.on:
            sys.setprofile(None)
            self.drew = self.drew or was_used()

    def _heard(self, frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and _is_a_draw(called):
            self.drew = True
            sys.setprofile(None)  # that is all there is to know


def _is_a_draw(called: Any) -> bool:
    if called in _FUNCTIONS:
        return True
    owner = getattr(called, "__self__", None)
    if isinstance(owner, random.Random):
        return called.__name__ in _DRAWS
    return isinstance(owner, type) and issubclass(owner, _TYPES) and called.__name__ in _NOW
