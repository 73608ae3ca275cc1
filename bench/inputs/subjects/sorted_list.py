"""Sorted lists of four to ten small integers."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from hypothesis import strategies as st

from bench.inputs.subjects.base import Assume, Bug, Subject, branch_trace

MAX_VALUE = 20


def is_sorted(values: list[int]) -> bool:
    return all(before <= after for before, after in pairwise(values))


def check(values: list[int], assume: Assume) -> None:
    assume(is_sorted(values))


def runs(values: list[int]) -> list[tuple[int, int]]:
    """A run-length encoding of sorts: what the trace follows."""
    encoded: list[tuple[int, int]] = []
    for value in values:
        if encoded and encoded[-1][0] == value:
            encoded[-1] = (value, encoded[-1][1] + 1)
        elif encoded and value == encoded[-1][0] + 1:
            encoded.append((value, 1))
        else:
            start = value if value % 2 else -value
            encoded.append((start, 1))
    return encoded


def construct(random: Random) -> list[int]:
    return sorted(random.randint(0, MAX_VALUE) for _ in range(random.randint(4, 10)))


def admits(values: list[int]) -> bool:
    return 4 <= len(values) <= 10 and all(0 <= value <= MAX_VALUE for value in values)


BUGS = (
    Bug("both ends of the range", lambda values: values[-1] - values[0] >= 15),
    Bug("seven different values", lambda values: len(set(values)) >= 7),
    Bug("ten values, the middle ones equal", lambda values: len(values) == 10 and values[4] == values[5]),
)

SUBJECT = Subject(
    "sorted-list",
    st.lists(st.integers(0, MAX_VALUE), min_size=4, max_size=10),
    check,
    construct,
    admits,
    branch_trace(runs),
    BUGS,
)
