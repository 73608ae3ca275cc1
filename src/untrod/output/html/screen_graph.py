"""The screens of an application, drawn inside a page."""

from __future__ import annotations

from collections.abc import Mapping

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json
from untrod.drivers.graph_reader import decode
from untrod.output.graph_picture import picture
from untrod.output.html.markup import Html, tag
from untrod.output.html.screenshots import by_screen
from untrod.output.html.story import Story

MOST_SCREENS = 150
"""Boxes in a picture that a person can still find their way in."""


def screen_graph(
    story: Story, known: Json, visits: Mapping[str, int] | None = None
) -> list[tuple[str, Html]]:
    """A section of a panel; none where nothing is `known` (`drivers.known`)."""
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
    drawn = Html(picture(graph, visits, shots).replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
    told = tag("p", "Rows are steps from the start. Pointing at a line names its actions.", class_="soft")
    label = {"tabindex": "0", "role": "group", "aria_label": "screen graph"}
    return [("Screens", tag("div", told, tag("div", drawn, class_="scroll", **label)))]
