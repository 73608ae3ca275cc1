"""What an attempt takes, estimated from what is counted: the same on every machine, so turns repeat."""

from __future__ import annotations

from untrod.engines.worst.arena import Attempt

_RUN, _PATH, _BRANCH, _CALL = 100.0, 500.0, 50.0, 150.0
_UNIT = 0.1
"""Of the solver's own count. It is 0.05 to 0.5: comparisons of sums are cheap units, remainders dear ones."""


def effort(attempt: Attempt) -> float:
    """About the microseconds that an attempt takes on a common machine."""
    if attempt.branches:
        solving = _CALL * attempt.solver_calls + _UNIT * attempt.stats.solver_units
        return _PATH + _BRANCH * len(attempt.branches) + solving + attempt.micros
    return _RUN + attempt.micros
