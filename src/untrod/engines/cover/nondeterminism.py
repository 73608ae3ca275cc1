"""Code under test that draws random numbers or reads a clock: another run of the same input may do something
else.

`NondeterminismWatch` notices it. Nearly all sources of randomness end in a few functions of C: generators of
`random` in `getrandbits` and `random`, `secrets` and `uuid4` in `os.urandom`, clocks in themselves. A profile
function hears of every call of these, wherever it comes from. NumPy's generators tell by their state
(`runtime/randomness.py`).

`stable_case` is what a test may say of such an input: what other draws leave as it is. In a worker the global
generators begin every run in the same state; nobody does that under pytest.
"""

from __future__ import annotations

import datetime
import os
import random
import time
from dataclasses import replace
from sys import setprofile
from types import FrameType
from typing import TYPE_CHECKING, Any

from untrod.core.seeds import derive
from untrod.engines.cover.case import CallResult, Case
from untrod.engines.cover.under_test import InputRun
from untrod.runtime.randomness import was_used

if TYPE_CHECKING:
    from untrod.engines.cover.subject import Subject

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
DRAWS = 40
FEWEST_DRAWS, SECONDS = 3, 2.0
"""Where runs are slow, there are fewer: none begins after so many seconds, once there were a few."""


class NondeterminismWatch:
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
            setprofile(self._heard)

    def __exit__(self, *exception: object) -> None:
        if self.on:
            setprofile(None)
            self.drew = self.drew or was_used()

    def _heard(self, frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and _is_a_draw(called):
            self.drew = True
            setprofile(None)  # that is all there is to know


def _is_a_draw(called: Any) -> bool:
    if called in _FUNCTIONS:
        return True
    owner = getattr(called, "__self__", None)
    if isinstance(owner, random.Random):
        return called.__name__ in _DRAWS
    return isinstance(owner, type) and issubclass(owner, _TYPES) and called.__name__ in _NOW


def stable_case(subject: Subject, run: InputRun, by: str) -> Case | None:
    """The case of `run`. If that drew, as much of it as holds with other draws as well; None where it then
    ends in another way."""
    case, _ = subject.case(run, by)
    if not run.drew:
        return case
    started = time.monotonic()
    for number in range(DRAWS):
        if number >= FEWEST_DRAWS and time.monotonic() - started > SECONDS:
            break
        again = subject.run(run.given, seed=derive(subject.seed, "draw", number))
        other = subject.case(again, by)[0] if again.testable else None
        if other is None or ending(other) != ending(case):
            return None
        case = common(case, other)
    return replace(case, outcome=_undated(case.outcome))


def ending(case: Case) -> object:
    """How it ends, whatever the values are."""
    return case.given, case.outcome.error, case.outcome.driven, case.raised, case.driven


def common(case: Case, other: Case) -> Case:
    """What holds in both."""
    one, two = case.outcome, other.outcome
    outcome = replace(
        one,
        value=one.value if one.value == two.value else None,
        text=one.text if one.text == two.text else "",
        kind=one.kind if one.kind == two.kind else None,
        after=tuple(state for state in one.after if state in two.after),
    )
    loose = case.loose | other.loose | (case.arcs ^ other.arcs)
    return replace(case, outcome=outcome, arcs=case.arcs & other.arcs, loose=loose)


def _undated(outcome: CallResult) -> CallResult:
    """Without what names the year: tomorrow it may say something else."""
    return (
        replace(outcome, value=None, text="", after=())
        if str(time.localtime().tm_year) in outcome.text
        else outcome
    )
