"""Operations in which Python asks no proxy are rewritten; what is run afterwards is what was there before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lean_subjects as subjects
import pytest

from untrod.symbolic.annotations import shape_of
from untrod.symbolic.lean.executor import LeanExecutor
from untrod.symbolic.shapes import Arguments, Int, Text
from untrod.testing.executors import confirmed, ended, explore


def outcomes(function: Callable[..., Any], shape: Arguments) -> set[Any]:
    results = explore(LeanExecutor(function, shape))
    assert {result.status for result in results} <= {"done", "raised", "infeasible"}, results
    confirmed(function, results)
    return {result.value if result.error is None else type(result.error) for result in ended(results)}


ONE, TWO = Arguments((Text(1),)), Arguments((Text(2, "ab[]()zy42_+ "),))


@pytest.mark.parametrize(
    ("function", "shape", "expected"),
    [
        (subjects.in_a_literal, ONE, {"vowel", "other", "last"}),
        (subjects.in_a_set, ONE, {True, False}),
        (subjects.in_a_range, Arguments((Int(),)), {"in", "out"}),
        (subjects.joins, Arguments((Text(2, "ab"),)), {"found"}),
        (subjects.codes, TWO, {"no"}),
        (subjects.reads, TWO, {0, 1, "no number"}),
        (subjects.exact_types, shape_of(subjects.exact_types, 1), {"yes", "no"}),
        (subjects.literal_methods, Arguments((Text(2, "abcxyz"),)), {"prefix", "tail", "none"}),
        (subjects.brackets, TWO, {True, False}),
        (subjects.Parser().parse, ONE, {"digit", "other"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_all_outcomes_are_found(function: Callable[..., Any], shape: Arguments, expected: set[Any]) -> None:
    assert outcomes(function, shape) >= expected


def test_membership_is_one_question() -> None:
    """Not one for each element, and no value has to be made concrete to be hashed."""
    results = explore(LeanExecutor(subjects.in_a_set, ONE))
    assert [len(result.branches) for result in ended(results)] == [1, 1]


def test_names_that_mean_something_else_are_left_alone() -> None:
    results = explore(LeanExecutor(subjects.shadowed, Arguments((Int(-3, -3),))))
    assert [result.value for result in ended(results)] == [6]


def test_the_code_is_restored_after_each_path() -> None:
    before = subjects.in_a_literal.__code__
    explore(LeanExecutor(subjects.in_a_literal, ONE))
    assert subjects.in_a_literal.__code__ is before
    assert not [name for name in before.co_names if "untrod" in name]  # nor had another test left its own


def test_lines_stay_as_they_are() -> None:
    first = subjects.in_a_literal.__code__.co_firstlineno
    (result, *_) = explore(LeanExecutor(subjects.in_a_literal, ONE))
    assert {branch.location.line for branch in result.branches} == {first + 1}
    assert {branch.location.unit for branch in result.branches} == {"in_a_literal"}


def test_without_source_it_is_unsupported_and_not_wrong() -> None:
    namespace: dict[str, Any] = {}
    exec("def function(text):\n    return text in 'abc'", namespace)
    (result,) = explore(LeanExecutor(namespace["function"], ONE))
    assert result.status == "unsupported"
    assert "LeanStr" in result.reason
