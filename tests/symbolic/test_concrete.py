"""Concrete runs judge what paths claim."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from untrod.core.validity import Rejected
from untrod.symbolic.concrete import Concrete, confirm, disagreement, run
from untrod.symbolic.protocol import PathResult, Status


def half(numbers: list[int]) -> int:
    if numbers[0] == 0:
        raise Rejected
    if numbers[0] == 1:
        raise SystemExit(1)
    return numbers.pop() // 2


def claim(status: Status, number: int, value: Any = None, error: BaseException | None = None) -> PathResult:
    return PathResult(status, (), inputs=([number],), value=value, error=error)


def test_a_run_returns_or_raises_and_leaves_its_arguments_alone() -> None:
    arguments = [[6]]
    assert run(half, arguments) == Concrete(3)
    assert arguments == [[6]]
    assert isinstance(run(half, [[1]]).error, SystemExit)


def test_ctrl_c_comes_out() -> None:
    def interrupted() -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run(interrupted, [])


@pytest.mark.parametrize(
    "result",
    [
        claim("done", 6, 3),
        claim("raised", 1, error=SystemExit(1)),
        claim("ignored", 0, error=Rejected()),
        claim("limit", 6),
        PathResult("infeasible", ()),
        PathResult("ignored", ()),
    ],
)
def test_true_claims_are_confirmed(result: PathResult) -> None:
    assert confirm(half, result)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (claim("done", 6, 4), "the path returned 4, the run returned 3"),
        (claim("done", 6, 3.0), "the path returned 3.0, the run returned 3"),
        (claim("done", 1, 3), "the path returned 3, the run raised SystemExit"),
        (claim("raised", 6, error=KeyError()), "the path raised KeyError, the run returned 3"),
        (claim("ignored", 6, error=Rejected()), "the path raised Rejected, the run returned 3"),
        (PathResult("done", (), value=3), "no inputs"),
    ],
)
def test_false_claims_are_put_in_words(result: PathResult, words: str) -> None:
    assert words in disagreement(half, result)


class Opaque:
    pass


@pytest.mark.parametrize(
    ("value", "other", "same"),
    [
        ([1, (2, {"a": 3})], [1, (2, {"a": 3})], True),
        ([1], [True], False),
        ({"a": [1]}, {"a": [2]}, False),
        (float("nan"), float("nan"), True),
        (Opaque(), Opaque(), True),
        (Opaque(), object(), False),
        ({1, 2}, {2, 1}, True),
    ],
)
def test_values_are_compared_by_what_they_hold(value: Any, other: Any, same: bool) -> None:
    result = PathResult("done", (), inputs=(), value=other)
    assert confirm(lambda: value, result) == same
