"""A screen graph: the screens that were seen, what could be done on them, and where that led."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from untrod.drivers.protocol import Action, Event, ResetLevel, Screen, Step, StepOutcome


@dataclass(frozen=True, slots=True)
class Edge:
    """What an action did, and how often it did that. An application with hidden state has several for one
    action."""

    to: str  # the concrete id of a screen
    outcome: StepOutcome = StepOutcome.OK
    events: tuple[Event, ...] = ()
    ms: int = 0
    times: int = 1


@dataclass(slots=True)
class ScreenGraph:
    """Screens by their concrete id, without events: those belong to the step that raised them.

    `edges` has an entry for every action that a screen offers, an empty one where nobody has tried it.
    """

    name: str = ""
    starts: dict[ResetLevel, str] = field(default_factory=dict)
    screens: dict[str, Screen] = field(default_factory=dict)
    edges: dict[str, dict[Action, list[Edge]]] = field(default_factory=dict)

    def start(self, level: ResetLevel, screen: Screen) -> None:
        self._add(screen)
        self.starts[level] = screen.concrete_id

    def offer(self, screen: Screen, actions: Iterable[Action]) -> None:
        self._add(screen)
        offered = self.edges[screen.concrete_id]
        for action in actions:
            offered.setdefault(action, [])

    def walk(self, origin: str, step: Step) -> None:
        """One step was taken from this screen. The same step again counts; its time is that of the last
        one."""
        self._add(step.screen)
        edges = self.edges[origin].setdefault(step.action, [])
        fresh = Edge(step.screen.concrete_id, step.outcome, step.screen.events, step.ms)
        for place, edge in enumerate(edges):
            if (edge.to, edge.outcome, edge.events) == (fresh.to, fresh.outcome, fresh.events):
                edges[place] = replace(fresh, times=edge.times + 1)
                return
        edges.append(fresh)

    @property
    def deterministic(self) -> bool:
        return all(len(edges) <= 1 for actions in self.edges.values() for edges in actions.values())

    def _add(self, screen: Screen) -> None:
        self.screens[screen.concrete_id] = replace(screen, events=())
        self.edges.setdefault(screen.concrete_id, {})
