"""Charts as SVG, drawn here: no script, nothing to load, and a page of kilobytes.

Series differ by dash and by marker as well as by colour. The last value stands in the legend, points name
themselves when pointed at, and the numbers follow as a table for those who cannot see the picture. Colours
are left to the style sheet, so that a chart is right in the light, in the dark and on paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from untrod.core.thinning import thinned
from untrod.output.html.markup import Html, join, table, tag, unfold
from untrod.output.html.scale import HUGE, Scale, exact, shorts

WIDTH, HEIGHT = 460, 290
LEFT, RIGHT, BOTTOM = 66, 16, 46
LETTER, ROW = 7.0, 17  # of the legend: about the width of a letter, and the height of a line
LONGEST_NAME = 46
MARKERS, MARKS, NUMBERS = 6, 12, 12
SHAPES = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0",
    "M-3.2 -3.2h6.4v6.4h-6.4z",
    "M0 -4.2L4 3.2H-4z",
    "M0 -4.4L4.4 0L0 4.4L-4.4 0z",
    "M-4 -4L4 4M4 -4L-4 4",
    "M0 4.2L4 -3.2H-4z",
)

Points: TypeAlias = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Series:
    """`style`: a line, steps (a count that holds until it grows), dots (measurements), or a curve (a formula;
    no point of it was measured). Of the series of a chart, those with the same `look` belong together."""

    name: str
    points: Points
    style: str = "line"
    look: int = -1  # colour, dash and marker; by the place among the series if negative


@dataclass(frozen=True, slots=True)
class Chart:
    """`marks` are moments on the x axis that deserve a flag, each with what happened."""

    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    marks: tuple[tuple[float, str], ...] = ()
    log: bool = False


def draw(chart: Chart) -> Html:
    """The chart as a figure; empty when there is nothing to show."""
    series = [each for each in _finite(chart.series) if each.points]
    if not any(len(each.points) > 1 or each.style == "dots" for each in series):
        return Html("")
    legend, rows = _legend(series, bool(chart.marks))
    top = 12 + rows * ROW
    x = Scale.of([at for each in series for at, _ in each.points], LEFT, WIDTH - RIGHT)
    y = Scale.of(
        [value for each in series for _, value in each.points], HEIGHT - BOTTOM, top, log=chart.log
    ).up_to_a_tick()
    picture = tag(
        "svg",
        tag("title", f"{chart.title}: {chart.y} against {chart.x}"),
        _axes(chart, x, y, top),
        [_flag(at, told, x, top) for at, told in chart.marks[:MARKS] if x.low <= at <= x.high],
        [_drawn(each, x, y, chart) for each in series],
        legend,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        class_="chart",
    )
    return tag("figure", tag("figcaption", chart.title), picture, _numbers(chart, series))


def _finite(series: Sequence[Series]) -> list[Series]:
    """Without what cannot be drawn, and with a look."""
    return [
        Series(
            each.name,
            [(a, b) for a, b in each.points if abs(a) < HUGE and abs(b) < HUGE],
            each.style,
            (each.look if each.look >= 0 else number) % len(SHAPES),
        )
        for number, each in enumerate(series)
    ]


def _axes(chart: Chart, x: Scale, y: Scale, top: float) -> Html:
    floor, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    lines, words = [], []
    for value, word in zip(y.ticks, shorts(y.ticks), strict=True):
        at = _at(y(value))
        lines.append(f"M{LEFT} {at}H{right}")
        words.append(tag("text", word, x=LEFT - 7, y=_at(y(value) + 4), class_="end"))
    for value, word in zip(x.ticks, shorts(x.ticks), strict=True):
        if value <= x.high * (1 + 1e-9):
            words.append(tag("text", word, x=_at(x(value)), y=floor + 16, class_="middle"))
            lines.append(f"M{_at(x(value))} {floor}v4")
    middle = (top + floor) / 2
    up = f"translate(13 {_at(middle)}) rotate(-90)"
    scale = " (log scale)" if y.log else ""
    return join(
        [
            tag("path", d="".join(lines), class_="grid"),
            tag("path", d=f"M{LEFT} {_at(top)}V{floor}H{right}", class_="axis"),
            words,
            tag("text", chart.x, x=_at((LEFT + right) / 2), y=HEIGHT - 8, class_="label middle"),
            tag("text", chart.y + scale, transform=up, class_="label middle"),
        ]
    )


def _drawn(series: Series, x: Scale, y: Scale, chart: Chart) -> Html:
    style = f"s{series.look}"
    places = [(x(at), y(value)) for at, value in series.points]
    lines = (
        [] if series.style == "dots" else [tag("path", d=_path(places, series.style), class_=f"line {style}")]
    )
    marked: Points = thinned(series.points, MARKERS + 1)[1:]
    if series.style in ("dots", "curve"):
        marked = series.points if series.style == "dots" else ()
    dots = [
        tag(
            "path",
            tag("title", f"{exact(at)} {chart.x}: {exact(value)} {series.name}"),
            d=SHAPES[series.look],
            transform=f"translate({_at(x(at))} {_at(y(value))})",
            class_=f"dot {style}",
        )
        for at, value in marked
    ]
    return tag("g", lines, dots)


def _path(places: Sequence[tuple[float, float]], style: str) -> str:
    """Points that fall on the same spot of the picture are drawn once."""
    parts: list[str] = []
    before = ("", "")
    for at, value in places:
        spot = (_at(at), _at(value))
        if spot == before:
            continue
        if not parts:
            parts.append(f"M{spot[0]} {spot[1]}")
        elif style == "step":
            parts.append(f"H{spot[0]}" + (f"V{spot[1]}" if spot[1] != before[1] else ""))
        else:
            parts.append(f"L{spot[0]} {spot[1]}")
        before = spot
    return "".join(parts)


def _flag(at: float, told: str, x: Scale, top: float) -> Html:
    place = _at(x(at))
    return tag(
        "g",
        tag("title", told),
        tag("path", d=f"M{place} {HEIGHT - BOTTOM}V{_at(top)}", class_="pole"),
        tag("path", d=f"M{place} {_at(top)}l9 4l-9 4z", class_="flag"),
        class_="mark",
    )


def _legend(series: Sequence[Series], flags: bool) -> tuple[Html, int]:
    """The entries, flowing from line to line, and how many lines that took."""
    entries: list[Html] = []
    x, row = float(LEFT), 0
    texts = [(each.look, _called(each), each.style) for each in series]
    for look, text, style in [*texts, *([(0, "a finding", "flag")] if flags else [])]:
        wide = 34 + LETTER * len(text)
        if x > LEFT and x + wide > WIDTH + RIGHT:
            x, row = float(LEFT), row + 1
        entries.append(_entry(look, text, style, x, 14 + row * ROW))
        x += wide + 8
    return tag("g", entries, class_="legend"), row + 1


def _entry(look: int, text: str, style: str, x: float, y: float) -> Html:
    kind = f"s{look}"
    sample = [tag("path", d="M0 -4H24", class_=f"line {kind}")] if style not in ("dots", "flag") else []
    if style == "flag":
        sample.append(tag("path", d="M10 -8l9 4l-9 4z", class_="flag"))
    elif style != "curve":
        sample.append(tag("path", d=SHAPES[look], transform="translate(12 -4)", class_=f"dot {kind}"))
    return tag("g", sample, tag("text", text, x=30), transform=f"translate({_at(x)} {_at(y)})")


def _called(series: Series) -> str:
    name = _short(series.name)
    return name if series.style == "curve" else f"{name}: {exact(series.points[-1][1])}"


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _numbers(chart: Chart, series: Sequence[Series]) -> Html:
    parts = [
        table(
            (chart.x, chart.y),
            ((exact(at), exact(value)) for at, value in thinned(each.points, NUMBERS)),
            caption=_short(each.name),
        )
        for each in series
    ]
    return unfold("the numbers", tag("div", parts, class_="numbers"))


def _at(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
