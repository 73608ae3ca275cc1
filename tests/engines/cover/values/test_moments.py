"""Dates: several of them are mostly near one another."""

from __future__ import annotations

import datetime
import itertools
from random import Random

from untrod.engines.cover.values.kinds import DrawContext
from untrod.engines.cover.values.moments import MOMENTS
from untrod.engines.cover.values.words import Words
from untrod.source.evaluate import evaluate

YEAR = datetime.timedelta(days=400)


def dates(count: int) -> list[tuple[datetime.date, datetime.date]]:
    """Pairs of one and what it changes to."""
    context = DrawContext(Random(3), Words())
    kind = MOMENTS[datetime.date]
    drawn = [kind.draw(context) for _ in range(count)]
    return [(evaluate(node), evaluate(kind.mutate(node, context))) for node in drawn]


def test_every_one_of_them_is_a_date() -> None:
    assert all(type(day) is datetime.date for pair in dates(500) for day in pair)


def test_a_changed_date_is_mostly_near() -> None:
    pairs = dates(500)
    assert sum(abs(one - other) <= YEAR for one, other in pairs) > 250
    assert any(one.day != other.day and abs(one - other).days == 1 for one, other in pairs)


def test_two_that_are_drawn_are_often_within_a_decade_and_sometimes_far_apart() -> None:
    firsts = [first for first, _ in dates(500)]
    apart = [abs(one - other).days for one, other in itertools.pairwise(firsts)]
    assert sum(days < 3653 for days in apart) > 100
    assert any(days > 365 * 500 for days in apart)
