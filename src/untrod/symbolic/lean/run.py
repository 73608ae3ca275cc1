"""One path: every question that the code under test asks of a symbolic value, and how it was answered."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from os.path import dirname
from types import FrameType
from typing import NoReturn

from untrod.symbolic.lean.candidate import Candidate
from untrod.symbolic.lean.current import Stop
from untrod.symbolic.lean.folding import all_of, equal
from untrod.symbolic.lean.memory import Memory
from untrod.symbolic.lean.session import Constraint
from untrod.symbolic.lean.terms import ADD, AND, CONST, EQUAL, FLAG, NOT, PYTHON, Term, constant
from untrod.symbolic.protocol import (
    Branch,
    BranchKind,
    BranchPolicy,
    Enough,
    Feasibility,
    Location,
    State,
    Status,
)

_ENGINE = dirname(__file__)
_UNCHECKED: Feasibility = "unchecked"
REFUSALS = 16
"""A policy may refuse this many values in a row for one concretisation; there may be no end of them."""


class PathRun:
    """Walks `state.path()` first, which is known to be feasible, then asks `policy`.

    The invariant: there is an input that walks `constraints`. So the solver is asked about the wanted side
    only; where that is infeasible, the other one is not. `candidate`, when there is one, is such an input.
    """

    def __init__(
        self, memory: Memory, state: State, policy: BranchPolicy, max_branches: int, deadline: float | None
    ) -> None:
        self.branches: list[Branch] = []
        self.constraints: list[Constraint] = []
        self.calls_at: list[int] = []  # solver calls made before each branch
        self.instructions_at: list[int] = []
        self.stopped: Stop | None = None
        self.hits = 0
        self._memory = memory
        self._solver = memory.solver
        self._candidate: Candidate | None = memory.candidate
        self._state = state
        self._prefix = state.path()
        self._policy = policy
        self._max_branches = max_branches
        self._deadline = deadline
        self._answers: dict[Term, bool] = {}
        self._fixed: dict[Term, int] = {}
        self._insist = False  # the policy has refused enough

    def branch(self, term: Term, kind: BranchKind = "user") -> bool:
        """Which side does the path take? Called by proxies, from inside the code under test."""
        if self.stopped is not None:
            raise self.stopped
        if term.op == CONST:
            return bool(term.value)
        if self._fixed:
            settled = self._settled(term)
            if settled is not None:
                return bool(settled)
        depth = len(self.branches)
        if depth >= self._max_branches:
            self.stop("limit", f"more than {self._max_branches} branches")
        if self._deadline is not None and time.monotonic() > self._deadline:
            self.stop("limit", "out of time")
        location = self._memory.locations.of(_frame())
        base, positive = (term.args[0], False) if term.op == NOT else (term, True)
        known = self._answers.get(base)
        if depth < len(self._prefix):
            expected = self._state.trail[depth]
            if expected.condition.key != term.key or expected.location != location:
                self.stop("diverged", f"expected {_spell(expected.location)}, met {_spell(location)}")
        if known is not None:
            taken = known == positive
            branch = Branch(location, term, taken, taken, "unsat", "implied")
        else:
            step = self._follow if depth < len(self._prefix) else self._choose
            branch = step(location, term, kind)
            taken = branch.taken
            self._answers[base] = taken == positive
        self.branches.append(branch)
        self.calls_at.append(self._solver.calls)
        self.instructions_at.append(self._memory.instructions)
        return taken

    def concretise(self, terms: Sequence[Term]) -> list[int]:
        """Make these concrete: the decision "are they what they are under some input of this path?"."""
        refused = 0
        while undecided := [_core(term) for term in terms if self._settled(term) is None]:
            if len(self.branches) < len(self._prefix):
                values = self._expected_values(undecided)
            else:
                candidate = self.candidate()
                values = [candidate.evaluate(term) for term in undecided]
            pairs = list(zip(undecided, values, strict=True))
            self._insist = refused >= REFUSALS
            if self.branch(all_of(equal(term, constant(value)) for term, value in pairs), "value"):
                self._fixed.update(pairs)
            refused += 1
        self._insist = False
        settled = [self._settled(term) for term in terms]
        return [value for value in settled if value is not None]

    def candidate(self) -> Candidate:
        """An input that walks the path so far."""
        if self._candidate is None:
            answer = self._solver.check(self.constraints, deadline=self._deadline)
            if answer != "sat":
                self._give_up(f"no input found for a path of {len(self.constraints)} constraints: {answer}")
            self._candidate = self._memory.candidate = self._solver.candidate()
        return self._candidate

    def stop(self, status: Status, reason: str) -> NoReturn:
        self.stopped = Stop(status, reason)
        raise self.stopped

    def followed(self) -> bool:
        """Has the path come to the state it was to start from?"""
        return len(self.branches) >= len(self._prefix)

    def _choose(self, location: Location, term: Term, kind: BranchKind) -> Branch:
        """Beyond the prefix."""
        try:
            wanted = self._insist or self._policy.decide(location, term, self.branches)
        except Enough as enough:
            self.stop("limit", str(enough))
        answer = self._feasible(term, wanted)
        taken, other = wanted, _UNCHECKED
        if answer != "sat":
            taken, other = not wanted, answer
            if answer == "unknown" and self._feasible(term, taken) != "sat":
                self._give_up("the solver gave up on both sides of a branch")
        self._take(term, taken)
        branch = Branch(location, term, wanted, taken, other, kind)
        if answer != "unknown" and not self._insist:
            self._policy.feedback(branch, answer == "sat")
        return branch

    def _follow(self, location: Location, term: Term, kind: BranchKind) -> Branch:
        """Along the prefix: known to be feasible. The trail went the other way at the last decision."""
        depth = len(self.branches)
        taken, other = self._prefix[depth], self._state.trail[depth].other
        if depth == len(self._prefix) - 1:
            other = "sat"
        self._take(term, taken)
        return Branch(location, term, taken, taken, other, kind)

    def _feasible(self, term: Term, side: bool) -> Feasibility:
        reuse = self._memory.reuse
        if self._candidate is not None and self._candidate.evaluate(term) == side:
            self.hits += 1
            reuse.hit()
            return "sat"
        answer = self._solver.check(self.constraints, (term, side), self._deadline)
        if answer == "sat":
            if self._candidate is not None:
                reuse.used_up()
                self._candidate = None
            if reuse.wants_model():
                self._candidate = self._memory.candidate = self._solver.candidate()
        return answer

    def _take(self, term: Term, side: bool) -> None:
        self.constraints.append((term, side))
        if self._candidate is not None and self._candidate.evaluate(term) != side:
            self._candidate = None

    def _give_up(self, reason: str) -> NoReturn:
        if self._deadline is not None and time.monotonic() > self._deadline:
            self.stop("limit", "out of time")
        self.stop("unknown", reason)

    def _settled(self, term: Term, deep: int = 8) -> int | None:
        """The one value that concretisations have left to `term`, if so. Looks `deep` levels down."""
        if term.op == CONST:
            return term.value  # type: ignore[no-any-return]
        if not self._fixed:
            return None
        value = self._fixed.get(term)
        if value is not None or term.op <= FLAG or not deep:
            return value
        values = []
        for arg in term.args:
            value = self._settled(arg, deep - 1)
            if value is None:
                return None
            values.append(value)
        return PYTHON[term.op](*values)  # type: ignore[no-any-return]

    def _expected_values(self, terms: Sequence[Term]) -> list[int]:
        """The values that the trail had here: re-running must ask the same question."""
        condition = self._state.trail[len(self.branches)].condition
        assert isinstance(condition, Term)
        asked = condition.args if condition.op == AND else (condition,)
        values = {
            part.args[0].key: part.args[1].value
            for part in asked
            if isinstance(part, Term) and part.op == EQUAL and part.args[1].op == CONST
        }
        if any(term.key not in values for term in terms):
            self.stop("diverged", "another value was asked for than before")
        return [values[term.key] for term in terms]


def _core(term: Term) -> Term:
    """Without a constant summand: what `folding.equal` leaves on the left of an equation."""
    return term.args[0] if term.op == ADD and term.args[1].op == CONST else term


def _frame() -> FrameType:
    """The innermost frame that is not the engine's."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename.startswith(_ENGINE) and frame.f_back is not None:
        frame = frame.f_back
    return frame


def _spell(location: Location) -> str:
    return f"{location.unit} line {location.line}"
