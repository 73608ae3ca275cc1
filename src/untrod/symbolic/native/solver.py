"""An input for a path: sets of bytes where single bytes decide, Z3 where several do."""

from __future__ import annotations

import importlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from untrod.symbolic.native.conditions import ALL, NativeCondition, intervals
from untrod.symbolic.native.terms import Term
from untrod.symbolic.protocol import Feasibility

RLIMIT = 3_000_000
"""Z3's units for one question: about half a second."""
MOST_KNOWN = 50_000
PRINTABLE = sum(1 << byte for byte in range(32, 127))
Constraint = tuple[NativeCondition, bool]


class NativeSolver:
    """`calls` and `units` count what Z3 was asked, `masks` what was answered without."""

    def __init__(self, rlimit: int = RLIMIT, seed: int = 0) -> None:
        self._rlimit = rlimit
        self._rng = Random(seed)
        self._known: OrderedDict[Any, tuple[Feasibility, dict[int, int]]] = OrderedDict()
        self.calls = self.units = self.masks = 0
        self._z3: Any = None
        self._translated: dict[Term, Any] = {}

    def solve(
        self, constraints: Sequence[Constraint], flat: bytes | bytearray
    ) -> tuple[Feasibility, bytearray | None]:
        """All constraints but the last hold for `flat`, which is changed as little as can be."""
        slice_, vars = _sliced(constraints)
        masks = _masks(constraints, vars)
        if not all(masks.values()):
            return "unsat", None
        found = bytearray(flat)
        if slice_:
            key = (frozenset(slice_), tuple(masks.items()))
            answer, model = self._ask(key, slice_, masks)
            if answer != "sat":
                return answer, None
            for variable, byte in model.items():
                found[variable] = byte
        else:
            self.masks += 1
        for variable, mask in masks.items():
            if not mask >> found[variable] & 1:
                found[variable] = self._pick(mask)
        return "sat", found

    def solve_all(
        self, constraints: Sequence[Constraint], flat: bytes | bytearray
    ) -> tuple[Feasibility, bytearray | None]:
        """Where nothing is known to hold for `flat`."""
        done: list[Constraint] = []
        found = bytearray(flat)
        for constraint in constraints:
            done.append(constraint)
            if constraint[0].holds(found) != constraint[1]:
                answer, better = self.solve(done, found)
                if better is None:
                    return answer, None
                found = better
        return "sat", found

    def forget(self) -> None:
        self._known.clear()
        self._translated.clear()

    def _pick(self, mask: int) -> int:
        """Something that a person can read, if there is anything."""
        choice = mask & PRINTABLE or mask
        for _ in range(self._rng.randrange(choice.bit_count())):
            choice &= choice - 1
        return (choice & -choice).bit_length() - 1

    # -- Z3 ---------------------------------------------------------------------------------------

    def _ask(
        self, key: Any, constraints: Iterable[Constraint], masks: dict[int, int]
    ) -> tuple[Feasibility, dict[int, int]]:
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._check(constraints, masks)
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        return found

    def _check(
        self, constraints: Iterable[Constraint], masks: dict[int, int]
    ) -> tuple[Feasibility, dict[int, int]]:
        if self._z3 is None:
            self._z3 = importlib.import_module("z3")
        z3 = self._z3
        self.calls += 1
        solver = z3.SolverFor("QF_BV")
        solver.set("rlimit", self._rlimit)
        for condition, side in constraints:
            truth = self._translate(condition.term)
            solver.add(truth if side else z3.Not(truth))
        for variable, mask in masks.items():
            if mask != ALL:
                byte = self._byte(variable)
                ranges = [z3.And(z3.UGE(byte, low), z3.ULE(byte, high)) for low, high in intervals(mask)]
                solver.add(z3.Or(*ranges))
        answer = str(solver.check())
        self.units += _units(solver)
        if answer != "sat":
            return ("unsat" if answer == "unsat" else "unknown"), {}
        model = solver.model()
        return "sat", {
            variable: model.eval(self._byte(variable), model_completion=True).as_long() for variable in masks
        }

    def _byte(self, variable: int) -> Any:
        return self._z3.BitVec(f"i{variable}", 8)

    def _translate(self, value: Any, size: int = 0) -> Any:
        z3 = self._z3
        if value.__class__ is not Term:
            return z3.BoolVal(bool(value)) if not size else z3.BitVecVal(value, size)
        found = self._translated.get(value)
        if found is None:
            found = self._translated[value] = self._operation(value)
        return found

    def _operation(self, term: Term) -> Any:
        z3, op, args, size = self._z3, term.op, term.args, term.size
        if op == "var":
            return self._byte(args[0])
        if op == "ite":
            return z3.If(
                self._translate(args[0]), self._translate(args[1], size), self._translate(args[2], size)
            )
        if op in ("zx", "sx"):
            inner = self._translate(args[0])
            return (z3.ZeroExt if op == "zx" else z3.SignExt)(size - args[0].size, inner)
        if op == "extract":
            return z3.Extract(args[1] + size - 1, args[1], self._translate(args[0]))
        if op == "concat":
            high, low, width = args
            return z3.Concat(self._translate(high, size - width), self._translate(low, width))
        if op == "both":
            return z3.And(self._translate(args[0]), self._translate(args[1]))
        if op == "not":
            return z3.Not(self._translate(args[0]))
        if op in _COMPARED:
            left, right = self._translate(args[0], args[2]), self._translate(args[1], args[2])
            return _COMPARED[op](z3, left, right)
        return _COMPUTED[op](z3, self._translate(args[0], size), self._translate(args[1], size))


_COMPARED: dict[str, Any] = {
    "eq": lambda z3, a, b: a == b,
    "ult": lambda z3, a, b: z3.ULT(a, b),
    "ule": lambda z3, a, b: z3.ULE(a, b),
    "slt": lambda z3, a, b: a < b,
    "sle": lambda z3, a, b: a <= b,
}
_COMPUTED: dict[str, Any] = {
    "add": lambda z3, a, b: a + b,
    "sub": lambda z3, a, b: a - b,
    "mul": lambda z3, a, b: a * b,
    "and": lambda z3, a, b: a & b,
    "or": lambda z3, a, b: a | b,
    "xor": lambda z3, a, b: a ^ b,
    "shl": lambda z3, a, b: a << b,
    "lshr": lambda z3, a, b: z3.LShR(a, b),
    "ashr": lambda z3, a, b: a >> b,
    "udiv": lambda z3, a, b: z3.UDiv(a, b),
    "urem": lambda z3, a, b: z3.URem(a, b),
    "sdiv": lambda z3, a, b: a / b,
    "srem": lambda z3, a, b: z3.SRem(a, b),
    "rol": lambda z3, a, b: z3.RotateLeft(a, b),
    "ror": lambda z3, a, b: z3.RotateRight(a, b),
}


def _sliced(constraints: Sequence[Constraint]) -> tuple[list[Constraint], int]:
    """Those on several bytes that share bytes with the last one, or with each other; and all the bytes."""
    vars = constraints[-1][0].vars
    left = [c for c in dict.fromkeys(constraints) if c[0].variable is None]
    chosen: list[Constraint] = []
    grown = True
    while grown:
        grown, rest = False, []
        for constraint in left:
            if constraint[0].vars & vars:
                chosen.append(constraint)
                grown = grown or bool(constraint[0].vars & ~vars)
                vars |= constraint[0].vars
            else:
                rest.append(constraint)
        left = rest
    return chosen, vars


def _masks(constraints: Sequence[Constraint], vars: int) -> dict[int, int]:
    """What each of these bytes may be, as far as single bytes say."""
    found: dict[int, int] = {}
    while vars:
        lowest = vars & -vars
        found[lowest.bit_length() - 1] = ALL
        vars ^= lowest
    for condition, side in constraints:
        if condition.variable in found:
            found[condition.variable] &= condition.values(side)
    return found


def _units(solver: Any) -> int:
    for key, value in solver.statistics():
        if key == "rlimit count":
            return int(value)
    return 0
