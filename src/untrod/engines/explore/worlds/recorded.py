"""Recorded apps: a screen graph as the drivers write it, turned into a world.

A node is a screen by its concrete id. There is a link where some action led from one screen to another;
which action does not matter, and neither does how often. An action that stays on its screen is no link. The
start is the screen after a hard reset, or after a soft one. Screens that no recorded step reaches do not
count: the denominator is what can be reached from the start. Offered actions that nobody has tried lead
nowhere.
"""

from __future__ import annotations

from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.drivers.graph import ScreenGraph
from untrod.drivers.graph_reader import load_graph
from untrod.engines.explore.worlds.graph import Graph

MOST_SCREENS = 1_000_000


def load_app(path: Path) -> Graph:
    """Raises UntrodError for a file that is no screen graph, or one with nothing to explore."""
    try:
        return recorded_app(load_graph(path))
    except UntrodError as error:
        if str(path) in error.message:
            raise
        raise UntrodError(f"{path}: {error.message}", error.hint) from None


def recorded_app(screens: ScreenGraph) -> Graph:
    if len(screens.screens) > MOST_SCREENS:
        raise UntrodError(f"more than {MOST_SCREENS:,} screens", "record a part of the app")
    number = {name: place for place, name in enumerate(screens.screens)}
    start = screens.starts.get("hard") or screens.starts.get("soft")
    if start is None:
        raise UntrodError("the graph has no start", 'write "start": and the key of a screen')
    links: list[list[int]] = [[] for _ in number]
    for name, actions in screens.edges.items():
        led = dict.fromkeys(edge.to for edges in actions.values() for edge in edges)
        links[number[name]] = [number[to] for to in led if to != name]
    graph = Graph.build(links, number[start], names=list(number))
    if graph.reachable < 2:
        raise UntrodError("no link leads on from the start: there is nothing to explore", "record some steps")
    return graph
