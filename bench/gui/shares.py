"""The bars of the paper's three levels: the planner's steps as a share of random's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from bench.report import Bar

MOST = {"a": 0.5, "b": 0.5, "c": 0.1}


def level_bars(
    where: str, taken: Mapping[str, Mapping[str, float]], left_out: Sequence[str] = ()
) -> list[Bar]:
    """`taken` has, by specification and contender, the median of the steps."""
    shares: dict[str, list[float]] = {level: [] for level in MOST}
    for spec, by_contender in taken.items():
        if {"planner", "random"} <= by_contender.keys() and spec not in left_out:
            shares[spec[-1]].append(by_contender["planner"] / by_contender["random"])
    name = "planner's steps / random's, median over specifications"
    return [
        Bar.at_most(f"{where}, level {level}: {name}", median(found), MOST[level])
        for level, found in shares.items()
        if found
    ]
