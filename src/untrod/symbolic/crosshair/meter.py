"""Asks the solver, and counts what that cost."""

from __future__ import annotations

from functools import cache
from typing import Any

import z3  # type: ignore[import-untyped]

from untrod.symbolic.protocol import Feasibility

_WORTH_IT = 0.3  # the share of branches that the last model has to answer
_LOOK_AGAIN = 16  # checks after which models get another chance
_COUNTER = 1 << 32  # Z3's counter of work has 32 bits


class Meter:
    """`units` are Z3's own measure of work (rlimit): the same on every machine."""

    def __init__(self, solver: Any) -> None:
        self.calls = 0
        self.units = 0
        self.hits = 0
        self._solver = solver
        self._share = 1.0

    def check(self, *assumptions: Any) -> Feasibility:
        before = _counter()
        answer = self._solver.check(*assumptions)
        self.calls += 1
        self.units += (_counter() - before) % _COUNTER
        if answer == z3.unknown and self._solver.reason_unknown() == "interrupted from keyboard":
            raise KeyboardInterrupt
        return "sat" if answer == z3.sat else "unsat" if answer == z3.unsat else "unknown"

    def hit(self, answered: bool) -> bool:
        """The last model was asked: did it have the answer?"""
        self._share = 0.9 * self._share + 0.1 * answered
        self.hits += answered
        return answered

    def models_pay_off(self) -> bool:
        return self._share > _WORTH_IT or self.calls % _LOOK_AGAIN == 0


@cache
def _gauge() -> Any:
    """Z3 counts per context, and each solver reports that count. One that is never used has little else to
    say, so it is read several times faster than the one at work."""
    return z3.SimpleSolver()


def _counter() -> int:
    gauge = _gauge()
    context = gauge.ctx.ref()
    statistics = z3.Z3_solver_get_statistics(context, gauge.solver)
    z3.Z3_stats_inc_ref(context, statistics)
    try:
        for index in range(z3.Z3_stats_size(context, statistics)):
            if z3.Z3_stats_get_key(context, statistics, index) == "rlimit count":
                return int(z3.Z3_stats_get_uint_value(context, statistics, index))
    finally:
        z3.Z3_stats_dec_ref(context, statistics)
    return 0
