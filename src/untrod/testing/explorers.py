"""What every explorer of `gui` does (`untrod.engines.gui.explorers.base`), as checks for any of them.

    assert check_explorer(make) == ("Aiming",)     # make(seed, ideas, graph) -> explorer and ideas, a factory

The checks play on a small application whose buttons all lead somewhere.
"""

from __future__ import annotations

import json

from untrod.drivers.graph import Edge, ScreenGraph
from untrod.drivers.model import ModelDriver
from untrod.drivers.protocol import Action, Screen
from untrod.drivers.recording import RecordingDriver
from untrod.engines.gui.agent import Agent
from untrod.engines.gui.explorers.base import OPTIONAL, Explorer
from untrod.engines.gui.explorers.catalogue import ExplorerFactory
from untrod.ltl import parse

NEVER = parse("F [activity = nowhere]")
SCREENS, BUTTONS, EPISODES = 5, 4, 12


def check_explorer(make: ExplorerFactory) -> tuple[str, ...]:
    """The names of the optional protocols that the explorer has. Raises AssertionError where it breaks its
    word."""
    for check in (_same_seed, _goes_on):
        check(make)
    explorer, _ = make(0, None, ScreenGraph())
    assert explorer.name, "an explorer has a name"
    return tuple(each.__name__ for each in OPTIONAL if isinstance(explorer, each))


def _same_seed(make: ExplorerFactory) -> None:
    first, second = (_play(_agent(make, 7, ScreenGraph())) for _ in range(2))
    assert first == second, "two explorers with one seed choose differently"


def _goes_on(make: ExplorerFactory) -> None:
    graph = ScreenGraph()
    agent = _agent(make, 3, graph)
    _play(agent)
    state = json.dumps(agent.explorer.state())
    plays = []
    for seed in (4, 5):
        heir = _agent(make, seed, graph)
        heir.explorer.load(json.loads(state))
        assert json.dumps(heir.explorer.state()) == state, "state() is not what load() was given"
        plays.append(heir.explorer)
    actions = [Action("click", detail=str(number)) for number in range(BUTTONS)]
    assert len({_choice(each, actions) for each in plays}) == 1, "load(state()) does not go on alike"


def _choice(explorer: Explorer, actions: list[Action]) -> Action:
    explorer.begin(_screen(0))
    chosen = explorer.choose(actions)
    assert chosen in actions, "an explorer chooses what is offered"
    return chosen


def _agent(make: ExplorerFactory, seed: int, graph: ScreenGraph) -> Agent:
    driver = RecordingDriver(ModelDriver(_application()), graph)
    return Agent(driver, NEVER, *make(seed, None, graph), steps=4)


def _play(agent: Agent) -> list[list[Action]]:
    return [episode.actions for episode in agent.search(EPISODES)]


def _application() -> ScreenGraph:
    graph = ScreenGraph("application")
    graph.start("soft", _screen(0))
    for number in range(SCREENS):
        graph.offer(_screen(number), ())
        for button in range(BUTTONS):
            to = _screen((number * button + 1) % SCREENS).concrete_id
            graph.edges[_screen(number).concrete_id][Action("click", detail=str(button))] = [Edge(to)]
    return graph


def _screen(number: int) -> Screen:
    return Screen(f"screen {number}", f"screen {number}", {"activity": (f"Activity {number}",)})
