"""What the issue promises, as bars. A bar whose trials were not run is left out."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Any

from bench.native.contenders import AFL, OURS, PORTFOLIO, WITH_CHANCE
from bench.native.subjects import PLANTED, SUBJECTS
from bench.report import Bar

Outcomes = Mapping[tuple[str, str], list[Mapping[str, Any]]]
UNPRUNED, RANDOMLY = "portfolio", "portfolio+random"
PLANTED_BUGS = 4
MEMORY_MB = 2048
REAL = tuple(name for name in SUBJECTS if name != PLANTED)
"""The issue's five programs; the sixth is there for its bugs."""


def bars(outcomes: Outcomes) -> tuple[Bar, ...]:
    found: list[Bar] = []
    if ("tr", PORTFOLIO) in outcomes:
        found.append(
            Bar.at_least(f"tr: branches of {PORTFOLIO}", _of(outcomes, "tr", PORTFOLIO, "branches"), 220)
        )
        found.append(
            Bar.at_least(
                f"tr: complete paths of {PORTFOLIO}", _of(outcomes, "tr", PORTFOLIO, "complete"), 1000
            )
        )
    for rival in (UNPRUNED, RANDOMLY):
        both = [s for s in REAL if (s, PORTFOLIO) in outcomes and (s, rival) in outcomes]
        if both:
            ours = sum(
                _of(outcomes, s, PORTFOLIO, "branches") >= _of(outcomes, s, rival, "branches") for s in both
            )
            name = f"programs on which {PORTFOLIO} has as many branches as {rival}"
            found.append(Bar.at_least(name, ours, 4 if len(both) >= 5 else len(both)))
    both = [s for s in SUBJECTS if (s, PORTFOLIO) in outcomes and (s, UNPRUNED) in outcomes]
    for subject in both:
        live = _of(outcomes, subject, PORTFOLIO, "live")
        ratio = _of(outcomes, subject, UNPRUNED, "live") / max(1.0, live)
        found.append(Bar.at_least(f"{subject}: times fewer live states than {UNPRUNED}", ratio, 5))
    if (PLANTED, PORTFOLIO) in outcomes:
        fewest = min(len(set(result["findings"])) for result in outcomes[PLANTED, PORTFOLIO])
        found.append(Bar.at_least(f"{PLANTED}: planted bugs found in every seed", fewest, PLANTED_BUGS))
    for whose in (PORTFOLIO, WITH_CHANCE):
        rivals = [s for s in REAL if (s, whose) in outcomes and (s, AFL) in outcomes]
        if rivals:
            above = sum(
                _of(outcomes, s, whose, "branches") > _of(outcomes, s, AFL, "branches") for s in rivals
            )
            found.append(
                Bar.at_least(f"programs on which {whose} is above AFL++", above, min(2, len(rivals)))
            )
    used = [r["memory"] for (_, name), results in outcomes.items() if name in OURS for r in results]
    if used:
        found.append(Bar.at_most("memory of a contender of ours, MB", max(used), MEMORY_MB))
    return tuple(found)


def _of(outcomes: Outcomes, subject: str, contender: str, metric: str) -> float:
    return median(float(result[metric]) for result in outcomes[subject, contender])
