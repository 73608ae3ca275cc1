"""Lean where it can, CrossHair where it must; the reason is always known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lean_subjects
import pytest

from untrod.core.errors import UntrodError
from untrod.symbolic.lean.executor import LeanExecutor
from untrod.symbolic.protocol import SymbolicExecutor
from untrod.symbolic.routing import RoutedExecutor, make_executor, route
from untrod.symbolic.shapes import Arguments, Bool, Bytes, Char, Int, List, Text
from untrod.testing import executors as conformance
from untrod.testing import subjects
from untrod.testing.executors import Always, confirmed, ended, explore

NUMBER = Arguments((Int(),))


def stub(engine: str, function: Callable[..., Any], arguments: Arguments) -> SymbolicExecutor:
    """CrossHair's place taken by lean on a function that always works, so that the change can be seen."""
    if engine == "lean":
        return LeanExecutor(function, arguments)
    executor = LeanExecutor(subjects.contradiction, arguments)
    executor.name = "stub"
    return executor


ALONE = [check for check in conformance.CHECKS if check is not conformance.non_determinism_is_named]


@pytest.mark.parametrize("check", ALONE, ids=lambda check: check.__name__)
def test_the_protocol_is_kept(check: Callable[[conformance.Make], None]) -> None:
    check(RoutedExecutor)


def test_the_shape_says_where_to_begin() -> None:
    assert route(Arguments((List(Text(2), 2), Bool(), Char()))).engine == "lean"
    chosen = route(Arguments((Int(), List(Bytes(2), 1))))
    assert chosen.engine == "crosshair"
    assert "bytes" in chosen.reason


def test_what_lean_cannot_model_moves_to_the_other_engine() -> None:
    def function(number: int) -> str:
        if number > 1000:
            number / 2
        return subjects.contradiction(number)

    executor = RoutedExecutor(function, NUMBER, stub)
    assert (executor.name, executor.route.engine) == ("lean", "lean")
    result = executor.advance(executor.initial(), Always(True), max_branches=10)
    assert executor.route.engine == "crosshair"
    assert "division with /" in executor.route.reason
    assert executor.name == "stub"
    assert result.value == "big"


def test_states_of_the_engine_that_was_left_are_refused() -> None:
    executor = RoutedExecutor(lean_subjects.complains, NUMBER, stub)
    before = executor.advance(executor.initial(), Always(False), max_branches=10).pending
    executor._change("a test")
    executor._paths = executor._lost = 0
    assert executor.route.engine == "lean"  # one good path and none lost: there is no reason to change
    executor._lost = 1
    assert executor._change("a test")
    assert executor.advance(before[0], Always(True), max_branches=10).status == "unsupported"
    assert executor.check(before[0]) == "unknown"
    assert executor.solve(before[0]) is None


def test_a_few_lost_paths_are_no_reason_to_change() -> None:
    def function(items: list[int]) -> float:
        for number, item in enumerate(items):
            if item > 1000:
                return number
        return items[0] / 2

    executor = RoutedExecutor(function, Arguments((List(Int(), 8),)), stub)
    results = explore(executor, side=True)
    assert [result.status for result in results].count("unsupported") == 1
    assert executor.route.engine == "lean"


def test_a_function_that_is_not_deterministic_is_named_and_not_the_engine_blamed() -> None:
    answers = iter("abcdefgh")

    def function(number: int) -> str:
        return next(answers)

    executor = RoutedExecutor(function, NUMBER, stub)
    result = executor.advance(executor.initial(), Always(True), max_branches=10)
    assert result.status == "diverged"
    assert "not deterministic" in result.reason
    assert executor.route.engine == "lean"


def test_a_path_that_is_not_confirmed_is_no_result() -> None:
    namespace: dict[str, Any] = {}
    exec("def function(number):\n    return 'real' if type(number) is int else 'proxy'", namespace)
    executor = RoutedExecutor(namespace["function"], NUMBER, _no_other_engine)
    result = executor.advance(executor.initial(), Always(True), max_branches=10)
    assert result.status == "unsupported"
    assert "the path returned 'proxy', the run returned 'real'" in result.reason
    assert "CrossHair cannot take over (not here)" in executor.route.reason


def _no_other_engine(engine: str, function: Callable[..., Any], arguments: Arguments) -> SymbolicExecutor:
    if engine == "crosshair":
        raise UntrodError("not here")
    return LeanExecutor(function, arguments)


def test_an_unknown_engine_is_named() -> None:
    with pytest.raises(UntrodError, match="no engine 'heavy'"):
        make_executor("heavy", len, NUMBER)


def masks(number: int, mask: int) -> str:
    return "some" if number & mask == 5 else "none"


def test_crosshair_takes_over_for_real() -> None:
    executor = RoutedExecutor(masks, Arguments((Int(0, 7), Int(0, 7))))
    results = explore(executor)
    assert executor.route.engine == executor.name == "crosshair"
    assert {result.value for result in ended(results)} == {"some", "none"}
    confirmed(masks, results)


def test_crosshair_begins_where_lean_cannot() -> None:
    def function(data: bytes) -> str:
        return "seven" if data[0] == 7 else "other"

    executor = RoutedExecutor(function, Arguments((Bytes(2),)))
    assert executor.name == "crosshair"
    assert {result.value for result in ended(explore(executor))} == {"seven", "other"}
