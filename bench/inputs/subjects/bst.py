"""Binary search trees from a composite strategy: the paper's running example, as users write it."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from bench.inputs.subjects.base import Assume, Bug, Subject, branch_trace

MAX_DEPTH = 4
MAX_VALUE = 10


@st.composite
def trees(draw: st.DrawFn, depth: int = 0) -> Any:
    value = draw(st.integers(0, MAX_VALUE))
    left = right = None
    if depth < MAX_DEPTH:
        if draw(st.booleans()):
            left = draw(trees(depth + 1))
        if draw(st.booleans()):
            right = draw(trees(depth + 1))
    return (value, left, right)


def is_search_tree(tree: Any, low: int = -1, high: int = MAX_VALUE + 1) -> bool:
    if tree is None:
        return True
    value, left, right = tree
    if not low < value < high:
        return False
    return is_search_tree(left, low, value) and is_search_tree(right, value, high)


def check(tree: Any, assume: Assume) -> None:
    assume(is_search_tree(tree))


def construct(random: Random, low: int = -1, high: int = MAX_VALUE + 1, depth: int = 0) -> Any:
    value = random.randrange(low + 1, high)
    left = right = None
    if depth < MAX_DEPTH:
        if value - low > 1 and random.random() < 0.7:
            left = construct(random, low, value, depth + 1)
        if high - value > 1 and random.random() < 0.7:
            right = construct(random, value, high, depth + 1)
    return (value, left, right)


def admits(tree: Any, depth: int = 0) -> bool:
    if tree is None:
        return depth > 0
    value, left, right = tree
    return depth <= MAX_DEPTH and 0 <= value <= MAX_VALUE and all(admits(t, depth + 1) for t in (left, right))


def size(tree: Any) -> int:
    return 0 if tree is None else 1 + size(tree[1]) + size(tree[2])


def has_zigzag(tree: Any) -> bool:
    """Somewhere left, then right, then left: the double rotation that textbooks get wrong."""
    if tree is None:
        return False
    _, left, right = tree
    here = left is not None and left[2] is not None and left[2][1] is not None
    return here or has_zigzag(left) or has_zigzag(right)


def is_full(tree: Any, levels: int = 3) -> bool:
    return levels == 0 or (tree is not None and all(is_full(t, levels - 1) for t in tree[1:]))


def outline(tree: Any) -> str:
    """A consumer of valid trees: what the trace follows."""
    value, left, right = tree
    if left is None and right is None:
        return "." if value % 2 else "o"
    if left is None:
        return f"\\{outline(right)}"
    if right is None:
        return f"{outline(left)}/"
    if value - left[0] > right[0] - value:
        return f"({outline(left)}){outline(right)}"
    return f"{outline(left)}({outline(right)})"


BUGS = (
    Bug("five nodes", lambda tree: size(tree) >= 5),
    Bug("zigzag", has_zigzag),
    Bug("three full levels", is_full),
)

SUBJECT = Subject("bst", trees(), check, construct, admits, branch_trace(outline), BUGS)
