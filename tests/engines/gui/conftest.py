"""A small application for the agent: pages behind a main page that has many buttons without effect."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from untrod.drivers.graph import ScreenGraph
from untrod.drivers.graph_reader import decode
from untrod.drivers.protocol import Step


def click(detail: str, to: Any) -> dict[str, Any]:
    return {"type": "click", "detail": detail, "to": to}


def screen(activity: str, *actions: dict[str, Any], text: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"attrs": {"activity": activity, "text": list(text)}, "actions": list(actions)}


BACK = {"type": "back", "to": "main"}

APPLICATION = {
    "format": "untrod-screens",
    "version": 1,
    "name": "walk",
    "start": "main",
    "screens": {
        "main": screen(
            "MainActivity",
            *(click(f"Square {number}", "main") for number in range(12)),
            click("About", "about"),
            click("Settings", "settings"),
            click("Offline", "new"),
            {"type": "pauseresume", "to": "main"},
            {"type": "back", "to": "outside"},
        ),
        "about": screen("AboutActivity", click("Web page", "outside"), click("Licence", "licence"), BACK),
        "licence": screen("AboutActivity", {"type": "back", "to": "about"}, text=("GPL",)),
        "settings": screen("SettingsActivity", click("Sound", "settings"), BACK),
        "new": screen("NewActivity", click("Play", "game"), BACK),
        "game": screen("OfflineActivity", {"type": "chessmove", "to": "moved"}, BACK),
        "moved": screen("OfflineActivity", click("New", "new"), BACK, text=("moved",)),
        "outside": screen("launcher", {"type": "idle", "to": "outside"}),
    },
}


class Scripted:
    """Takes the actions it was told to, by detail or else by type, and notes what it sees."""

    name = "scripted"

    def __init__(self, *script: str) -> None:
        self.script = list(script)
        self.offered: list[list[str]] = []
        self.observed: list[tuple[str, float]] = []
        self.dead_ends = self.ends = 0

    def begin(self, screen: Any) -> None: ...

    def choose(self, actions: Any) -> Any:
        self.offered.append([action.detail or action.type for action in actions])
        return actions[self.offered[-1].index(self.script.pop(0))]

    def observe(self, step: Step, reward: float) -> None:
        self.observed.append((step.action.detail or step.action.type, reward))

    def dead_end(self) -> None:
        self.dead_ends += 1

    def learn(self, episode: Any) -> None:
        self.ends += 1

    def state(self) -> Any: ...

    def load(self, state: Any) -> None: ...


@pytest.fixture
def walk() -> ScreenGraph:
    return decode(APPLICATION)


@pytest.fixture
def make() -> SimpleNamespace:
    """`scripted` explorers, and graphs of `screens` that begin at `main`."""

    def graph(**screens: Any) -> ScreenGraph:
        return decode({"format": "untrod-screens", "version": 1, "start": "main", "screens": screens})

    return SimpleNamespace(scripted=Scripted, graph=graph, screen=screen, click=click)
