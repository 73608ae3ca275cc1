"""Records the models that `bench/gui/recorded` holds: `python -m bench.gui.record datasette 3000`.

An application is walked through for so many steps by what tries everything once: wherever an action was not
taken yet on such a screen, it is taken next. Then the planner looks for each task, so that the way to it is
in the model as well. Nobody's tables are kept, only the screens and what led from one to the other.
What says nothing is left out, which keeps a file small.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bench.gui.apps import APPS
from bench.gui.apps.base import App
from untrod.core.writing import write_atomically
from untrod.drivers.graph import ScreenGraph
from untrod.drivers.graph_writer import write_graph
from untrod.drivers.protocol import Driver
from untrod.drivers.recording import RecordingDriver
from untrod.drivers.web.driver import WebDriver
from untrod.engines.gui.agent import Agent
from untrod.engines.gui.explorers.catalogue import explorer
from untrod.ltl import parse

MODELS = Path(__file__).with_name("recorded")
NOWHERE = "F [text ~ this-is-nowhere-to-be-seen]"
EPISODES = 15
LONGEST = 80


def record(app: App, driver: Driver, steps: int) -> Iterator[ScreenGraph]:
    """The graph as it grows, after each round: what was recorded is not lost when the rest is."""
    graph = ScreenGraph(app.name)
    recording = RecordingDriver(driver, graph)
    taken = seed = 0
    while taken < steps:
        seed += 1
        agent = Agent(recording, parse(NOWHERE), *explorer("planner", seed, None, graph), steps=app.steps)
        taken += sum(max(1, agent.episode().cost) for _ in range(EPISODES))
        print(f"{app.name}: {taken} steps, {len(graph.screens)} screens", file=sys.stderr, flush=True)
        yield graph
    for name, text in sorted(app.specs.items(), key=lambda each: each[0][1], reverse=True):  # c shows the way
        agent = Agent(recording, parse(text), *explorer("planner", 1, None, graph), steps=app.steps)
        shown = any(trial.satisfied for trial in agent.search(EPISODES))
        print(f"{app.name} {name}: {'shown' if shown else 'NOT SHOWN'}", file=sys.stderr, flush=True)
        yield graph


def trimmed(whole: ScreenGraph) -> ScreenGraph:
    """Without what nobody looks at: actions that were never taken, widgets that were never operated and have
    no state, texts that are on most of the screens, and the ends of long ones."""
    graph = ScreenGraph(whole.name, dict(whole.starts), dict(whole.screens))
    graph.edges = {
        key: {action: edges for action, edges in actions.items() if edges}
        for key, actions in whole.edges.items()
    }
    often = Counter(text for screen in graph.screens.values() for text in set(screen.attrs.get("text", ())))
    dull = {text for text, times in often.items() if times > len(graph.screens) / 2}
    for key, screen in graph.screens.items():
        operated = {(action.target, action.detail) for action in graph.edges[key]}
        attrs = {
            name: tuple(each[:LONGEST] for each in values if name != "text" or each not in dull)
            for name, values in screen.attrs.items()
        }
        widgets = tuple(
            each
            for each in screen.widgets
            if each.attrs or any((locator, each.name) in operated for locator in each.locators)
        )
        graph.screens[key] = replace(screen, attrs=attrs, widgets=widgets)
    return graph


def main(name: str, steps: int) -> None:
    app = next(each for each in APPS if each.site == name)
    with app.running() as (url, setup):
        driver = WebDriver(url, setup=setup, hang_seconds=120.0)
        try:
            for graph in record(app, driver, steps):
                write_atomically(MODELS / f"{name}.json", write_graph(trimmed(graph)))
        finally:
            driver.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
