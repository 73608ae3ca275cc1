"""`gui`: what was asked for and how far it came, the screens that were seen, and how they hang together."""

from __future__ import annotations

from untrod.core.errors import UntrodError
from untrod.core.text import count
from untrod.core.vocabulary import Finding, Json
from untrod.drivers.graph_reader import decode
from untrod.engines.gui.engine import GuiConfig, table_key
from untrod.output.graph_picture import picture
from untrod.output.html.chart import Chart, Series
from untrod.output.html.finding_cards import anchor
from untrod.output.html.markup import Child, Html, code, table, tag
from untrod.output.html.panel import Panel
from untrod.output.html.screenshots import by_screen
from untrod.output.html.story import Story

MOST_SCREENS = 150
"""Boxes in a picture that a person can still find their way in."""


def gui_panel(story: Story) -> Panel:
    extra = story.extra
    if not extra.get("of"):
        return Panel("nothing was run")
    verb = str(extra["verb"])
    return Panel(
        result=f"{extra['found']} of {count(extra['of'], 'specification')} {verb}",
        charts=(
            Chart(
                f"Specifications {verb}",
                "episodes",
                "specifications",
                (
                    Series(verb, story.over_episodes(lambda at: at.extra.get("found")), "step"),
                    Series("asked for", story.over_episodes(lambda at: at.extra.get("of"))),
                ),
                story.flags(),
            ),
            Chart(
                "Screens seen",
                "episodes",
                "seen so far",
                (
                    Series("states", story.over_episodes(lambda at: at.extra.get("states")), "step"),
                    Series("screens", story.over_episodes(lambda at: at.extra.get("screens")), "step"),
                ),
            ),
            Chart(
                "Steps over time",
                "seconds",
                "steps",
                (Series("steps", story.over_time(lambda at: at.extra.get("steps"))),),
            ),
        ),
        sections=(_specifications(story), *_graph(story)),
        measure="screens seen",
        measured=lambda at: at.extra.get("screens"),
    )


def _specifications(story: Story) -> tuple[str, Html]:
    """Each with what became of it, and how far its formula came step by step."""
    config = GuiConfig.from_json(story.config)
    found = {finding.key: finding for finding in story.findings}
    rows = [
        (spec.title, code(spec.text), *_fate(found.get(spec.key), spec.violate, story))
        for spec in config.parsed()
    ]
    return "Specifications", table(("what", "formula", "came to", "the formula, step by step"), rows)


def _fate(finding: Finding | None, violate: bool, story: Story) -> tuple[Child, Child]:
    if finding is None:
        return ("not broken so far" if violate else "not shown so far"), ""
    steps = count(max(0, len(finding.trace.answers) - 1), "step")
    link = tag("a", f"{'broken' if violate else 'shown'} in {steps}", href=f"#{anchor(story.row, finding)}")
    return link, [tag("div", _reason(each)) for each in finding.detail.get("reasons", ())]


def _reason(body: Json) -> list[Child]:
    at, name, operator, value, holds = body
    atom = " ".join(str(part) for part in (name, operator, value) if part)
    return [
        f"after step {at}: " if at else "at the start: ",
        code(atom),
        " holds" if holds else " does not hold",
    ]


def _graph(story: Story) -> list[tuple[str, Html]]:
    known = story.known(table_key(GuiConfig.from_json(story.config)))
    if not known or not known.get("graph"):
        return []
    try:
        graph = decode(known["graph"])
    except UntrodError:
        return []
    if len(graph.screens) > MOST_SCREENS:
        return [("Screens", tag("p", f"{len(graph.screens):,} states: too many to draw here."))]
    # All of its texts are escaped by `picture`. Inside a page, SVG needs no name space.
    start = next((graph.screens[key].id for key in graph.starts.values()), "")
    shots: dict[str, str] = {}
    for finding in story.findings:
        shots = {**by_screen(story.screens, finding, start), **shots}
    drawn = Html(picture(graph, shots=shots).replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
    told = tag("p", "Rows are steps from the start. Pointing at a line names its actions.", class_="soft")
    label = {"tabindex": "0", "role": "group", "aria_label": "screen graph"}
    return [("Screens", tag("div", told, tag("div", drawn, class_="scroll", **label)))]
