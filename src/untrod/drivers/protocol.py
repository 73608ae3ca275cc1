"""What a driver promises. The loop that every engine runs on top of it:

    screen = driver.reset()
    while ...:
        action = choose(driver.actions(screen))
        step = driver.step(action)
        screen = step.screen
    driver.close()

A screen has two identities. The *concrete* one tells apart whatever can be told apart: a graph of concrete
screens can be walked again. The *abstract* one is the same for screens that a person would call the same,
such as a list with two and with three entries: a learner that told those apart would never see a screen
twice.

An action says by name and not by number what it operates on, so that it means the same in the next session,
in a stored test and on another device.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, Protocol, TypeAlias

Locator: TypeAlias = tuple[str, str]
"""A way to find a widget: ("role", "button"), ("text", "About"), ("objectID", "0:0:1")."""

ResetLevel = Literal["soft", "hard"]
"""`soft`: as good as new for most purposes, and cheap. `hard`: as if installed a moment ago."""


class Outcome(StrEnum):
    """What became of an action."""

    OK = "ok"
    STALE = "stale"  # its widget is not there any more
    BLOCKED = "blocked"  # something is in the way, or it would leave the application
    CRASHED = "crashed"  # the application or the page is gone
    TIMEOUT = "timeout"  # the application did not settle in time


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened by the way: a console error, an uncaught exception, an error response, a
    dialog."""

    kind: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Widget:
    """Something on a screen. `locators` are ways to find it again, the most durable first."""

    role: str
    name: str = ""
    locators: tuple[Locator, ...] = ()
    attrs: Mapping[str, str] = field(default_factory=dict)
    box: tuple[int, int, int, int] | None = None  # left, top, width, height


@dataclass(frozen=True, slots=True)
class Screen:
    """What can be seen after a step. `attrs` are labels of the screen as a whole: activity, url, title,
    texts."""

    id: str
    concrete_id: str
    attrs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    widgets: tuple[Widget, ...] = ()
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """Something to do. `detail` is what a person would call the thing that it is done to."""

    type: str
    target: Locator | None = None
    value: str = ""
    detail: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in (self.type, self.detail and f'"{self.detail}"', self.value) if part)


@dataclass(frozen=True, slots=True)
class Step:
    """An action taken, what became of it, the screen afterwards and the milliseconds in between."""

    action: Action
    outcome: Outcome
    screen: Screen
    ms: int = 0


@dataclass(frozen=True, slots=True)
class Capabilities:
    resets: frozenset[ResetLevel] = frozenset({"soft"})
    inputs: frozenset[str] = frozenset()
    deterministic: bool = False


class Driver(Protocol):
    @property
    def capabilities(self) -> Capabilities: ...

    def reset(self, level: ResetLevel = "soft") -> Screen:
        """Back to the beginning. Each episode starts here."""
        ...

    def actions(self, screen: Screen) -> Sequence[Action]:
        """What can be done on this screen, in a stable order. `screen` is the one seen last."""
        ...

    def step(self, action: Action) -> Step:
        """Do it and wait until the application has settled. What goes wrong is an outcome, not an
        exception."""
        ...

    def resolve(self, action: Action) -> Action | None:
        """The action that this one, recorded in another session, is on the present screen; None if there is
        none."""
        ...

    def close(self) -> None:
        """Leave nothing running. May be called twice."""
        ...
