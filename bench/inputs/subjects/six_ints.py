"""Six integers in order: one in 720 by chance, and nothing nested to learn from."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from hypothesis import strategies as st

from bench.inputs.subjects.base import Assume, Bug, Subject, branch_trace

MAX_VALUE = 99


def check(values: tuple[int, ...], assume: Assume) -> None:
    assume(all(before <= after for before, after in pairwise(values)))


def gaps(values: tuple[int, ...]) -> list[str]:
    """What the trace follows: how far apart the neighbours are."""
    kinds = []
    for before, after in pairwise(values):
        if before == after:
            kinds.append("equal")
        elif after - before < 10:
            kinds.append("near")
        elif after - before < 40:
            kinds.append("far")
        else:
            kinds.append("very far")
    return kinds


def construct(random: Random) -> tuple[int, ...]:
    return tuple(sorted(random.randint(0, MAX_VALUE) for _ in range(6)))


def admits(values: tuple[int, ...]) -> bool:
    return len(values) == 6 and all(0 <= value <= MAX_VALUE for value in values)


BUGS = (
    Bug("starts above 10", lambda values: values[0] > 10),
    Bug("all different and wide", lambda values: len(set(values)) == 6 and values[-1] - values[0] > 80),
    Bug("middle pair equal and odd", lambda values: values[2] == values[3] and values[2] % 2 == 1),
)

SUBJECT = Subject(
    "six-ints",
    st.tuples(*[st.integers(0, MAX_VALUE)] * 6),
    check,
    construct,
    admits,
    branch_trace(gaps),
    BUGS,
)
