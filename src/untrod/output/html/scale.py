"""From numbers to places on a picture, with ticks that a person would choose."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

DECADES = 3.0
"""Positive values that span more powers of ten than this are drawn on a logarithmic scale if they may be."""

TINY, HUGE = 1e-9, 1e15
"""What is smaller counts as nothing; what is larger is not drawn. Workers may report any number at all."""

_UNITS = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


@dataclass(frozen=True, slots=True)
class Scale:
    """`low` and `high` of the values lie at `start` and `end` of the picture."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]
    log: bool = False

    @classmethod
    def of(cls, values: Sequence[float], start: float, end: float, *, log: bool = False) -> Scale:
        """Begins at zero, and ends at a tick or where the values do, whichever leaves less empty."""
        positive = [value for value in values if value > TINY]
        if log and positive and math.log10(max(positive) / min(positive)) > DECADES:
            return cls._logarithmic(positive, start, end)
        low, high = min(0.0, min(values, default=0.0)), max(values, default=0.0)
        if high - low <= TINY:
            high = low + 1.0
        step = nice_step((high - low) / 5)
        if all(value == round(value) for value in values):
            step = max(1.0, step)  # there is no half a finding
        first, last = math.floor(low / step), math.ceil(high / step - 1e-9)
        return cls(low if low < 0 else 0.0, high, start, end, tuple(n * step for n in range(first, last + 1)))

    @classmethod
    def _logarithmic(cls, values: Sequence[float], start: float, end: float) -> Scale:
        first, last = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        step = math.ceil((last - first) / 6)
        powers = range(first, last + step, step)
        ticks = tuple(10.0**power for power in powers)
        return cls(ticks[0], ticks[-1], start, end, ticks, log=True)

    def __call__(self, value: float) -> float:
        low, high = self.low, self.high
        if self.log:
            low, high, value = math.log10(low), math.log10(high), math.log10(max(value, self.low))
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def up_to_a_tick(self) -> Scale:
        """Ends at the last tick: for the axis that goes up."""
        return Scale(min(self.low, self.ticks[0]), self.ticks[-1], self.start, self.end, self.ticks, self.log)


def nice_step(rough: float) -> float:
    """The next of 1, 2, 5, 10, 20, ... that is at least `rough`."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= rough * (1 - 1e-9))


def shorts(values: Sequence[float]) -> list[str]:
    """The words along an axis: `0`, `8k`, `10k`, and not `8,000` below `10k`, unless they lie far apart."""
    sizes = [abs(value) for value in values if value]
    if not sizes or max(sizes) < 1e4 or max(sizes) > 100 * min(sizes):
        return [short(value) for value in values]
    size, letter = next(each for each in _UNITS if max(sizes) >= each[0])
    return [f"{value / size:.4g}{letter}" if value else "0" for value in values]


def short(value: float) -> str:
    """`950`, `12k`, `1.5M`, `0.25`."""
    for size, letter in _UNITS:
        if abs(value) >= max(size, 1e4):
            return f"{value / size:.4g}{letter}"
    return f"{value:,.0f}" if value == round(value) else f"{value:.3g}"


def exact(value: float) -> str:
    """For legends and tables: `12,443`, `470.2`."""
    if value == round(value) and abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:,.1f}" if 10 <= abs(value) < 1e15 else f"{value:.3g}"
