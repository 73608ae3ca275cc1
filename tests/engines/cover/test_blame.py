"""Which exceptions nobody seems to have meant."""

from __future__ import annotations

import pytest

from untrod.engines.cover.execution import is_suspect
from untrod.runtime.guard import Refused


def divides(n):
    return 1 // n


def refuses(n):
    raise ZeroDivisionError("not by nothing")


def reads(n):
    return int("x")


def asserts(n):
    assert n > 0, "positive, please"


def leaves(n):
    raise SystemExit(3)


def writes(n):
    raise Refused("untrod's guard refused it")


def adds(n):
    return n + "x"


def raised_by(function) -> BaseException:
    try:
        function(0)
    except BaseException as error:
        return error
    raise AssertionError("it did not raise")


@pytest.mark.parametrize(
    ("function", "guessed", "suspect"),
    [
        (divides, False, True),
        (divides, True, True),
        (refuses, False, False),
        (reads, False, False),
        (asserts, False, True),
        (leaves, False, True),
        (writes, False, True),
        (adds, False, True),
        (adds, True, False),
    ],
)
def test_a_slip_is_suspect_and_a_refusal_is_not(function, guessed: bool, suspect: bool) -> None:
    assert is_suspect(raised_by(function), {__file__}, guessed=guessed) is suspect


def test_what_happens_outside_the_code_under_test_is_not_its_fault() -> None:
    assert not is_suspect(raised_by(divides), {"/another/file.py"}, guessed=False)
