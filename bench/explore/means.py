"""Coverage as the paper gives it: the mean over many worlds. Bench rows have a middle and two ends; here the
ends are those of the mean's 95% interval."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

from bench.report import Row

NOTE = "coverage is a mean over worlds; the brackets are its 95% interval, not quartiles"


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95% interval."""
    spread = stdev(values) if len(values) > 1 else 0.0
    return fmean(values), 1.96 * spread / sqrt(len(values))


def gain(these: Sequence[float], those: Sequence[float]) -> tuple[float, float]:
    """World by world, as far as both were measured."""
    return interval([one - other for one, other in zip(these, those, strict=False)])


def row(subject: str, contender: str, metric: str, values: Sequence[float]) -> Row:
    mean, within = interval(values)
    return Row(subject, contender, metric, mean, mean - within, mean + within, len(values))


def single(subject: str, contender: str, metric: str, value: float) -> Row:
    return Row(subject, contender, metric, value, value, value, 1)
