"""`worst`: cost against size, with the curves that were fitted, and the costliest inputs."""

from __future__ import annotations

import re
from collections import Counter
from typing import Literal

from untrod.core.events import Progress
from untrod.core.text import one_line
from untrod.core.vocabulary import Json
from untrod.engines.worst.counts import GrowthCounts, SizeCounts, WorstCounts, decode, result_line
from untrod.engines.worst.engine import WorstConfig
from untrod.engines.worst.growth import CLASSES, Point, fitted
from untrod.output.html.chart import Chart, Points, Series
from untrod.output.html.markup import Html, code, join, table, tag, value
from untrod.output.html.panel import Panel
from untrod.output.html.sources import lines_of
from untrod.output.html.story import Story

STEPS = 40
"""Pieces that a fitted curve is drawn from."""
MOST_BRANCHES = 20


def worst_panel(story: Story) -> Panel:
    counts = decode(story.extra)
    if counts is None:
        return Panel("no input could be run")
    cost, largest = counts["cost"], counts["sizes"][-1]["size"]
    return Panel(
        result=result_line(counts),
        charts=(
            Chart("Cost against size", "size of the input", cost, _curves(counts), log=True),
            Chart(
                "The costliest input so far, at the largest size",
                "runs",
                cost,
                (Series("worst", story.over_episodes(lambda at: _worst_at(largest, at)), "step"),),
                story.flags(),
            ),
            *_paths(story, counts),
        ),
        sections=(_sizes(counts), *_input(counts), *branch_preferences(story)),
        measure=f"{cost} at the largest size",
        measured=lambda at: _worst_at(largest, at),
    )


def _paths(story: Story, counts: WorstCounts) -> list[Chart]:
    """Nothing where no solver was at work."""
    if not counts.get("paths"):
        return []
    paths = Series("paths", story.over_time(_paths_so_far, 0.0))
    return [Chart("Symbolic paths", "seconds", "paths so far", (paths,))]


def _paths_so_far(at: Progress) -> int | None:
    then = decode(at.extra)
    return then.get("paths") if then else None


def _curves(counts: WorstCounts) -> tuple[Series, ...]:
    series = []
    names: tuple[Literal["worst", "average"], ...] = ("worst", "average")
    for look, name in enumerate(names):
        points = [
            (float(row["size"]), float(cost)) for row in counts["sizes"] if (cost := row[name]) is not None
        ]
        growth = counts[name]
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


def _worst_at(size: int, at: Progress) -> int | None:
    then = decode(at.extra)
    return next((row["worst"] for row in then["sizes"] if row["size"] == size), None) if then else None


def _sizes(counts: WorstCounts) -> tuple[str, Html]:
    rows = [
        (
            f"{row['size']:,}",
            _count(row["worst"]),
            _count(row["average"]),
            _ratio(row),
            code(row["by"]) if row["by"] else "",
            "; ".join(text for text in (row["raises"] and f"raises {row['raises']}", row["closed"]) if text),
        )
        for row in counts["sizes"]
    ]
    heads = ("size", f"worst ({counts['cost']})", "average", "worst / average", "found by", "")
    words = [f"worst: {_growth(counts['worst'])}", f"average: {_growth(counts['average'])}"]
    return "Every size", join([table(heads, rows), [tag("p", each) for each in words]])


def _growth(growth: GrowthCounts) -> str:
    return f"{growth['class']}, {growth['formula']}" if growth["class"] else growth["reason"]


def _ratio(row: SizeCounts) -> str:
    return f"{row['worst'] / row['average']:.1f}" if row["worst"] and row["average"] else ""


def _count(found: float | None) -> str:
    if found is None:
        return "?"
    return f"{found:,.0f}" if found >= 1000 or found == round(found) else f"{found:.1f}"


def _input(counts: WorstCounts) -> list[tuple[str, Html]]:
    known = [row for row in counts["sizes"] if row["input"]]
    return [(f"The costliest input of size {known[-1]['size']}", value(known[-1]["input"]))] if known else []


# -- what the policy has learned of each branch ---------------------------------------------------


def branch_preferences(story: Story) -> list[tuple[str, Html]]:
    """Which side made the path longer, and how often; nothing where no policy has learned by symbolic paths.

    It is read off what is transferred to the next campaign (`transfer.py`): experiences of a state, an action
    and a target, where the target of the better side is 0 (`learn/pyse/branch_q.py`).
    """
    try:
        known = story.known(WorstConfig.from_json(story.config).table) or {}
        lines = lines_of(story.config["target"], story.project)  # a branch may also stand elsewhere
        rows = [row for part in _with_values(known.get("lore")) for row in _rows(part, lines)]
    except (LookupError, TypeError, ValueError, AttributeError):
        return []  # of another version
    if not rows:
        return []
    told = "Which side of a branch the longest known paths take, of all moments at which one side was longer."
    heads = ("branch", "source", "side", "moments")
    return [("What the policy has learned", join([tag("p", told), table(heads, rows[:MOST_BRANCHES])]))]


def _with_values(part: Json) -> list[Json]:
    """Those that have values of branches: a portfolio has several members."""
    each = [body for _, body in part["members"]] if part and "members" in part else [part]
    return [body for body in each if body and "q" in body]


def _rows(part: Json, lines: list[str]) -> list[tuple[Html, Html, str, str]]:
    better: dict[int, Counter[bool]] = {}
    for key, action, target, moments in part["q"]["memory"]:
        if target == 0:
            better.setdefault(int(key[0]), Counter())[bool(action)] += int(moments)
    rows = []
    for site, sides in sorted(better.items(), key=lambda each: -each[1].total()):
        unit, line, _ = part["sites"][site]
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
