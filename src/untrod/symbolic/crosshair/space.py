"""CrossHair's view of the solver, with every decision taken out of its hands."""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

import z3  # type: ignore[import-untyped]
from crosshair.statespace import HeapRef, RootNode, StateSpace, model_value_to_python, prefer_true
from crosshair.tracers import NoTracing
from crosshair.z3util import z3Not

from untrod.symbolic.crosshair.condition import CrosshairCondition
from untrod.symbolic.crosshair.decisions import Decisions, Solve
from untrod.symbolic.crosshair.meter import Meter
from untrod.symbolic.crosshair.origins import Origin, OriginFinder
from untrod.symbolic.protocol import Feasibility

UNIQUE_KEYS = "dict keys are unique"  # what CrossHair calls that assumption
_NO_DEADLINE = 1e6  # seconds


class DecidingSpace(StateSpace):
    """One path. CrossHair asks in four ways, and all four end here.

    `choose_possible`, and `smt_fork` which calls it: which side of a condition? `find_model_value`: which
    value for an expression? It becomes a chain of decisions "is it this one?". `fork_parallel`: which of two
    ways to model the same inputs? That is no decision about the input; the answer is the symbolic one.

    Once detached, the path is over: what is asked then is answered from one model, and not written down.
    """

    def __init__(
        self,
        origins: OriginFinder,
        decisions: Callable[[Solve], Decisions],
        *,
        deadline: float | None = None,
        seed: int = 0,
        solver_units: int,
    ) -> None:
        patience = _NO_DEADLINE if deadline is None else max(deadline - time.monotonic(), 0.001)
        super().__init__(float("inf"), patience, RootNode())
        self.smt_rlimit = solver_units  # CrossHair doubles it for the model at the end
        for name, value in (("rlimit", solver_units), ("random-seed", seed), ("smt.random-seed", seed)):
            self.solver.set(name, value)
        self.meter = Meter(self.solver)
        self.decisions = decisions(self.feasible)
        self.costs: list[int] = []  # solver units of the path up to each branch
        self.argument: int | None = None  # the number of the argument that is being made
        self._origins = origins
        # The values an expression was made concrete to, by its id; it is kept alive, so the id stays its own.
        self._values: dict[int, tuple[Any, Any]] = {}

    # What CrossHair calls.

    def choose_possible(self, expr: Any, probability_true: float | None = None) -> bool:
        if self.is_detached:
            return self._settle(expr, probability_true)
        origin = self._origin()
        is_branch = origin.is_branch and probability_true is None
        answer = self._answered(expr)
        if answer is None:
            condition = CrosshairCondition(expr)
            if _is_aliasing(expr):
                probability_true = 0.0
            answer = self.decisions.take(
                condition, origin, "user" if is_branch else "internal", probability_true
            )
            self._assert(expr if answer else z3Not(expr))
            self._exprs_known[expr] = answer
            self.costs.append(self.meter.units)
        elif is_branch:
            self.decisions.certain(CrosshairCondition(expr), origin, answer)
            self.costs.append(self.meter.units)
        return answer

    def find_model_value(self, expr: Any, choice_conformity: float = 1.0) -> Any:
        with NoTracing():
            return model_value_to_python(self._settled(expr) if self.is_detached else self._value(expr))

    def fork_parallel(self, false_probability: float, desc: str = "") -> bool:
        return False

    def defer_assumption(self, description: str, checker: Callable[[], bool]) -> None:
        """CrossHair models `dict[str, ...]` as a list of pairs, and looks at the very end whether the model's
        keys happen to differ: mostly all are empty, and the path is lost. So they are told apart first."""
        if description == UNIQUE_KEYS:
            pairs = inspect.getclosurevars(checker).nonlocals["orig_kv"]
            super().defer_assumption("dict keys differ in length", lambda: self._tell_apart(pairs))
        super().defer_assumption(description, checker)

    # What the decisions ask.

    def feasible(self, condition: CrosshairCondition, side: bool) -> Feasibility:
        """Reuses the last model where it takes this side already; fetches a new one only while that pays off,
        since fetching costs three times as much as checking."""
        wanted = condition.expression if side else z3Not(condition.expression)
        model = self._known_model()
        if model is not None and self.meter.hit(self._model_satisfies(model, wanted)):
            return "sat"
        answer = self.meter.check(wanted)
        if answer == "sat" and self.meter.models_pay_off():
            self._remember_model(self.solver.model())
        return answer

    def _answered(self, expr: Any) -> bool | None:
        """The answer, where the path has settled the condition or its opposite, or where it is trivial."""
        if z3.is_eq(expr) and expr.arg(0).eq(expr.arg(1)):
            return True
        answer = self._exprs_known.get(expr)
        if answer is None:
            opposite = self._exprs_known.get(z3Not(expr))
            answer = None if opposite is None else not opposite
        return answer

    def _origin(self) -> Origin:
        if self.argument is not None:
            return self._origins.argument(self.argument)
        return self._origins.current(sys._getframe(2)) or self._origins.argument(-1)

    def _value(self, expr: Any) -> Any:
        known = self._values.get(expr.get_id())
        while known is None:
            upcoming = self.decisions.upcoming()
            value = None if upcoming is None else getattr(upcoming.condition, "value", None)
            if value is None or not value.sort().eq(expr.sort()):
                value = self._any_model().eval(expr, model_completion=True)
            if value.eq(expr):
                return value  # a constant
            condition = CrosshairCondition(expr == value, value)
            taken = self.decisions.take(condition, self._origin(), "value", None)
            self._assert(condition.expression if taken else z3Not(condition.expression))
            self._exprs_known[condition.expression] = taken
            self.costs.append(self.meter.units)
            if taken:
                known = self._values[expr.get_id()] = (expr, value)
        return known[1]

    def _settle(self, expr: Any, probability_true: float | None) -> bool:
        """After the path. What CrossHair insists on (its dicts are consistent) has to hold if it can."""
        answer = self._answered(expr)
        if answer is None:
            answer = z3.is_true(self._any_model().eval(expr, model_completion=True))
            insists = probability_true in (0.0, 1.0) and answer is not bool(probability_true)
            if insists and self.feasible(CrosshairCondition(expr), not answer) == "sat":
                answer = not answer
            self._assert(expr if answer else z3Not(expr))
            self._exprs_known[expr] = answer
        return answer

    def _settled(self, expr: Any) -> Any:
        model = self._any_model()
        value = model.eval(expr, model_completion=True)
        self._assert(expr == value, model)
        return value

    def _tell_apart(self, pairs: Any) -> bool:
        keys = [key for key, _ in pairs]
        lengths = [len(key) for key in keys if isinstance(key, str)]
        differ = [one != other for one, other in combinations(lengths, 2)]
        with NoTracing():
            for question in differ:
                prefer_true(question)
        return True

    def _any_model(self) -> Any:
        """A model of the path so far."""
        model = self._known_model()
        if model is None:
            answer = self.meter.check()
            if answer == "unknown":
                raise self.decisions.stop("unknown", f"no model: {self.solver.reason_unknown()}")
            if answer == "unsat":
                raise self.decisions.stop("unsupported", "CrossHair's own constraints exclude one another")
            model = self.solver.model()
            self._remember_model(model)
        return model


def _is_aliasing(expr: Any) -> bool:
    """Are these two objects one and the same? No literal can express such an input, so better not."""
    return bool(z3.is_eq(expr)) and bool(expr.arg(0).sort().eq(HeapRef))
