"""What only Hypothesis can make: values of types that it knows, texts that match a regular expression.

Drawn once, a pool of them, and with a fixed seed: Hypothesis is thorough, and too slow for every draw.
"""

from __future__ import annotations

import re
from typing import Any

from untrod.engines.cover.values.words import LONGEST, Words
from untrod.source.literals import express
from untrod.source.nodes import Node

POOL = 40
PER_PATTERN = 15
MOST_PATTERNS = 30


def pool_of(hint: Any) -> list[Node]:
    """Values of that type which have a source; none, if Hypothesis does not know it."""
    from hypothesis import strategies

    values = _examples(strategies.from_type(hint), POOL)
    return [node for value in values if (node := express(value)) is not None]


def match_patterns(words: Words) -> None:
    """Fill `words.matching`."""
    if not words.patterns:
        return
    from hypothesis import strategies

    for pattern, flags in words.patterns[:MOST_PATTERNS]:
        try:
            compiled = re.compile(pattern, flags)
        except (re.error, ValueError):
            continue
        # Without an alphabet Hypothesis works out all of Unicode first, which takes seconds.
        plain = strategies.from_regex(compiled, alphabet=strategies.characters(codec="ascii"))
        texts = _examples(plain, PER_PATTERN) or _examples(strategies.from_regex(compiled), PER_PATTERN)
        for text in texts:
            if 0 < len(text) <= 2 * LONGEST and text not in words.matching:
                words.matching.append(text)


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
    except Exception:  # an unknown type, a pattern that nothing matches
        pass
    return found
