"""CrossHair on arguments of a given shape: its executor, run on the flattened function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib import import_module
from typing import Any

from untrod.core.validity import Rejected
from untrod.symbolic.flat import flatten, restore
from untrod.symbolic.protocol import BranchPolicy, Feasibility, PathResult, State, SymbolicExecutor
from untrod.symbolic.shapes import Arguments


class SizedExecutor:
    """Hands over the flat function, and gives back inputs that fit the function itself."""

    def __init__(self, function: Callable[..., Any], arguments: Arguments) -> None:
        # By name: Z3 and CrossHair are imported with it.
        crosshair = import_module("untrod.symbolic.crosshair.executor").CrosshairExecutor
        code = getattr(inspect.unwrap(function), "__code__", None)
        files = () if code is None else (code.co_filename,)
        self._inner: SymbolicExecutor = crosshair(flatten(function, arguments), files=files)
        self._shape = arguments
        self.name = self._inner.name
        self.capabilities = self._inner.capabilities

    def initial(self) -> State:
        return self._inner.initial()

    def advance(
        self, state: State, policy: BranchPolicy, *, max_branches: int, deadline: float | None = None
    ) -> PathResult:
        result = self._inner.advance(state, policy, max_branches=max_branches, deadline=deadline)
        if isinstance(result.error, Rejected):  # also by the bounds of the shape
            return replace(result, status="ignored", inputs=None)
        return result if result.inputs is None else replace(result, inputs=self._restored(result.inputs))

    def check(self, state: State) -> Feasibility:
        return self._inner.check(state)

    def solve(self, state: State) -> tuple[Any, ...] | None:
        inputs = self._inner.solve(state)
        return None if inputs is None else self._restored(inputs)

    def release(self, ids: Iterable[int]) -> None:
        self._inner.release(ids)

    def _restored(self, leaves: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """None where they are outside the shape's bounds: a path that never came to the function."""
        try:
            return restore(self._shape, leaves)
        except ValueError:
            return None
