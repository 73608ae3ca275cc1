"""What a path returned, with the values that its symbolic parts have under one input."""

from __future__ import annotations

from typing import Any

from untrod.symbolic.lean.bools import LeanBool
from untrod.symbolic.lean.candidate import Candidate
from untrod.symbolic.lean.ints import LeanInt
from untrod.symbolic.lean.strings import LeanStr


def realise(value: Any, candidate: Candidate) -> Any:
    """Looks into lists, tuples, dicts and sets; other objects are handed on as they are."""
    try:
        return _realise(value, candidate, {})
    except RecursionError:
        return value


def _realise(value: Any, candidate: Candidate, seen: dict[int, Any]) -> Any:
    kind = type(value)
    if kind is LeanInt or kind is LeanBool:
        return candidate.evaluate(value.term)
    if kind is LeanStr:
        return "".join([chr(candidate.evaluate(code)) for code in value.codes])
    if kind not in (list, tuple, dict, set, frozenset):
        return value
    if id(value) in seen:
        return seen[id(value)]
    if kind is list:
        made: list[Any] = []
        seen[id(value)] = made
        made.extend(_realise(part, candidate, seen) for part in value)
        return made
    if kind is dict:
        table: dict[Any, Any] = {}
        seen[id(value)] = table
        for key, part in value.items():
            table[_realise(key, candidate, seen)] = _realise(part, candidate, seen)
        return table
    return kind(_realise(part, candidate, seen) for part in value)
