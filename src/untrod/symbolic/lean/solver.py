"""The solver of one executor: questions about paths, and the inputs that walk them."""

from __future__ import annotations

from collections.abc import Sequence

import z3  # type: ignore[import-untyped]

from untrod.symbolic.lean.candidate import Candidate
from untrod.symbolic.lean.folding import any_of, at_most, between
from untrod.symbolic.lean.session import Constraint, Session, is_outage
from untrod.symbolic.lean.terms import FLAG, Term, constant, flag, variable
from untrod.symbolic.protocol import Feasibility
from untrod.symbolic.shapes import Bool, Char, Int, Leaf


class Solver:
    """`rlimit` bounds every single check, in Z3's own units: the same on every machine.

    Z3 itself is there from the first question on, until `release`; then again from the next one on.
    """

    def __init__(self, leaves: Sequence[Leaf], rlimit: int) -> None:
        self.inputs = [_input(number, leaf) for number, leaf in enumerate(leaves)]
        self.calls = 0
        self.outages = 0
        """How often Z3 has run out of memory."""
        self._bounds = [
            bound for term, leaf in zip(self.inputs, leaves, strict=True) for bound in _bounds(term, leaf)
        ]
        self._rlimit = rlimit
        self._session: Session | None = None
        self._spent = 0  # units, of the sessions before this one
        self._broken = False

    def begin(self) -> None:
        """A new path begins: the stack may share any prefix with it, or none."""
        if self._session is not None:
            self._session.aligned = 0

    def release(self) -> None:
        """Give all memory back. Who asks next starts again, with nothing asserted."""
        self._spent = self.units()
        self._session = None
        self._broken = False

    def __len__(self) -> int:
        """How many terms are held."""
        return len(self._session.translator) if self._session is not None else 0

    def check(
        self, path: Sequence[Constraint], last: Constraint | None = None, deadline: float | None = None
    ) -> Feasibility:
        """Is there an input that walks `path`, and takes `last` then? `unknown` also when time or memory is
        over.

        What `path` has grown by since the last call of the same run is asserted; `last` stays asserted if
        the answer is `sat`, and the caller then appends it to its path.
        """
        if self._broken:
            self.release()
        self._broken = True  # a RecursionError or Ctrl-C may strike anywhere from here on
        self.calls += 1
        try:
            answer = self._awake().check(path, last, deadline)
        except (z3.Z3Exception, MemoryError) as error:
            if not is_outage(error):
                raise
            self.outages += 1
            self.release()
            return "unknown"
        self._broken = False
        return answer

    def candidate(self) -> Candidate:
        """The inputs that the last check found; it must have answered `sat`."""
        session, inputs = self._awake(), self.inputs
        model, context, declarations = session.model(), session.context, session.declarations

        def read(number: int) -> int:
            found = z3.Z3_model_get_const_interp(context, model.model, declarations[number].ast)
            if inputs[number].op == FLAG:
                return bool(found) and z3.Z3_get_bool_value(context, found) == z3.Z3_L_TRUE
            return int(z3.Z3_get_numeral_string(context, found)) if found else 0

        return Candidate(read)

    def units(self) -> int:
        """Solver units spent since this object was made. Slow: ask once a path."""
        return self._spent + (self._session.units() if self._session is not None else 0)

    def _awake(self) -> Session:
        if self._session is None:
            self._session = Session(self.inputs, self._bounds, self._rlimit)
        return self._session


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
