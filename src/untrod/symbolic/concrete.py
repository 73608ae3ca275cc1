"""Running an input for real: the judge of everything that a symbolic engine claims.

A result counts only after its inputs were run here: that is right whatever the engine's model of Python gets
wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from untrod.core.interrupts import is_pressed
from untrod.core.validity import Rejected
from untrod.symbolic.protocol import PathResult


@dataclass(frozen=True, slots=True)
class Concrete:
    """What a call did: returned `value`, or raised `error`."""

    value: Any = None
    error: BaseException | None = None

    def __str__(self) -> str:
        if self.error is None:
            return f"returned {self.value!r:.60}"
        return f"raised {type(self.error).__name__}"


def run(function: Callable[..., Any], arguments: Sequence[Any]) -> Concrete:
    """Call it on copies of the arguments. Only Ctrl-C comes out of here."""
    try:
        return Concrete(function(*deepcopy(list(arguments))))
    except BaseException as error:
        if is_pressed(error):
            raise
        return Concrete(error=error)


def confirm(function: Callable[..., Any], result: PathResult) -> bool:
    """Does the function, run on the inputs of `result`, do what the path says?"""
    return not disagreement(function, result)


def disagreement(function: Callable[..., Any], result: PathResult) -> str:
    """In words, what path and run differ in; empty if nothing. A path that was cut short claims nothing."""
    if result.status not in ("done", "raised", "ignored"):
        return ""
    if result.inputs is None:
        return "" if result.status == "ignored" else "the path has no inputs"
    found = run(function, result.inputs)
    claimed = Concrete(result.value, result.error)
    agrees = type(found.error) is type(claimed.error)
    if agrees and found.error is None:
        agrees = _same(found.value, claimed.value)
    if result.status == "ignored":
        agrees = isinstance(found.error, Rejected)
    return "" if agrees else f"the path {claimed}, the run {found}"


def differs(function: Callable[..., Any], arguments: Sequence[Any]) -> bool:
    """Do two runs on the same arguments do different things?"""
    first, second = run(function, arguments), run(function, arguments)
    return type(first.error) is not type(second.error) or not _same(first.value, second.value)


_PLAIN = (int, float, str, bytes, bool, type(None))


def _same(left: Any, right: Any) -> bool:
    """Equal, and of the same types. Of objects that are compared by identity only the type can be told."""
    if type(left) is not type(right):
        return False
    if type(left) in (list, tuple):
        return len(left) == len(right) and all(map(_same, left, right))
    if type(left) is dict:
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    if isinstance(left, _PLAIN):
        return bool(left == right) or left != left  # NaN is itself
    if getattr(type(left), "__eq__", None) is object.__eq__:
        return True
    try:
        return bool(left == right)
    except Exception:
        return False
