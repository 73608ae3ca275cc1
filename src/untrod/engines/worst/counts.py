"""What a `worst` campaign counts, for programs that read it."""

from __future__ import annotations

from typing import Any, TypedDict


class WorstCounts(TypedDict, total=False):
    cost: str
    """In what is counted: `steps`, `calls`, ..."""
    sizes: list[dict[str, Any]]
    """A row for each size: `size`, `worst`, `average`, ..."""
    engine: str
    """What the symbolic executors had to say."""
    paths: int
    infeasible_share: float
    status: str
