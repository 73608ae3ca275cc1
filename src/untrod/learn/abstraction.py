"""State abstractions: what of the past a decision may depend on (RLCheck, section 4.3).

Each takes the running episode's `Context` and a window `w`, and returns a short tuple. Influence beats
recency: what matters for a node of a tree is its parents, not the sibling generated just before it.

A target may say itself what a choice depends on (`context.given`); the two tree abstractions then use the
last `w` elements of that and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeAlias

from untrod.core.vocabulary import Context, Site

Abstraction: TypeAlias = Callable[[Context, int], tuple[Hashable, ...]]


def sequence(context: Context, w: int) -> tuple[Hashable, ...]:
    """The last `w` answers, whoever gave them."""
    return tuple(context.answers[-w:])


def tree(context: Context, w: int) -> tuple[Hashable, ...]:
    """The last `w` answers of the enclosing levels: siblings that are complete do not count."""
    if context.given is not None:
        return tuple(context.given[-w:])
    tail: list[Hashable] = []
    for frame in reversed(context.frames):
        tail[:0] = frame.answers
        if len(tail) >= w:
            break
    return tuple(tail[-w:])


def tree_lr(context: Context, w: int) -> tuple[Hashable, ...]:
    """Like `tree`, with a marker for *which* child of its parent each level is (left or right)."""
    if context.given is not None:
        return tuple(context.given[-w:])
    tail: list[Hashable] = []
    for frame in reversed(context.frames):
        tail[:0] = (_marker(frame.entered_from), *frame.answers)
        if len(tail) >= w:
            break
    return tuple(tail[-w:])


def _marker(entered_from: Site) -> Hashable:
    """Answers are never negative, so a complemented offset cannot be taken for one."""
    return ~entered_from if isinstance(entered_from, int) else entered_from


ABSTRACTIONS: dict[str, Abstraction] = {"sequence": sequence, "tree": tree, "tree-lr": tree_lr}
