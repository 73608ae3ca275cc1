"""What a subject of the `worst` bench is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Subject:
    """A function, its arguments at size N, and what is known of its worst case without running anything."""

    name: str
    function: Callable[..., Any]
    shape: Callable[[int], Any]
    """Arguments at size N: a shape, or several in a tuple."""
    small: tuple[int, ...]
    """Sizes at which all paths can be walked, so that the true worst is certain."""
    worst: Callable[[int], int] | None = None
    """Branches on the worst path by a formula from a textbook; None where none is known."""
    classes: tuple[str, str] | None = None
    """Complexity classes of the worst and the average input, in executed steps; None: no textbook says."""
    irregular: bool = False
    """Class 2 of the paper: no fixed side of each branch leads to the worst case."""
