"""A screen graph as an application: no browser, no device, tens of thousands of steps a second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from untrod.core.errors import UntrodError
from untrod.drivers.graph import Edge, ScreenGraph
from untrod.drivers.graph_reader import load_graph
from untrod.drivers.protocol import Action, Capabilities, DriverOptions, ResetLevel, Screen, Step


class UnknownStep(UntrodError):
    """The graph does not say what an action does. A model that guessed would find things that are not
    there."""


class ModelDriver:
    """Walks a graph. Where an action was seen to do several things, chance decides, as often as it was seen.

    Only actions with a known result are offered. `untried=True` offers the others as well; taking one is an
    error.
    """

    def __init__(self, graph: ScreenGraph, *, seed: int = 0, untried: bool = False) -> None:
        if not graph.starts:
            raise UntrodError("the screen graph has no start", "say where a reset leads to")
        self.graph = graph
        self._random = Random(seed)
        self._here = ""
        self._steps: dict[str, dict[Action, list[Step]]] = {}
        self._weights: dict[str, dict[Action, list[int]]] = {}
        self._offered: dict[str, tuple[Action, ...]] = {}
        for place, actions in graph.edges.items():
            tried = {action: edges for action, edges in actions.items() if edges}
            self._steps[place] = {a: [self._step(a, edge) for edge in edges] for a, edges in tried.items()}
            self._weights[place] = {a: [edge.times for edge in edges] for a, edges in tried.items()}
            self._offered[place] = tuple(actions if untried else tried)

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(frozenset(self.graph.starts), frozenset({"model"}), self.graph.deterministic)

    def reset(self, level: ResetLevel = "soft") -> Screen:
        """A graph that knows only one kind of reset does that one."""
        self._here = self.graph.starts.get(level) or next(iter(self.graph.starts.values()))
        return self.graph.screens[self._here]

    def actions(self, screen: Screen) -> Sequence[Action]:
        return self._offered[screen.concrete_id]

    def step(self, action: Action) -> Step:
        steps = self._steps[self._here].get(action) if self._here else None
        if not steps:
            raise self._unknown(action)
        if len(steps) == 1:
            step = steps[0]
        else:
            (step,) = self._random.choices(steps, self._weights[self._here][action])
        self._here = step.screen.concrete_id
        return step

    def resolve(self, action: Action) -> Action | None:
        """The same action, or else the only one that a person would call by the same name."""
        known = self._steps.get(self._here, {})
        if action in known:
            return action
        alike = [each for each in known if _called(each) == _called(action)]
        return alike[0] if len(alike) == 1 else None

    def close(self) -> None:
        self._here = ""

    def _step(self, action: Action, edge: Edge) -> Step:
        """Made beforehand: a step is then a look-up."""
        screen = self.graph.screens[edge.to]
        if edge.events:
            screen = replace(screen, events=edge.events)
        return Step(action, edge.outcome, screen, edge.ms)

    def _unknown(self, action: Action) -> UnknownStep:
        if not self._here:
            return UnknownStep("a model has to be reset before its first step", "call reset first")
        known = action in self.graph.edges.get(self._here, {})
        what = "was never tried" if known else "is not offered"
        return UnknownStep(
            f"screen {self._here}: {action} {what}, so nobody knows what it does",
            "record more of the application, or take one of the actions that are offered",
        )


class ModelFactory:
    stage = False

    def opens(self, target: str) -> bool:
        return target.endswith(".json") and "://" not in target

    def check(self, options: DriverOptions) -> None:
        load_graph(options.project / options.target)

    def needs(self, targets: Sequence[str]) -> frozenset[str]:
        return frozenset()

    def open(self, options: DriverOptions) -> ModelDriver:
        return ModelDriver(load_graph(options.project / options.target), seed=options.seed)


FACTORY = ModelFactory()


def _called(action: Action) -> tuple[str, str, str]:
    return action.type, action.detail, action.value
