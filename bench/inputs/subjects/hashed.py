"""Negative control: validity by a hash. One in a hundred, and no choice is to blame for it."""

from __future__ import annotations

from hashlib import blake2b
from random import Random
from typing import Any

from hypothesis import strategies as st

from bench.inputs.subjects.base import Assume, Bug, Subject, branch_trace

MAX_VALUE = 50


def is_lucky(values: Any) -> bool:
    return int.from_bytes(blake2b(repr(values).encode(), digest_size=8).digest(), "big") % 100 == 0


def check(values: list[int], assume: Assume) -> None:
    assume(is_lucky(values))


def consume(values: list[int]) -> int:
    odd = 0
    for value in values:
        if value % 2:
            odd += 1
        elif value > MAX_VALUE // 2:
            odd -= 1
    return odd


def construct(random: Random) -> list[int]:
    """Even a person can only try."""
    while True:
        values = [random.randint(0, MAX_VALUE) for _ in range(random.randint(2, 8))]
        if is_lucky(values):
            return values


def admits(values: list[int]) -> bool:
    return 2 <= len(values) <= 8 and all(0 <= value <= MAX_VALUE for value in values)


BUGS = (
    Bug("four values", lambda values: len(values) >= 4),
    Bug("grows twice", lambda values: values[:3] == sorted(values[:3]) and len(values) >= 3),
    Bug("seven values, the last the largest", lambda values: len(values) >= 7 and values[-1] == max(values)),
)

SUBJECT = Subject(
    "hash",
    st.lists(st.integers(0, MAX_VALUE), min_size=2, max_size=8),
    check,
    construct,
    admits,
    branch_trace(consume),
    BUGS,
)
