"""The decisions of one path: repeated while the prefix lasts, then asked of the policy, all written down."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from untrod.symbolic.crosshair.condition import CrosshairCondition
from untrod.symbolic.crosshair.origins import Origin
from untrod.symbolic.protocol import Branch, BranchKind, BranchPolicy, Enough, Feasibility, Status

Solve = Callable[[CrosshairCondition, bool], Feasibility]
"""Can the condition come out this way, on the path so far?"""

_OPEN = (0.25, 0.75)  # CrossHair's probabilities within are a genuine choice; outside, they are its advice


class Stop(BaseException):
    """Ends the run of the code under test. No Exception, which that code may well catch."""

    def __init__(self, status: Status, reason: str = "") -> None:
        super().__init__(reason)
        self.status: Status = status
        self.reason = reason


class Broken(Stop):
    """The policy raised: our own mistake, to come out at the other end of the code under test."""

    def __init__(self, error: Exception) -> None:
        super().__init__("unsupported", repr(error))
        self.error = error


class Decisions:
    """`take` answers one question and records the answer; `certain` records one that had been asked before.

    The first decisions are those of `prefix`, and each must be the same question as before: if it is not, the
    function is not deterministic. Of the prefix, only the last decision may be infeasible (`check_last`).

    After the prefix, the policy is asked where the code under test branches, and where CrossHair's modelling
    has no firm opinion. Where it has one, it is followed: it keeps the modelling out of odd corners ("this
    dict is not consistent"). A side of probability 0 could only be ignored, so it counts as infeasible.
    """

    def __init__(
        self,
        policy: BranchPolicy,
        solve: Solve,
        prefix: Sequence[Branch] = (),
        *,
        check_last: bool = True,
        max_branches: int,
        stop_at: int | None = None,
        deadline: float | None = None,
    ) -> None:
        self.branches: list[Branch] = []
        self.stopped: Stop | None = None
        self._policy = policy
        self._solve = solve
        self._prefix = prefix
        self._check_last = check_last
        self._max_branches = max_branches
        self._stop_at = stop_at
        self._deadline = deadline

    @property
    def complete(self) -> bool:
        """Whether the prefix is over."""
        return len(self.branches) >= len(self._prefix)

    @property
    def arrived(self) -> bool:
        """Whether the place that was asked for is reached."""
        return self._stop_at is not None and len(self.branches) >= self._stop_at

    @property
    def late(self) -> bool:
        return self._deadline is not None and time.monotonic() > self._deadline

    def upcoming(self) -> Branch | None:
        """The branch that the prefix has for the next question."""
        return None if self.complete else self._prefix[len(self.branches)]

    def take(
        self, condition: CrosshairCondition, origin: Origin, kind: BranchKind, hint: float | None
    ) -> bool:
        self._go_on()
        fresh = Branch(origin.location, condition, True, True, "unchecked", kind)
        branch = self._repeat(fresh) if not self.complete else self._choose(fresh, condition, hint)
        self.branches.append(branch)
        return branch.taken

    def certain(self, condition: CrosshairCondition, origin: Origin, answer: bool) -> None:
        """A branch of the code under test on a condition that the path has settled already."""
        self._go_on()
        branch = Branch(origin.location, condition, answer, answer, "unsat", "implied")
        self.branches.append(branch if self.complete else self._repeat(branch))

    def stop(self, status: Status, reason: str = "") -> Stop:
        """What to raise. Kept, so that code which catches everything meets it again at its next question."""
        self.stopped = Stop(status, reason)
        return self.stopped

    def _go_on(self) -> None:
        if self.stopped is not None:
            raise self.stopped
        if self.arrived:
            raise self.stop("limit", "as far as was asked for")
        if self.late:
            raise self.stop("limit", "past the deadline")
        if self.complete and len(self.branches) >= self._max_branches:
            raise self.stop("limit", f"more than {self._max_branches} branches")

    def _repeat(self, fresh: Branch) -> Branch:
        number = len(self.branches)
        branch = self._prefix[number]
        condition = fresh.condition
        assert isinstance(condition, CrosshairCondition)
        if branch.location != fresh.location or not condition.same(branch.condition):
            raise self.stop(
                "diverged", f"decision {number + 1} was {_words(branch)}, and {_words(fresh)} when run again"
            )
        if self._check_last and number == len(self._prefix) - 1:
            feasible = self._solve(condition, branch.taken)
            if feasible == "unsat":
                raise self.stop("infeasible", f"no input: {_words(branch)}")
            if feasible == "unknown":
                raise self.stop("unknown", f"the solver gave up at {_words(branch)}")
        return branch

    def _choose(self, fresh: Branch, condition: CrosshairCondition, hint: float | None) -> Branch:
        """Solves the wanted side only. If that is infeasible the other is not, since the path so far is."""
        if fresh.kind == "value":
            return fresh  # proposed by a model
        asked = hint is None or _OPEN[0] <= hint <= _OPEN[1]
        wanted = self._ask(fresh) if asked else hint is not None and hint > 0.5
        feasible = self._solve(condition, wanted)
        if feasible == "unknown":
            return self._choose_blindly(replace(fresh, wanted=wanted), condition)
        other: Feasibility = "unchecked" if feasible == "sat" and hint not in (0.0, 1.0) else "unsat"
        branch = replace(fresh, wanted=wanted, taken=wanted if feasible == "sat" else not wanted, other=other)
        if asked:
            self._tell(branch, feasible == "sat")
        return branch

    def _choose_blindly(self, fresh: Branch, condition: CrosshairCondition) -> Branch:
        """The solver gave up on the wanted side. That is not infeasible, so the policy is not told so."""
        other = self._solve(condition, not fresh.wanted)
        if other == "unknown":
            raise self.stop("unknown", f"the solver gave up on both sides of {_words(fresh)}")
        if other == "unsat":
            return replace(fresh, taken=fresh.wanted, other="unsat")
        return replace(fresh, taken=not fresh.wanted, other="unknown")

    def _ask(self, branch: Branch) -> bool:
        try:
            return bool(self._policy.decide(branch.location, branch.condition, self.branches))
        except Enough as enough:
            raise self.stop("limit", str(enough)) from None
        except Exception as error:
            self.stopped = Broken(error)
            raise self.stopped from error

    def _tell(self, branch: Branch, feasible: bool) -> None:
        try:
            self._policy.feedback(branch, feasible)
        except Exception as error:
            self.stopped = Broken(error)
            raise self.stopped from error


def _words(branch: Branch) -> str:
    condition = " ".join(branch.condition.smt2().split())
    return f"{condition:.80} in {branch.location.unit}, line {branch.location.line}"
