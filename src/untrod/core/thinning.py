"""A long series, made short enough to look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def thinned(values: Sequence[T], most: int) -> list[T]:
    """At most `most` of the values (2 at least), evenly spread, the first and the last among them."""
    if len(values) <= most:
        return list(values)
    last, steps = len(values) - 1, max(2, most) - 1
    return [values[round(place * last / steps)] for place in range(steps + 1)]
