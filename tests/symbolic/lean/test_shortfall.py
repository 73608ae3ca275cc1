"""How far a branch was from going the other way."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

from untrod.symbolic.lean.executor import LeanExecutor
from untrod.symbolic.protocol import PathResult
from untrod.symbolic.shapes import Arguments, Int


def walked(function, *inputs: int) -> tuple[PathResult, list[int | None]]:
    executor = LeanExecutor(function, Arguments((Int(),) * len(inputs)))
    result = executor.advance(executor.initial(), executor.follow(inputs), max_branches=50)
    return result, list(executor.shortfalls(result.branches, inputs))


@pytest.mark.parametrize(
    ("function", "inputs", "expected"),
    [
        (lambda a: a == 366, (60,), [306]),
        (lambda a: a == 366, (366,), [1]),
        (lambda a: a != 366, (366,), [1]),
        (lambda a: a < 10, (12,), [3]),
        (lambda a: a <= 10, (12,), [2]),
        (lambda a: a > 10, (12,), [2]),
        (lambda a, b: a * 2 + b == 100, (30, 1), [39]),
    ],
)
def test_a_comparison_is_off_by_a_difference(function, inputs, expected) -> None:
    assert walked(lambda *given: 1 if function(*given) else 0, *inputs)[1] == expected


def test_every_branch_of_a_path_is_told_and_is_off_by_something() -> None:
    def program(a: int, b: int) -> int:
        if a < 5 and b == 7:
            return 1
        return 2 if a % 4 == 1 else 3

    result, offs = walked(program, 2, 9)
    assert len(result.branches) == 3
    assert offs == [3, 2, 1]


def test_flipping_by_that_much_flips() -> None:
    """The definition: change the input by what it was off, and the other side is taken."""
    for value in range(-20, 20):
        (off,) = walked(lambda a: 1 if a < 3 else 0, value)[1]
        moved = value + off if value < 3 else value - off
        assert (moved < 3) != (value < 3)
        closer = moved + 1 if moved < value else moved - 1
        assert (closer < 3) == (value < 3)
