"""Z3, holding the constraints of one path after another and re-asserting only where two paths part.

Measured (insertion sort, 100 ints): push, assert, check costs half of checking under an assumption and
asserting it afterwards; a push for every constraint costs nothing that can be seen, and lets any prefix be
kept. The hot calls use Z3's C functions: the Python layer above them costs three times as much as they do.
Of Z3's arithmetic solvers the older one (2) is as fast on comparisons, and five times as fast on the
remainders of a hash table (30 inserts with the probing of CPython's dict: 0.6 s for a path, not 3).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import z3  # type: ignore[import-untyped]

from untrod.symbolic.lean.folding import negate
from untrod.symbolic.lean.terms import Term
from untrod.symbolic.lean.translate import Translator
from untrod.symbolic.protocol import Feasibility

Constraint = tuple[Term, bool]
"""A condition and the side of it that was taken."""

_ANSWERS: dict[int, Feasibility] = {z3.Z3_L_TRUE: "sat", z3.Z3_L_FALSE: "unsat", z3.Z3_L_UNDEF: "unknown"}


class Session:
    """`bounds` hold on every path. The context is its own: what other executors do in this process changes no
    answer here. It takes 16 MB and 20 ms, so see `solver_pool.py`."""

    def __init__(self, inputs: Sequence[Term], bounds: Sequence[Term], rlimit: int) -> None:
        self.translator = Translator()
        self.aligned = 0  # this many constraints of the running path are known to be the first on the stack
        self._z3 = z3.SimpleSolver(ctx=self.translator.context)
        self._z3.set("arith.solver", 2)
        self.context = self.translator.context.ref()
        self._solver = self._z3.solver
        self.declarations = [self.translator.expression(term).decl() for term in inputs]
        for bound in bounds:
            self._z3.add(self.translator.expression(bound))
        self._limits = z3.ParamsRef(self.translator.context)
        self._limits.set("rlimit", rlimit)
        self._limits.set("ctrl_c", False)  # Ctrl-C is Python's to see, not Z3's to swallow
        z3.Z3_solver_set_params(self.context, self._solver, self._limits.params)
        self._stack: list[Constraint] = []
        self._timed = False
        self._units_before = self._count_units()

    def check(
        self, path: Sequence[Constraint], last: Constraint | None, deadline: float | None
    ) -> Feasibility:
        """As `solver.Solver.check` has it. After an exception the session is of no use."""
        self._align(path)
        if last is not None:
            self._assert(last)
        self._limit(deadline)
        answer = _ANSWERS[z3.Z3_solver_check(self.context, self._solver)]
        if last is not None and answer != "sat":
            z3.Z3_solver_pop(self.context, self._solver, 1)
            self._stack.pop()
        return answer

    def model(self) -> Any:
        return self._z3.model()

    def units(self) -> int:
        return self._count_units() - self._units_before

    def _count_units(self) -> int:
        try:
            return int(self._z3.statistics().get_key_value("rlimit count"))
        except z3.Z3Exception:  # nothing was counted yet, or there is no memory to say so
            return 0

    def _align(self, path: Sequence[Constraint]) -> None:
        stack, keep = self._stack, self.aligned
        most = min(len(stack), len(path))
        while keep < most and stack[keep] == path[keep]:
            keep += 1
        if len(stack) > keep:
            z3.Z3_solver_pop(self.context, self._solver, len(stack) - keep)
            del stack[keep:]
        for constraint in path[keep:]:
            self._assert(constraint)
        self.aligned = len(path)

    def _assert(self, constraint: Constraint) -> None:
        term, side = constraint
        expression = self.translator.expression(term if side else negate(term))
        z3.Z3_solver_push(self.context, self._solver)
        self._stack.append(constraint)
        z3.Z3_solver_assert(self.context, self._solver, expression.ast)

    def _limit(self, deadline: float | None) -> None:
        if deadline is None and not self._timed:
            return
        left = 0xFFFFFFFF if deadline is None else max(1, int((deadline - time.monotonic()) * 1000))
        self._limits.set("timeout", left)
        z3.Z3_solver_set_params(self.context, self._solver, self._limits.params)
        self._timed = deadline is not None


def is_outage(error: BaseException) -> bool:
    """Z3 says `out of memory` in bytes, or has become too large to be given any."""
    return isinstance(error, MemoryError) or "memory" in str(error)
