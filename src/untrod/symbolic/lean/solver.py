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

import z3  # type: ignore[import-untyped]

from untrod.symbolic.lean.candidate import Candidate
from untrod.symbolic.lean.folding import any_of, at_most, between, negate
from untrod.symbolic.lean.terms import FLAG, Term, constant, flag, variable
from untrod.symbolic.lean.translate import Translator
from untrod.symbolic.protocol import Feasibility
from untrod.symbolic.shapes import Bool, Char, Int, Leaf

Constraint = tuple[Term, bool]
"""A condition and the side of it that was taken."""

_ANSWERS: dict[int, Feasibility] = {z3.Z3_L_TRUE: "sat", z3.Z3_L_FALSE: "unsat", z3.Z3_L_UNDEF: "unknown"}


class Solver:
    """`rlimit` bounds every single check, in Z3's own units: the same on every machine."""

    def __init__(self, leaves: Sequence[Leaf], rlimit: int) -> None:
        self.inputs = [_input(number, leaf) for number, leaf in enumerate(leaves)]
        self.calls = 0
        self._leaves = leaves
        self._rlimit = rlimit
        self._fresh()

    def _fresh(self) -> None:
        # A context of its own: what other executors do in this process changes no answer here.
        self._translator = Translator()
        self._z3 = z3.SimpleSolver(ctx=self._translator.context)
        self._z3.set("arith.solver", 2)
        self._context = self._translator.context.ref()
        self._solver = self._z3.solver
        self._declarations = [self._translator.expression(term).decl() for term in self.inputs]
        for term, leaf in zip(self.inputs, self._leaves, strict=True):
            for bound in _bounds(term, leaf):
                self._z3.add(self._translator.expression(bound))
        self._limits = z3.ParamsRef(self._translator.context)
        self._limits.set("rlimit", self._rlimit)
        self._limits.set("ctrl_c", False)  # Ctrl-C is Python's to see, not Z3's to swallow
        z3.Z3_solver_set_params(self._context, self._solver, self._limits.params)
        self._stack: list[Constraint] = []
        self._aligned = 0  # this many constraints of the running path are known to be the first on the stack
        self._timed = self._broken = False
        self._units_before = self._count_units()

    def begin(self) -> None:
        """A new path begins: the stack may share any prefix with it, or none."""
        self._aligned = 0

    def reset(self) -> None:
        """Start again with nothing asserted, giving memory back."""
        spent = self.units()
        self._fresh()
        self._units_before -= spent

    def __len__(self) -> int:
        """How many terms are held."""
        return len(self._translator)

    def check(
        self, path: Sequence[Constraint], last: Constraint | None = None, deadline: float | None = None
    ) -> Feasibility:
        """Is there an input that walks `path`, and takes `last` then? `unknown` also when time is over.

        What `path` has grown by since the last call of the same run is asserted; `last` stays asserted if
        the answer is `sat`, and the caller then appends it to its path.
        """
        if self._broken:
            self.reset()
        self._broken = True  # a RecursionError or Ctrl-C may strike anywhere from here on
        self._align(path)
        if last is not None:
            self._assert(last)
        self._limit(deadline)
        self.calls += 1
        answer = _ANSWERS[z3.Z3_solver_check(self._context, self._solver)]
        if last is not None and answer != "sat":
            z3.Z3_solver_pop(self._context, self._solver, 1)
            self._stack.pop()
        self._broken = False
        return answer

    def candidate(self) -> Candidate:
        """The inputs that the last check found; it must have answered `sat`."""
        model = self._z3.model()
        context, declarations, inputs = self._context, self._declarations, self.inputs

        def read(number: int) -> int:
            found = z3.Z3_model_get_const_interp(context, model.model, declarations[number].ast)
            if inputs[number].op == FLAG:
                return bool(found) and z3.Z3_get_bool_value(context, found) == z3.Z3_L_TRUE
            return int(z3.Z3_get_numeral_string(context, found)) if found else 0

        return Candidate(read)

    def units(self) -> int:
        """Solver units spent since this object was made. Slow: ask once a path."""
        return self._count_units() - self._units_before

    def _count_units(self) -> int:
        try:
            return int(self._z3.statistics().get_key_value("rlimit count"))
        except z3.Z3Exception:  # nothing was counted yet
            return 0

    def _align(self, path: Sequence[Constraint]) -> None:
        stack, keep = self._stack, self._aligned
        most = min(len(stack), len(path))
        while keep < most and stack[keep] == path[keep]:
            keep += 1
        if len(stack) > keep:
            z3.Z3_solver_pop(self._context, self._solver, len(stack) - keep)
            del stack[keep:]
        for constraint in path[keep:]:
            self._assert(constraint)
        self._aligned = len(path)

    def _assert(self, constraint: Constraint) -> None:
        term, side = constraint
        expression = self._translator.expression(term if side else negate(term))
        z3.Z3_solver_push(self._context, self._solver)
        self._stack.append(constraint)
        z3.Z3_solver_assert(self._context, self._solver, expression.ast)

    def _limit(self, deadline: float | None) -> None:
        if deadline is None and not self._timed:
            return
        left = 0xFFFFFFFF if deadline is None else max(1, int((deadline - time.monotonic()) * 1000))
        self._limits.set("timeout", left)
        z3.Z3_solver_set_params(self._context, self._solver, self._limits.params)
        self._timed = deadline is not None


def _input(number: int, leaf: Leaf) -> Term:
    match leaf:
        case Bool():
            return flag(number)
        case Int(low, high):
            return variable(number, low, high)
        case Char(None, low, high):
            return variable(number, low, high)
        case Char(alphabet):
            assert alphabet is not None
            codes = [ord(character) for character in alphabet]
            return variable(number, min(codes), max(codes))


def _bounds(term: Term, leaf: Leaf) -> list[Term]:
    """What the solver must be told of an input. Not folded: the input's own bounds would make it vanish."""
    match leaf:
        case Int(low, high) | Char(None, low, high):
            free = variable(term.args[0], None, None)
            bounds = [] if low is None else [at_most(constant(low), free)]
            return bounds if high is None else [*bounds, at_most(free, constant(high))]
        case Char(alphabet):
            assert alphabet is not None
            free = variable(term.args[0], None, None)
            codes = sorted({ord(character) for character in alphabet})
            return [any_of(between(first, free, last) for first, last in _ranges(codes))]
        case Bool():
            return []


def _ranges(codes: list[int]) -> list[tuple[int, int]]:
    """[97, 98, 99, 120] -> [(97, 99), (120, 120)]"""
    ranges: list[tuple[int, int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1] = (ranges[-1][0], code)
        else:
            ranges.append((code, code))
    return ranges
