"""What only Hypothesis can make: values of types that it knows.

Drawn once, a pool of them, and with a fixed seed: Hypothesis is thorough, and too slow for every draw.
"""

from __future__ import annotations

from typing import Any

from untrod.source.literals import express
from untrod.source.nodes import Node

POOL = 40


def pool_of(hint: Any) -> list[Node]:
    """Values of that type which have a source; none, if Hypothesis does not know it."""
    from hypothesis import strategies

    values = _examples(strategies.from_type(hint), POOL)
    return [node for value in values if (node := express(value)) is not None]


def _examples(strategy: Any, count: int) -> list[Any]:
    """In the order in which they were drawn; fewer or none where the strategy cannot do it."""
    from hypothesis import HealthCheck, Phase, given, seed, settings

    found: list[Any] = []

    @seed(0)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    try:
        collect()
    except Exception:  # an unknown type
        pass
    return found
