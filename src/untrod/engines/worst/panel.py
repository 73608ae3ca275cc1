"""`worst`: cost against size, with the curves that were fitted, and the costliest inputs."""

from __future__ import annotations

import re
from collections import Counter

from untrod.core.text import one_line
from untrod.core.vocabulary import Json
from untrod.engines.worst.counts import result_line
from untrod.engines.worst.engine import WorstConfig
from untrod.engines.worst.growth import CLASSES, Point, fitted
from untrod.output.html.chart import Chart, Points, Series
from untrod.output.html.markup import Html, code, join, table, tag, value
from untrod.output.html.panel import Panel
from untrod.output.html.sources import lines_of
from untrod.output.html.story import Story, number

STEPS = 40
"""Pieces that a fitted curve is drawn from."""


def worst_panel(story: Story) -> Panel:
    extra = story.extra
    if not extra.get("sizes"):
        return Panel("no input could be run")
    cost = str(extra["cost"])
    return Panel(
        result=result_line(extra),
        charts=(
            Chart("Cost against size", "size of the input", cost, _curves(extra), log=True),
            Chart(
                "The costliest input so far, at the largest size",
                "runs",
                cost,
                (Series("worst", story.over_episodes(lambda at: _at_the_top(at.extra, extra)), "step"),),
                story.flags(),
            ),
            *_paths(story),
        ),
        sections=(_sizes(extra, cost), *_input(extra), *branch_preferences(story)),
        measure=f"{cost} at the largest size",
        measured=lambda at: _at_the_top(at.extra, extra),
    )


def _paths(story: Story) -> list[Chart]:
    """Nothing where no solver was at work."""
    if not story.extra.get("paths"):
        return []
    paths = Series("paths", story.over_time(lambda at: at.extra.get("paths"), 0.0))
    return [Chart("Symbolic paths", "seconds", "paths so far", (paths,))]


def _curves(extra: dict[str, Json]) -> tuple[Series, ...]:
    series = []
    for look, name in enumerate(("worst", "average")):
        points = [
            (float(row["size"]), float(row[name])) for row in extra["sizes"] if number(row[name]) is not None
        ]
        growth = extra[name]
        called = (
            f"fit: {growth['class']} ({int(growth['confidence'] * 100)}% sure)" if growth["class"] else ""
        )
        series.append(Series(name, points, "dots", look))
        series.append(Series(called, _fit(growth["class"], points), "curve", look))
    return tuple(series)


def _fit(name: str, points: Points) -> Points:
    """The class's own curve through the measured points."""
    known = [Point(int(size), cost) for size, cost in points if cost > 0]
    fit = fitted(name, known) if name in CLASSES and len(known) > 1 else None
    if fit is None:
        return []
    first, last = known[0].size, known[-1].size
    sizes = [first + (last - first) * step / STEPS for step in range(STEPS + 1)]
    return [(size, max(0.0, fit.predicted(size))) for size in sizes if size > 0]


def _at_the_top(then: dict[str, Json], now: dict[str, Json]) -> Json:
    largest = now["sizes"][-1]["size"]
    return next((row["worst"] for row in then.get("sizes", ()) if row["size"] == largest), None)


def _sizes(extra: dict[str, Json], cost: str) -> tuple[str, Html]:
    rows = [
        (
            f"{row['size']:,}",
            _count(row["worst"]),
            _count(row["average"]),
            _ratio(row),
            code(row["by"]) if row["by"] else "",
            "; ".join(text for text in (row["raises"] and f"raises {row['raises']}", row["closed"]) if text),
        )
        for row in extra["sizes"]
    ]
    heads = ("size", f"worst ({cost})", "average", "worst / average", "found by", "")
    words = [f"{name}: {_growth(extra[name])}" for name in ("worst", "average")]
    return "Every size", join([table(heads, rows), [tag("p", each) for each in words]])


def _growth(growth: Json) -> str:
    return f"{growth['class']}, {growth['formula']}" if growth["class"] else str(growth["reason"])


def _ratio(row: Json) -> str:
    return f"{row['worst'] / row['average']:.1f}" if row["worst"] and row["average"] else ""


def _count(value: Json) -> str:
    found = number(value)
    return (
        "?"
        if found is None
        else f"{found:,.0f}"
        if found >= 1000 or found == round(found)
        else f"{found:.1f}"
    )


def _input(extra: dict[str, Json]) -> list[tuple[str, Html]]:
    known = [row for row in extra["sizes"] if row["input"]]
    return [(f"The costliest input of size {known[-1]['size']}", value(known[-1]["input"]))] if known else []


MOST = 20


def branch_preferences(story: Story) -> list[tuple[str, Html]]:
    """A section; nothing where no policy has learned by symbolic paths."""
    try:
        known = story.known(WorstConfig.from_json(story.config).table) or {}
        lines = lines_of(story.config["target"], story.project)  # a branch may also stand elsewhere
        rows = [row for lore in _lores(known.get("lore")) for row in _rows(lore, lines)]
    except (LookupError, TypeError, ValueError, AttributeError):
        return []  # of another version
    if not rows:
        return []
    told = "Which side of a branch the longest known paths take, of all moments at which one side was longer."
    heads = ("branch", "source", "side", "moments")
    return [("What the policy has learned", join([tag("p", told), table(heads, rows[:MOST])]))]


def _lores(lore: Json) -> list[Json]:
    """Those that have values of branches: a portfolio has several members."""
    each = [body for _, body in lore["members"]] if lore and "members" in lore else [lore]
    return [body for body in each if body and "q" in body]


def _rows(lore: Json, lines: list[str]) -> list[tuple[Html, Html, str, str]]:
    better: dict[int, Counter[bool]] = {}
    for key, action, target, moments in lore["q"]["memory"]:
        if target == 0:
            better.setdefault(int(key[0]), Counter())[bool(action)] += int(moments)
    rows = []
    for site, sides in sorted(better.items(), key=lambda each: -each[1].total()):
        unit, line, _ = lore["sites"][site]
        (side, times), of = sides.most_common(1)[0], sides.total()
        words = f"{'true' if side else 'false'}, at {100 * times / of:.0f}%"
        rows.append((code(f"{unit}:{line}"), code(_source(lines, unit, int(line))), words, f"{of:,}"))
    return rows


def _source(lines: list[str], unit: str, line: int) -> str:
    """The line of the branch, if its function is one of that file."""
    own = re.compile(rf"(async def|def|class) {re.escape(unit.partition('.')[0])}\b")
    if line > len(lines) or not any(own.match(each) for each in lines):
        return ""
    return one_line(lines[line - 1].strip(), 90)
