"""State abstractions: what of the past a decision may depend on (RLCheck, section 4.3).

Each takes the running episode's `Context` and a window `w`, and returns a short tuple. Influence beats
recency: what matters for a node of a tree is its parents, not the sibling generated just before it.

A target may say itself what a choice depends on (`context.given`); the two tree abstractions then use the
last `w` elements of that and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeAlias

from untrod.core.vocabulary import Context, Frame, Site

Abstraction: TypeAlias = Callable[[Context, int], tuple[Hashable, ...]]


def sequence(context: Context, w: int) -> tuple[Hashable, ...]:
    """The last `w` answers, whoever gave them."""
    return tuple(context.answers[-w:])


def tree(context: Context, w: int) -> tuple[Hashable, ...]:
    """The last `w` answers of the enclosing levels: siblings that are complete do not count."""
    return _nested(context, w, marked=False)


def tree_lr(context: Context, w: int) -> tuple[Hashable, ...]:
    """Like `tree`, with a marker for *which* child of its parent each level is (left or right)."""
    return _nested(context, w, marked=True)


def _nested(context: Context, w: int, marked: bool) -> tuple[Hashable, ...]:
    if context.given is not None:
        return tuple(context.given[-w:])
    frames = context.frames
    if not frames:
        return ()
    frame = frames[-1]
    memo = frame.memo
    # While a level asks, the levels around it stand still: what they contribute is worked out once.
    if memo is None or memo[0] != w or memo[1] is not marked:
        memo = frame.memo = (w, marked, _around(frames, w, marked))
    return (*memo[2], *frame.answers)[-w:]


def _around(frames: list[Frame], w: int, marked: bool) -> tuple[Hashable, ...]:
    """What the levels around the innermost one contribute, and the innermost one's own marker."""
    tail: list[Hashable] = []
    for frame in reversed(frames[:-1]):
        tail[:0] = (_marker(frame.entered_from), *frame.answers) if marked else frame.answers
        if len(tail) >= w:
            break
    if marked:
        tail.append(_marker(frames[-1].entered_from))
    return tuple(tail[-w:])


def _marker(entered_from: Site) -> Hashable:
    """Answers are never negative, so a complemented offset cannot be taken for one."""
    return ~entered_from if isinstance(entered_from, int) else entered_from


ABSTRACTIONS: dict[str, Abstraction] = {"sequence": sequence, "tree": tree, "tree-lr": tree_lr}
