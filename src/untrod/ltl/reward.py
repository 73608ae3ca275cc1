"""The paper's reward: how much a step changed what is left to be shown (FARLEAD, Algorithm 3)."""

from __future__ import annotations

from functools import lru_cache

from untrod.ltl.nodes import FALSE, TRUE, Atom, Formula, children


def reward(before: Formula, after: Formula) -> float:
    """1 if the formula became true, -1 if false, else |N(after) - N(before)| / (N(after) + N(before)).

    The absolute value is the paper's, and needed: N grows when an F that was met once unfolds, as in
    `F (a & F b)`, which after an a is `F b | F (a & F b)`.
    """
    if after is TRUE:
        return 1.0
    if after is FALSE:
        return -1.0
    n, n_after = count(before), count(after)
    return abs(n_after - n) / (n_after + n) if n_after + n else 0.0


@lru_cache(maxsize=1 << 14)
def count(formula: Formula) -> int:
    """N: how many atoms are written in the formula, each as often as it stands there."""
    return 1 if isinstance(formula, Atom) else sum(map(count, children(formula)))
