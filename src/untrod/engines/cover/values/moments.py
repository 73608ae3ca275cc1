"""Dates and times. The last days of a month and zones are what code about dates is about: chance has both."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from typing import Any

from untrod.engines.cover.values.kinds import DrawContext, Fixed, Integer, Kind, OneOf
from untrod.engines.cover.values.objects import Made, Slot
from untrod.source.nodes import Atom, Call, Node, Ref

LAST, NEARBY = 0.2, 0.4
"""How often a date is one of the last days, and how often it changes to one nearby."""
_OFFSET = Made(
    ((Ref("datetime", "timedelta"), lambda: (Slot("minutes", Integer(-720, 840), keyword=True),)),)
)
_ZONE = OneOf(
    (
        Fixed((Ref("datetime", "timezone.utc"),)),
        Made(((Ref("datetime", "timezone"), lambda: (Slot("offset", _OFFSET),)),)),
    )
)
_YEAR = OneOf((*3 * (Integer(2020, 2026),), Integer(1900, 2100), Integer(1, 9999)))
"""Two of them are mostly near one another: code that goes from day to day gets there."""
_DATE = (Slot("year", _YEAR), Slot("month", Integer(1, 12)), Slot("day", Integer(1, 28)))
_HOURS = (Slot("hour", Integer(0, 23)), Slot("minute", Integer(0, 59)))
_FINE = (
    Slot("second", Integer(0, 59), required=False, keyword=True),
    Slot("microsecond", Integer(0, 999_999), required=False, keyword=True),
    Slot("tzinfo", _ZONE, required=False, keyword=True),
)
_SPAN = (Slot("days", Integer(-4000, 4000)), Slot("seconds", Integer(-90_000, 90_000)))
_LAST_DAYS = ((2024, 2, 29), (2023, 2, 28), (1900, 12, 31), (2000, 2, 29), (2025, 1, 31), (9999, 12, 31))


def _made(name: str, *slots: Slot) -> Made:
    return Made(((Ref("datetime", name), lambda: slots),))


def _last_days(name: str) -> Fixed:
    callee = Ref("datetime", name)
    return Fixed(tuple(Call(callee, tuple(Atom(str(part)) for part in day)) for day in _LAST_DAYS))


@dataclass(frozen=True, slots=True)
class _Dated:
    """A last day is not mutated: the next month may be shorter."""

    usual: Made
    last: Fixed

    def draw(self, context: DrawContext) -> Node:
        return (self.last if context.happens(LAST) else self.usual).draw(context)

    def mutate(self, node: Node, context: DrawContext) -> Node:
        if context.happens(NEARBY):
            return _days_later(node, context.rng.choice((-1, 1)) * context.rng.choice((1, 1, 7, 30, 365)))
        return self.draw(context) if node in self.last.nodes else self.usual.mutate(node, context)


def _dated(name: str, *slots: Slot) -> Kind:
    return _Dated(_made(name, *_DATE, *slots), _last_days(name))


def _days_later(node: Node, days: int) -> Node:
    """The same, where there is no such day."""
    if not isinstance(node, Call) or len(node.arguments) < 3:
        return node
    try:
        year, month, day = (int(part.text) for part in node.arguments[:3] if isinstance(part, Atom))
        later = datetime.date(year, month, day) + datetime.timedelta(days)
    except (TypeError, ValueError, OverflowError):
        return node
    parts = tuple(Atom(str(part)) for part in (later.year, later.month, later.day))
    return replace(node, arguments=(*parts, *node.arguments[3:]))


MOMENTS: dict[Any, Kind] = {
    datetime.date: _dated("date"),
    datetime.datetime: _dated("datetime", *_HOURS, *_FINE),
    datetime.time: _made("time", *_HOURS, *_FINE),
    datetime.timedelta: _made("timedelta", *_SPAN),
    datetime.tzinfo: _ZONE,
    datetime.timezone: _ZONE,
}
