"""What a test may say of an input whose run draws from chance: what other draws leave as it is.

In a worker the global generators begin every run in the same state. Nobody does that under pytest.
"""

from __future__ import annotations

import time
from dataclasses import replace

from untrod.core.seeds import derive
from untrod.engines.cover.case import Case, Outcome
from untrod.engines.cover.subject import Run, Subject

DRAWS = 40
FEWEST_DRAWS, SECONDS = 3, 2.0
"""Where runs are slow, there are fewer: none begins after so many seconds, once there were a few."""


def steady_case(subject: Subject, run: Run, by: str) -> Case | None:
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
        if other is None or _ending(other) != _ending(case):
            return None
        case = _common(case, other)
    return replace(case, outcome=_undated(case.outcome))


def _ending(case: Case) -> object:
    return case.given, case.outcome.error, case.outcome.driven, case.raised, case.driven


def _common(case: Case, other: Case) -> Case:
    one, two = case.outcome, other.outcome
    outcome = replace(
        one,
        value=one.value if one.value == two.value else None,
        text=one.text if one.text == two.text else "",
    )
    loose = case.loose | other.loose | (case.arcs ^ other.arcs)
    return replace(case, outcome=outcome, arcs=case.arcs & other.arcs, loose=loose)


def _undated(outcome: Outcome) -> Outcome:
    """Without what names the year: tomorrow it may say something else."""
    return replace(outcome, value=None, text="") if str(time.localtime().tm_year) in outcome.text else outcome
