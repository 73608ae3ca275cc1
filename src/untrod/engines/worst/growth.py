"""Which complexity class the measured costs follow, and how sure that is.

The data are few, exact and biased by lower-order terms: five sizes, each twice the last, and a cost such as
`30 n log n + 20 n + 50`. So each class is fitted as its leading term plus one lower one, the one that fits
best:

    n^2:        b n^2 + a n      or   b n^2 + a
    n log n:    b n log n + a n  or   b n log n + a
    n:          b n + a
    exponential: b c^n + a, the base c fitted

by least squares on *relative* residuals, so that the small sizes count as much as the large ones. The leading
term must also lead: a class whose leading term makes up little of the cost at the largest size is another
class in disguise.

Classes are weighed against each other by Akaike weights, from the likelihood

    n ln(1 + mean of (residual / s)^2)        s: the standard error of the mean, at least TRUST

TRUST is how far we believe any such formula. It makes the weights honest where everything fits: sizes 10 to
13 leave n and n log n side by side, and the confidence says so. The confidence is in the class *of these
measurements*, not in what the function does beyond them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from untrod.engines.worst.counts import GrowthCounts

CLASSES = ("1", "log n", "sqrt n", "n", "n log n", "n^2", "n^2 log n", "n^3", "n^4", "exponential")
TRUST = 0.02
"""How far any such formula is believed, as a share of the cost."""
LEADS = 0.3
"""The share of the cost at the largest size that a class's leading term must make up."""
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
class Point:
    """`cost` at `size`; `error` is the standard error of a mean, 0 for a single exact measurement."""

    size: int
    cost: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Fit:
    name: str
    score: float  # a log-likelihood, less the number of parameters beyond two
    misfit: float  # root mean square of the relative residuals
    formula: str
    predicted: Callable[[float], float] = field(repr=False, compare=False)  # the formula itself


_TERMS: dict[str, Callable[[float], float]] = {
    "1": lambda n: 1.0,
    "log n": lambda n: math.log2(n),
    "sqrt n": lambda n: math.sqrt(n),
    "n": lambda n: n,
    "n log n": lambda n: n * math.log2(n),
    "n^2": lambda n: n**2,
    "n^2 log n": lambda n: n**2 * math.log2(n),
    "n^3": lambda n: n**3,
    "n^4": lambda n: n**4,
}
_LOWER = {
    "log n": ("1",),
    "sqrt n": ("1",),
    "n": ("1", "log n"),
    "n log n": ("1", "n"),
    "n^2": ("1", "n"),
    "n^2 log n": ("1", "n^2"),
    "n^3": ("1", "n", "n^2"),
    "n^4": ("1", "n^2", "n^3"),
}


# -- one class ------------------------------------------------------------------------------------


def fitted(name: str, points: Sequence[Point]) -> Fit | None:
    """The best fit of this class; None when its leading term does not lead."""
    if name == "1":
        return _constant(points)
    if name == "exponential":
        return _exponential(points)
    fits = [found for lower in _LOWER[name] if (found := _linear(name, lower, points)) is not None]
    return max(fits, key=lambda found: found.score, default=None)


def _constant(points: Sequence[Point]) -> Fit:
    weights = [1 / _deviation(point) ** 2 for point in points]
    mean = sum(w * point.cost for w, point in zip(weights, points, strict=True)) / sum(weights)
    return _judged("1", points, lambda n: mean, _number(mean))


def _linear(name: str, lower: str, points: Sequence[Point]) -> Fit | None:
    f, g = _TERMS[name], _TERMS[lower]
    found = _two_terms(f, g, points)
    if found is None:
        return None
    b, a = found
    formula = f"{_number(b)} {name}{_plus(a, '' if lower == '1' else ' ' + lower)}"
    return _judged(name, points, lambda n: b * f(n) + a * g(n), formula)


def _exponential(points: Sequence[Point]) -> Fit | None:
    """`b c^n + a`, the base c by trying: it is the one parameter that is not linear."""
    fits = [found for base in _BASES if (found := _to_the(base, points)) is not None]
    best = max(fits, key=lambda found: found.score, default=None)
    return best and replace(best, score=best.score - 1)  # Akaike's price of one more parameter


def _to_the(base: float, points: Sequence[Point]) -> Fit | None:
    largest = points[-1].size

    def f(n: float) -> float:
        return math.exp((n - largest) * math.log(base))  # scaled, or it would overflow

    found = _two_terms(f, _TERMS["1"], points)
    if found is None:
        return None
    b, a = found
    factor = math.exp(max(-700.0, math.log(b) - largest * math.log(base)))
    formula = f"{_number(factor)} * {base:.2f}^n{_plus(a)}"
    return _judged("exponential", points, lambda n: b * f(n) + a, formula)


_BASES = tuple(1.15 * 1.02**step for step in range(90))


def _two_terms(
    f: Callable[[float], float], g: Callable[[float], float], points: Sequence[Point]
) -> tuple[float, float] | None:
    """(b, a) of `b f(n) + a g(n)` by weighted least squares; None when that is no cost led by f."""
    ff = fg = gg = fy = gy = 0.0
    for point in points:
        s = _deviation(point)
        x, z, y = f(point.size) / s, g(point.size) / s, point.cost / s
        ff, fg, gg, fy, gy = ff + x * x, fg + x * z, gg + z * z, fy + x * y, gy + z * y
    determinant = ff * gg - fg * fg
    if determinant <= 1e-12 * ff * gg:
        return None  # at these sizes the two terms are one
    b, a = (fy * gg - gy * fg) / determinant, (ff * gy - fg * fy) / determinant
    if b <= 0 or b * f(points[-1].size) < LEADS * points[-1].cost:
        return None
    if any(b * f(point.size) + a * g(point.size) <= 0 for point in points):
        return None
    return b, a


def _judged(name: str, points: Sequence[Point], predicted: Callable[[float], float], formula: str) -> Fit:
    count = len(points)
    squares = sum(((predicted(point.size) - point.cost) / _deviation(point)) ** 2 for point in points)
    relative = sum((predicted(point.size) / point.cost - 1) ** 2 for point in points)
    score = -count / 2 * math.log(1 + squares / count)
    return Fit(name, score, math.sqrt(relative / count), formula, predicted)


def slope(points: Sequence[Point]) -> float:
    """The exponent between the middle and the largest size."""
    middle, last = points[(len(points) - 1) // 2], points[-1]
    return math.log(last.cost / middle.cost) / math.log(last.size / middle.size)


def _deviation(point: Point) -> float:
    return math.hypot(TRUST * point.cost, point.error)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _plus(value: float, term: str = "") -> str:
    """` + 3 n`, or nothing where the term is but rounding."""
    if abs(value) < 1e-6:
        return ""
    return f" {'+' if value > 0 else '-'} {_number(abs(value))}{term}"


# -- which class ----------------------------------------------------------------------------------


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

    def counts(self) -> GrowthCounts:
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
