"""What one engine contributes to a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from untrod.core.events import Progress
from untrod.core.vocabulary import Json
from untrod.output.html.chart import Chart, draw
from untrod.output.html.markup import Child, Html, code, table, tag
from untrod.output.html.story import Story


@dataclass(frozen=True)
class Panel:
    """`result` is what it all came to, in words. `measure` is what campaigns are compared by: its name, and
    how it is read off a moment of the campaign."""

    result: str = ""
    charts: tuple[Chart, ...] = ()
    sections: tuple[tuple[str, Html], ...] = ()  # title and content
    measure: str = ""
    measured: Callable[[Progress], Json] = field(default=lambda progress: None)

    def html(self) -> list[Html]:
        return self._drawn

    @cached_property
    def _drawn(self) -> list[Html]:
        figures = [figure for chart in self.charts if (figure := draw(chart))]
        drawn = [tag("h3", "Progress"), tag("div", figures, class_="charts")] if figures else []
        return [*drawn, *(part for title, body in self.sections for part in (tag("h3", title), body))]


def listed(lines: Iterable[str]) -> Html:
    """Texts that untrod did not write, one below the other."""
    return tag("ul", [tag("li", code(line)) for line in lines], class_="plain")


def bars(heads: Sequence[str], rows: Sequence[tuple[Child, float, Child]]) -> Html:
    """A table whose last column shows the number as a bar: name, number, number in words."""
    top = max((value for _, value, _ in rows), default=0.0) or 1.0
    cells = [(name, words, _bar(value / top)) for name, value, words in rows]
    return tag("div", table((*heads, ""), cells), class_="barred")


def _bar(share: float) -> Html:
    return tag(
        "span", class_="bar", style=f"width:{100 * max(0.0, min(1.0, share)):.1f}%", aria_hidden="true"
    )


def stretches(story: Story, part: Callable[[Progress], int]) -> list[tuple[float, float]]:
    """The learning curve of a policy: the percentage of episodes that `part` counts, stretch by stretch.

    Stretches are at least a twentieth of the campaign, or the curve would show nothing but noise.
    """
    least = max(1.0, story.row.episodes / 20)
    points: list[tuple[float, float]] = []
    before = Progress(0, 0, 0, 0, 0.0, 0.0)
    for progress in story.history:
        episodes = progress.episodes - before.episodes
        if episodes >= least:
            points.append((progress.episodes, 100 * (part(progress) - part(before)) / episodes))
            before = progress
    return points
