"""Binary search trees from `st.recursive`: a leaf is a bare integer."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from bench.inputs.subjects import bst
from bench.inputs.subjects.base import Assume, Bug, Subject, branch_trace

MAX_LEAVES = 12

trees = st.recursive(
    st.integers(0, bst.MAX_VALUE),
    lambda child: st.tuples(st.integers(0, bst.MAX_VALUE), st.none() | child, st.none() | child),
    max_leaves=MAX_LEAVES,
)


def plain(tree: Any) -> Any:
    """The same tree with every node a triple."""
    if tree is None:
        return None
    if isinstance(tree, int):
        return (tree, None, None)
    return (tree[0], plain(tree[1]), plain(tree[2]))


def check(tree: Any, assume: Assume) -> None:
    assume(bst.is_search_tree(plain(tree)))


def construct(random: Random) -> Any:
    """Depth 4 and distinct values 0..10 keep the leaves below the limit."""
    return _bare_leaves(bst.construct(random))


def _bare_leaves(tree: Any) -> Any:
    if tree is None:
        return None
    value, left, right = tree
    return value if left is right is None else (value, _bare_leaves(left), _bare_leaves(right))


def admits(tree: Any) -> bool:
    return bst.admits(plain(tree)) and _leaves(tree) <= MAX_LEAVES


def _leaves(tree: Any) -> int:
    if tree is None:
        return 0
    return 1 if isinstance(tree, int) else _leaves(tree[1]) + _leaves(tree[2])


_trace = branch_trace(bst.outline)

SUBJECT = Subject(
    "bst-recursive",
    trees,
    check,
    construct,
    admits,
    lambda tree: _trace(plain(tree)),
    tuple(Bug(bug.name, lambda tree, bug=bug: bug.triggers(plain(tree))) for bug in bst.BUGS),  # type: ignore[misc]
    lambda tree: repr(plain(tree)),
)
