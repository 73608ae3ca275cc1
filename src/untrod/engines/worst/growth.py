"""Which complexity class the measured costs follow, and how sure that is.

How a single class is fitted is told in `fits.py`. Classes are weighed against each other by Akaike weights,
from the likelihood

    n ln(1 + mean of (residual / s)^2)        s: the standard error of the mean, at least TRUST

TRUST is how far we believe any such formula. It makes the weights honest where everything fits: sizes 10 to
13 leave n and n log n side by side, and the confidence says so. The confidence is in the class *of these
measurements*, not in what the function does beyond them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from untrod.core.vocabulary import Json
from untrod.engines.worst.fits import CLASSES, Point, fitted, slope

ENOUGH = 4
"""Sizes below which nothing is said."""
SURE = 0.75
"""A confidence below this is told with its rival."""
FITS = 0.25
"""The worst relative residual, as a root mean square, with which a class may still be named."""
ALARMING = 0.9
"""How certain it must be that the worst input is of a higher class than the average one."""
WIDENS = 1.5
"""Worst and average part company only if the ratio between them grows by this much over the sizes."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The class that fits best. `name` is empty when nothing can be said, and `reason` says why."""

    name: str
    confidence: float = 0.0
    rival: str = ""
    formula: str = ""
    reason: str = ""
    weights: tuple[tuple[str, float], ...] = ()  # of all classes that fit at all; they add up to 1

    @property
    def sure(self) -> bool:
        return bool(self.name) and self.confidence >= SURE

    def __str__(self) -> str:
        if not self.name:
            return self.reason
        doubt = "" if self.sure or not self.rival else f", else {self.rival}"
        return f"{self.name} (confidence {math.floor(self.confidence * 100)}%{doubt}): {self.formula}"

    def to_json(self) -> dict[str, Json]:
        return {
            "class": self.name,
            "confidence": round(self.confidence, 4),
            "rival": self.rival,
            "formula": self.formula,
            "reason": self.reason,
        }


def fit(points: Sequence[Point]) -> Growth:
    """The growth class of these measurements."""
    points = sorted(points, key=lambda point: point.size)
    sizes = {point.size for point in points if point.size > 0}
    if len(sizes) < ENOUGH:
        return Growth("", reason=f"not enough sizes: {len(sizes)} of at least {ENOUGH}, see --sizes")
    points = [point for point in points if point.size > 0]
    if any(point.cost <= 0 for point in points):
        if all(point.cost == 0 for point in points):
            return Growth("1", 1.0, formula="0", weights=(("1", 1.0),))
        return Growth("", reason="some sizes cost nothing: nothing to fit")
    fits = [found for name in CLASSES if (found := fitted(name, points)) is not None]
    best = max(fits, key=lambda found: found.score)
    if best.misfit > FITS:
        exponent = f"{slope(points):.2g}"
        return Growth("", reason=f"no class fits: about n^{exponent} over the larger sizes")
    weights = {found.name: math.exp(found.score - best.score) for found in fits}
    total = sum(weights.values())
    shares = tuple((name, weight / total) for name, weight in weights.items())
    others = sorted(weights.keys() - {best.name}, key=lambda name: -weights[name])
    return Growth(best.name, dict(shares)[best.name], others[0] if others else "", best.formula, "", shares)


def plausible(worst: Growth, average: Growth) -> Growth:
    """`worst`, or why not: the worst input cannot grow by a lower class than the average one."""
    known = worst.name and average.name
    if known and CLASSES.index(worst.name) < CLASSES.index(average.name):
        reason = (
            f"not found at the large sizes: what was found grows like {worst.name}, less than the average"
        )
        return Growth("", reason=f"{reason}; a larger --budget may help")
    return worst


def differ(worst: Growth, average: Growth, worst_points: Sequence[Point], means: Sequence[Point]) -> bool:
    """The alarm: the worst input grows by a higher class than the average one, and surely so.

    That is asked of all pairs of classes by their weights: that the average is n or n log n may be open, and
    that n^2 is more than either is certain all the same.
    """
    higher = sum(
        one * other
        for name, one in worst.weights
        for below, other in average.weights
        if CLASSES.index(name) > CLASSES.index(below)
    )
    if higher < ALARMING:
        return False
    mean_at = {point.size: point.cost for point in means}
    ratios = [
        point.cost / mean_at[point.size]
        for point in sorted(worst_points, key=lambda point: point.size)
        if mean_at.get(point.size, 0) > 0
    ]
    return len(ratios) >= 2 and ratios[-1] >= WIDENS * ratios[0]
