"""Which engine runs a function, and why: lean where it can, CrossHair where it must.

Lean is several times faster and knows ints, bools and characters. CrossHair knows far more of Python. So a
shape of ints, bools and characters starts on lean, and moves to CrossHair when a fifth of its paths turn out
to need what lean cannot model, or do something else when they are run for real. Nothing that was not
confirmed by a concrete run leaves here as a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from untrod.core.errors import MissingExtra, UntrodError
from untrod.symbolic.concrete import differs, disagreement
from untrod.symbolic.lean.suits import unsuited
from untrod.symbolic.protocol import (
    Branch,
    BranchPolicy,
    Feasibility,
    Follower,
    MeasuresShortfalls,
    PathResult,
    State,
    SymbolicExecutor,
)
from untrod.symbolic.shapes import Arguments

EngineName = Literal["lean", "crosshair"]
TOLERATED = 5
"""One path in so many may be lost to an engine before another one is tried."""


@dataclass(frozen=True, slots=True)
class Route:
    """The engine, and in words why."""

    engine: EngineName
    reason: str


def route(arguments: Arguments) -> Route:
    """The engine to begin with."""
    beyond = unsuited(arguments)
    if beyond:
        return Route("crosshair", f"lean cannot take {beyond}")
    return Route("lean", "every input is an int, a bool or a character")


def make_executor(engine: str, function: Callable[..., Any], arguments: Arguments) -> SymbolicExecutor:
    """The engine of that name. Raises UntrodError for another name, or when the extra is not installed."""
    if engine not in _ENGINES:
        raise UntrodError(f"there is no engine {engine!r}", f"choose from {', '.join(_ENGINES)}")
    try:
        return _ENGINES[engine](function, arguments)
    except ImportError as error:
        raise MissingExtra(error.name or engine, "symbolic") from error


class RoutedExecutor:
    """An executor that starts on one engine and changes to the other for good when it has to.

    States of the engine that was left cannot be continued: advancing one gives `unsupported`. Start again
    from `initial()`, as the path that made the change was. `route` always tells the engine and the reason.
    """

    def __init__(
        self, function: Callable[..., Any], arguments: Arguments, make: Callable[..., Any] = make_executor
    ) -> None:
        self._function = function
        self._arguments = arguments
        self._make = make
        self._paths = self._lost = 0
        self.route = route(arguments)
        self._executor: SymbolicExecutor = make(self.route.engine, function, arguments)
        self._left: SymbolicExecutor | None = None

    @property
    def name(self) -> str:
        return self._executor.name

    @property
    def capabilities(self) -> frozenset[str]:
        return self._executor.capabilities

    def initial(self) -> State:
        return self._executor.initial()

    def advance(
        self, state: State, policy: BranchPolicy, *, max_branches: int, deadline: float | None = None
    ) -> PathResult:
        if self._is_stale(state):
            return PathResult(
                "unsupported", (), reason=f"a state of the engine that was left: {self.route.reason}"
            )
        result = self._judged(
            self._executor.advance(state, policy, max_branches=max_branches, deadline=deadline)
        )
        if result.status != "unsupported" or not self._change(result.reason):
            return result
        result = self._executor.advance(self.initial(), policy, max_branches=max_branches, deadline=deadline)
        return self._judged(result)

    def check(self, state: State) -> Feasibility:
        return "unknown" if self._is_stale(state) else self._executor.check(state)

    def solve(self, state: State, *, deadline: float | None = None) -> tuple[Any, ...] | None:
        return None if self._is_stale(state) else self._executor.solve(state, deadline=deadline)

    def follow(self, inputs: tuple[Any, ...]) -> BranchPolicy:
        """For the capability `follow`."""
        return cast(Follower, self._executor).follow(inputs)

    def shortfalls(self, branches: Sequence[Branch], inputs: tuple[Any, ...]) -> Sequence[int | None]:
        """For the capability of that name."""
        return cast(MeasuresShortfalls, self._executor).shortfalls(branches, inputs)

    def release(self, ids: Iterable[int]) -> None:
        self._executor.release(ids)

    def _judged(self, result: PathResult) -> PathResult:
        """A path that does something else when it is run for real is not a result."""
        self._paths += 1
        found = disagreement(self._function, result)
        if found and result.inputs is not None and differs(self._function, result.inputs):
            reason = "two runs on the same input differ: the function is not deterministic"
            result = replace(result, status="diverged", reason=reason)
        elif found:
            result = replace(result, status="unsupported", reason=f"not confirmed: {found}")
        self._lost += result.status == "unsupported"
        return result

    def _change(self, reason: str) -> bool:
        if self.route.engine != "lean" or self._lost * TOLERATED < self._paths:
            return False
        try:
            other: SymbolicExecutor = self._make("crosshair", self._function, self._arguments)
        except UntrodError as error:
            self.route = Route("lean", f"CrossHair cannot take over ({error.message}); needed for: {reason}")
            return False
        self.route = Route(
            "crosshair", f"lean lost {self._lost} of {self._paths} paths, the last by: {reason}"
        )
        self._left, self._executor = self._executor, other
        self._paths = self._lost = 0
        return True

    def _is_stale(self, state: State) -> bool:
        """Conditions tell which engine a state is of: terms are lean's."""
        if self._left is None or not state.trail:
            return False
        return type(state.trail[0].condition).__module__.startswith("untrod.symbolic.lean.")


def _lean(function: Callable[..., Any], arguments: Arguments) -> SymbolicExecutor:
    from untrod.symbolic.lean.executor import LeanExecutor

    return LeanExecutor(function, arguments)


def _crosshair(function: Callable[..., Any], arguments: Arguments) -> SymbolicExecutor:
    from untrod.symbolic.crosshair.executor import CrosshairExecutor

    return CrosshairExecutor(function, arguments)


_ENGINES: dict[str, Callable[[Callable[..., Any], Arguments], SymbolicExecutor]] = {
    "lean": _lean,
    "crosshair": _crosshair,
}
