"""Records a screen graph while another driver is in use."""

from __future__ import annotations

from collections.abc import Sequence

from untrod.drivers.graph import ScreenGraph
from untrod.drivers.protocol import Action, Capabilities, Driver, ResetLevel, Screen, Step


class RecordingDriver:
    """Behaves like the driver it wraps. `graph` is what was seen so far; give it one to go on with."""

    def __init__(self, driver: Driver, graph: ScreenGraph | None = None) -> None:
        self.driver = driver
        self.graph = ScreenGraph() if graph is None else graph
        self._here = ""

    @property
    def capabilities(self) -> Capabilities:
        return self.driver.capabilities

    def reset(self, level: ResetLevel = "soft") -> Screen:
        screen = self.driver.reset(level)
        self.graph.start(level, screen)
        self._here = screen.concrete_id
        return screen

    def actions(self, screen: Screen) -> Sequence[Action]:
        actions = self.driver.actions(screen)
        self.graph.offer(screen, actions)
        return actions

    def step(self, action: Action) -> Step:
        step = self.driver.step(action)
        self.graph.walk(self._here, step)
        self._here = step.screen.concrete_id
        return step

    def resolve(self, action: Action) -> Action | None:
        return self.driver.resolve(action)

    def close(self) -> None:
        self.driver.close()
