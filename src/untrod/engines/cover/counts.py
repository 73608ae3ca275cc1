"""What a `cover` campaign counts, for programs that read it."""

from __future__ import annotations

from typing import Any, TypedDict


class CoverCounts(TypedDict, total=False):
    branches: int
    covered: int
    imported: int
    """Of the covered, those that importing the module takes."""
    untaken: list[list[Any]]
    """[module, line, next line, source, in words, why] of each branch that nobody took."""
    gained: dict[str, int]
    """New branches, by what found the input."""
    entries: int
    symbolic: dict[str, float]
    status: str
    unknown: dict[str, dict[str, int]]
    """C: what the emulation does not know, how often it was asked for."""
    left_over: int
