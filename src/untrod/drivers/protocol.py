"""What a driver does, and what it may do besides. The loop that every engine runs on top of it:

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
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from untrod.core.vocabulary import Json

Locator: TypeAlias = tuple[str, str]
"""A way to find a widget: ("role", "button"), ("text", "About"), ("objectID", "0:0:1")."""

ResetLevel = Literal["soft", "hard"]
"""`soft`: as good as new for most purposes, and cheap. `hard`: as if installed a moment ago."""


class StepOutcome(StrEnum):
    """What became of an action."""

    OK = "ok"
    STALE = "stale"  # its widget is not there any more
    BLOCKED = "blocked"  # something is in the way, or it would leave the application
    CRASHED = "crashed"  # the application or the page is gone
    TIMEOUT = "timeout"  # the application did not settle in time


NOT_TAKEN = (StepOutcome.STALE, StepOutcome.BLOCKED)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened during a step: a console error, an uncaught exception, an error response, a
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

    @property
    def title(self) -> str:
        """What a person would call it; empty where nothing says."""
        return next(iter(self.attrs.get("heading") or self.attrs.get("title") or ()), "")


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
    outcome: StepOutcome
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


# ---- what a driver may have besides ----


@runtime_checkable
class Paced(Protocol):
    """A driver that waits for the application to settle, and can wait longer."""

    def pace(self, *, slow: bool) -> None:
        """Slowly: as a person would. A counterexample has to show again at this pace."""
        ...


@runtime_checkable
class Pictured(Protocol):
    """A driver that can show the screen as a picture."""

    def screenshot(self) -> bytes:
        """A PNG; empty when there is none."""
        ...


@runtime_checkable
class Hooked(Protocol):
    """A driver with a setup script."""

    @property
    def hooks(self) -> tuple[str, ...]:
        """The names of the functions that the script defines: see `setup_script.HOOKS`."""
        ...


OPTIONAL = (Paced, Pictured, Hooked)


# ---- how a driver is opened ----


@dataclass(frozen=True, slots=True)
class DriverOptions:
    """What a person asked for. A driver ignores what does not concern it; paths are below `project`."""

    target: str
    project: Path = Path()
    seed: int = 0
    origins: tuple[str, ...] = ()
    setup: str = ""  # the path of a setup script
    headed: bool = False
    log_out: bool = False
    serial: str = ""
    apk: str = ""
    idle: float = 20.0

    @classmethod
    def from_json(cls, spec: Json, seed: int) -> DriverOptions:
        """Of a job's specification, which may say more."""
        given = {name: spec[name] for name in cls.__dataclass_fields__ if name in spec}
        made = {"project": Path(spec["project"]), "seed": seed, "origins": tuple(spec["origins"])}
        return cls(**{**given, **made})


class DriverFactory(Protocol):
    """Opens drivers of one kind. Kept in the catalogue `untrod.drivers.catalogue.DRIVERS`."""

    @property
    def stage(self) -> bool:
        """Whether its worker needs a folder with a short path, for sockets."""
        ...

    def opens(self, target: str) -> bool:
        """Whether this driver is meant for such a target when nobody has named a driver: an address with its
        scheme, for instance."""
        ...

    def check(self, options: DriverOptions) -> None:
        """Before a worker is started. Raises UntrodError for what a person can mend."""
        ...

    def needs(self, targets: Sequence[str]) -> frozenset[str]:
        """What a worker must be allowed to drive these: `untrod.runtime.limits` has the words. A setup script
        may do the same, and no more. Raises UntrodError for what is no target of this driver."""
        ...

    def open(self, options: DriverOptions) -> Driver:
        """Raises UntrodError for what a person can mend. What takes time may wait for the first reset."""
        ...
