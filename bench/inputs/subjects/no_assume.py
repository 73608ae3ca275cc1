"""Negative control: a test without any `assume`. Nothing to learn, and a bug to find all the same."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from bench.inputs.subjects.base import Assume, Bug, Subject, branch_trace

LETTERS = "abcd"


def check(value: tuple[int, str, list[int]], assume: Assume) -> None:
    pass


def consume(value: tuple[int, str, list[int]]) -> int:
    number, word, rest = value
    total = number
    for letter in word:
        if letter == "a":
            total += 1
        elif letter in "bc":
            total -= 1
    for other in rest:
        if other > total:
            total = other
    return total


def construct(random: Random) -> tuple[int, str, list[int]]:
    word = "".join(random.choice(LETTERS) for _ in range(random.randint(0, 8)))
    return random.randint(0, 1000), word, [random.randint(0, 50) for _ in range(random.randint(0, 6))]


def admits(value: tuple[int, str, list[int]]) -> bool:
    number, word, rest = value
    sizes = 0 <= number <= 1000 and len(word) <= 8 and len(rest) <= 6
    return sizes and set(word) <= set(LETTERS) and all(0 <= other <= 50 for other in rest)


BUGS = (
    Bug("a long word", lambda value: len(value[1]) >= 6),
    Bug("d in a list that grows", lambda value: "d" in value[1] and value[2][:1] < value[2][1:2]),
    Bug("a large number before cab", lambda value: value[0] > 600 and "cab" in value[1]),
)

SUBJECT = Subject(
    "no-assume",
    st.tuples(st.integers(0, 1000), st.text(LETTERS, max_size=8), st.lists(st.integers(0, 50), max_size=6)),
    check,
    construct,
    admits,
    branch_trace(consume),
    BUGS,
)
