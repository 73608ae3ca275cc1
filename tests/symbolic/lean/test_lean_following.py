from __future__ import annotations

from typing import Any

import pytest

from untrod.symbolic.lean.executor import LeanExecutor
from untrod.symbolic.routing import RoutedExecutor
from untrod.symbolic.shapes import Arguments, Bool, Int, List, Text


def subject(xs: list[int], word: str, flag: bool) -> int:
    found = 0
    for x in xs:
        if x > 10:
            found += 1
    if flag and word[0] == "k":
        found += 10
    return found


SHAPE = Arguments((List(Int(), 3), Text(2), Bool()))


@pytest.mark.parametrize("make", [LeanExecutor, RoutedExecutor])
def test_a_known_input_is_walked_without_the_solver(make: Any) -> None:
    executor = make(subject, SHAPE)
    assert "follow" in executor.capabilities
    inputs = ([5, 11, 40], "kz", True)
    result = executor.advance(executor.initial(), executor.follow(inputs), max_branches=100)
    assert result.inputs == inputs
    assert result.value == 12
    assert [branch.taken for branch in result.branches] == [False, True, True, True, True]
    assert result.stats.solver_calls == 0


def test_its_siblings_can_be_gone_on_from() -> None:
    executor = LeanExecutor(subject, SHAPE)
    policy = executor.follow(([5, 11, 40], "kz", True))
    first = executor.advance(executor.initial(), policy, max_branches=100)
    second = executor.advance(first.pending[0], policy, max_branches=100)
    assert second.branches[0].taken is True


def test_arguments_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        LeanExecutor(subject, SHAPE).follow(([1], "kz", True))
