"""Where a decision stands, and whether the user's code asked for it."""

from __future__ import annotations

import dis
import functools
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from untrod.symbolic.crosshair.executor import CrosshairExecutor
from untrod.symbolic.crosshair.origins import OriginFinder, code_of
from untrod.symbolic.protocol import Branch, Location


class Yes:
    def decide(self, *question: Any) -> bool:
        return True

    def feedback(self, *answer: Any) -> None:
        pass


def branches(function: Callable[..., Any]) -> list[Branch]:
    executor = CrosshairExecutor(function)
    return list(executor.advance(executor.initial(), Yes(), max_branches=4).branches)


def jumps(number: int) -> int:
    if number > 3:
        number = 3
    return number


def truth(number: int) -> int:
    return 1 if number else 2


def both(one: int, other: int) -> int:
    return 1 if one > 3 and other > 3 else 2


def compares_in_c(one: int, other: int) -> int:
    return max(one, other)


def loops(numbers: list[int]) -> int:
    count = 0
    for _ in numbers:
        count += 1
    return count


def matches(number: int) -> int:
    match number:
        case 3:
            return 1
    return 0


@pytest.mark.parametrize("function", [jumps, truth, both, compares_in_c, loops, matches])
def test_a_branch_of_the_users_code_is_told_as_such(function):
    found = branches(function)

    assert found
    assert {branch.kind for branch in found} == {"user"}
    assert {branch.location.unit for branch in found} == {function.__name__}


def test_two_branches_on_one_line_differ_by_their_offset():
    first, second = branches(both)
    assert first.location.line == second.location.line
    assert first.location.offset < second.location.offset


def helper(number: int) -> bool:
    return number > 3


def calls(number: int) -> int:
    def inner() -> bool:
        return bool(helper(number)) or number < 0

    return 1 if inner() else 0


def test_a_branch_stands_in_the_function_that_asks():
    assert [branch.location.unit for branch in branches(calls)] == ["calls.<locals>.inner"]


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="PRECALL is of Python 3.11")
def test_the_place_of_a_call_does_not_depend_on_how_warm_the_code_is():
    """While a call is under way, the frame may stand at PRECALL, at CALL or in the cache of either."""
    offsets = {each.opname: each.offset for each in dis.get_instructions(compares_in_c)}
    places = OriginFinder(compares_in_c)

    def at(offset: int) -> Location:
        frame = SimpleNamespace(f_code=compares_in_c.__code__, f_lasti=offset, f_back=None)
        return places.current(frame).location

    during = {at(offset) for offset in range(offsets["PRECALL"], offsets["RETURN_VALUE"], 2)}
    assert {location.offset for location in during} == {offsets["CALL"]}


def test_making_an_argument_has_a_place_of_its_own_before_the_first_bytecode():
    def either(first: int, second: int | None) -> bool:
        return second is None

    (branch,) = branches(either)
    assert branch.kind == "internal"
    assert branch.location.unit.endswith("either")
    assert branch.location.offset == -2


class Callable_:
    def __call__(self, number: int) -> int:
        return number

    def method(self, number: int) -> int:
        return number


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (jumps, "jumps"),
        (functools.lru_cache(jumps), "jumps"),
        (functools.partial(jumps, 3), "jumps"),
        (Callable_(), "Callable_.__call__"),
        (Callable_().method, "Callable_.method"),
    ],
    ids=["function", "decorated", "partial", "object", "method"],
)
def test_the_code_behind_a_callable_is_found(function, name):
    assert code_of(function).co_qualname == name


def test_what_is_written_in_c_has_no_code():
    assert code_of(len) is None
