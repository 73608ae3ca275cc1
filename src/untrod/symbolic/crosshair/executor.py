"""The protocol of executors, with CrossHair behind it."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from importlib import metadata
from itertools import count
from typing import Any

from untrod.core.errors import MissingExtra, UntrodError
from untrod.symbolic.crosshair.origins import OriginFinder
from untrod.symbolic.protocol import (
    Branch,
    BranchPolicy,
    Condition,
    Feasibility,
    Location,
    PathResult,
    PathStats,
    State,
)
from untrod.symbolic.shapes import Arguments

PACKAGE = "crosshair-tool"
KNOWN = (
    "0.0.112"  # as pinned in pyproject.toml; move both, then run tests/symbolic/test_crosshair_contract.py
)
SOLVER_UNITS = 5_000_000  # for each question to the solver: one or two seconds


def require() -> None:
    """Raises UntrodError when CrossHair is missing or of another version than the one that is driven here."""
    try:
        found = metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        raise MissingExtra(PACKAGE, "symbolic") from None
    if found != KNOWN:
        raise UntrodError(
            f"{PACKAGE} {found} is installed, but only {KNOWN} is known to work",
            "run: pip install 'untrod[symbolic]'",
        )


class CrosshairExecutor:
    """Runs `function` on symbolic arguments: of the shape `arguments`, or made from its annotations.

    `files` are those whose branches count as the user's; by default, the file of the function. `solver_units`
    bounds each question to the solver, `seed` is the solver's. Nothing is kept between paths, so states can
    be advanced in any order and as often as one likes, and `release` has nothing to do.

    The deadline is looked at whenever a decision is due, and bounds the solver; code that runs without asking
    anything is not interrupted.
    """

    name = "crosshair"
    capabilities = frozenset(
        {"int", "bool", "float", "str", "bytes", "list", "tuple", "dict", "set", "class", "enum", "union"}
    )

    def __init__(
        self,
        function: Callable[..., Any],
        arguments: Arguments | None = None,
        *,
        seed: int = 0,
        solver_units: int = SOLVER_UNITS,
        files: Collection[str] | None = None,
    ) -> None:
        require()
        from untrod.symbolic.crosshair.arguments import Annotated, Shaped

        self._function = function
        self._arguments = Annotated(function) if arguments is None else Shaped(arguments)
        self._origins = OriginFinder(function, files)
        self._seed = seed
        self._solver_units = solver_units
        self._ids = count(1)

    def initial(self) -> State:
        return State(0, None, feasibility="sat")

    def advance(
        self, state: State, policy: BranchPolicy, *, max_branches: int, deadline: float | None = None
    ) -> PathResult:
        result = self._walk(state, policy, max_branches, deadline)
        if result.status == "diverged":
            # A cache that was filled meanwhile looks like this, and is full now. The policy was not asked
            # yet: a path can only diverge within its prefix.
            result = self._walk(state, policy, max_branches, deadline)
        return result

    def check(self, state: State) -> Feasibility:
        if state.feasibility in ("sat", "unsat"):
            return state.feasibility
        result = self._reach(state)
        if result.status == "infeasible":
            return "unsat"
        return "sat" if len(result.branches) >= state.depth else "unknown"

    def solve(self, state: State, *, deadline: float | None = None) -> tuple[Any, ...] | None:
        return None if state.feasibility == "unsat" else self._reach(state, deadline).inputs

    def release(self, ids: Iterable[int]) -> None:
        pass

    def _reach(self, state: State, deadline: float | None = None) -> PathResult:
        """As far as `state`, and no further."""
        most = state.depth + _ARGUMENTS
        return self._walk(state, _Anywhere(), most, deadline, stop_at=state.depth)

    def _walk(
        self,
        state: State,
        policy: BranchPolicy,
        max_branches: int,
        deadline: float | None = None,
        stop_at: int | None = None,
    ) -> PathResult:
        from untrod.symbolic.crosshair.decisions import Decisions
        from untrod.symbolic.crosshair.path import walk
        from untrod.symbolic.crosshair.space import DecidingSpace

        if state.feasibility == "unsat":
            return PathResult("infeasible", ())
        started = time.process_time()
        space = DecidingSpace(
            self._origins,
            lambda solve: Decisions(
                policy,
                solve,
                _prefix(state),
                check_last=state.feasibility != "sat",
                max_branches=max_branches,
                stop_at=stop_at,
                deadline=deadline,
            ),
            deadline=deadline,
            seed=self._seed,
            solver_units=self._solver_units,
        )
        ending = walk(self._function, self._arguments, space)
        branches, meter = tuple(space.decisions.branches), space.meter
        return PathResult(
            ending.status,
            branches,
            tuple(self._siblings(state, branches, space.costs)),
            ending.inputs,
            ending.value,
            ending.error,
            ending.reason,
            PathStats(meter.calls, meter.units, meter.hits, time.process_time() - started),
        )

    def _siblings(self, state: State, branches: tuple[Branch, ...], costs: Sequence[int]) -> Iterable[State]:
        for depth in range(state.depth + 1, len(branches) + 1):
            if branches[depth - 1].other == "unchecked":
                cost = state.query_cost + costs[depth - 1]
                yield State(next(self._ids), state.id, branches, depth, cost)


_ARGUMENTS = 1_000  # decisions that making the arguments may take


class _Anywhere:
    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        return False

    def feedback(self, branch: Branch, feasible: bool) -> None:
        pass


def _prefix(state: State) -> tuple[Branch, ...]:
    if not state.depth:
        return ()
    last = state.trail[state.depth - 1]
    flipped = replace(last, wanted=not last.taken, taken=not last.taken, other="sat")
    return (*state.trail[: state.depth - 1], flipped)
