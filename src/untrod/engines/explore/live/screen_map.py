"""What is known of a running app: its screens, where actions led, and which of them nobody has tried."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from untrod.core.vocabulary import Json
from untrod.drivers.actions import dump_action, load_action
from untrod.drivers.protocol import Action, Screen

Move = Action | None
"""None is a reset: it leads to the start from everywhere."""


@dataclass(frozen=True, slots=True)
class Label:
    """What an action is called: all that is known before it was taken."""

    type: str
    role: str
    name: str

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.name.casefold().split()))


@dataclass(frozen=True, slots=True)
class Aim:
    """An action that nobody has tried, and how to get to it. `steps` counts it too."""

    label: Label
    steps: int
    first: Move
    """Of the way; the action itself, where no way is needed."""


@dataclass(slots=True)
class ScreenMap:
    start: str = ""
    visits: dict[str, int] = field(default_factory=dict)
    """By screen, in the order of the first visits."""
    untried: dict[str, dict[Action, Label]] = field(default_factory=dict)
    led: dict[str, dict[Action, str]] = field(default_factory=dict)
    """Where an action led, the last time."""

    def arrive(self, screen: Screen, offered: Iterator[Action]) -> bool:
        """Here is a screen, and what can be done there now. True: it is new."""
        seen = self.visits.get(screen.id, 0)
        self.visits[screen.id] = seen + 1
        roles = {locator: widget.role for widget in screen.widgets for locator in widget.locators}
        led = self.led.setdefault(screen.id, {})
        self.untried[screen.id] = {
            action: Label(action.type, roles.get(action.target, "") if action.target else "", action.detail)
            for action in offered
            if action not in led
        }
        return not seen

    def walk(self, origin: str, action: Action, to: str) -> None:
        self.untried[origin].pop(action, None)
        self.led[origin][action] = to

    def state(self) -> dict[str, Json]:
        return {
            "start": self.start,
            "visits": dict(self.visits),
            "untried": {
                screen: [
                    [dump_action(action), label.type, label.role, label.name]
                    for action, label in told.items()
                ]
                for screen, told in self.untried.items()
            },
            "led": {
                screen: [[dump_action(action), to] for action, to in told.items()]
                for screen, told in self.led.items()
            },
        }

    def load(self, state: Json) -> None:
        self.start, self.visits = state["start"], dict(state["visits"])
        self.untried = {
            screen: {load_action(action): Label(*label) for action, *label in told}
            for screen, told in state["untried"].items()
        }
        self.led = {
            screen: {load_action(action): to for action, to in told} for screen, told in state["led"].items()
        }

    def way(self, to: str) -> list[Action]:
        """From the start, by actions that led there the last time; nothing where none is known."""
        came: dict[str, tuple[str, Action]] = {}
        waiting = deque([self.start])
        while waiting and to not in came:
            screen = waiting.popleft()
            for action, led in self.led.get(screen, {}).items():
                if led not in came and led != self.start:
                    came[led] = screen, action
                    waiting.append(led)
        found: list[Action] = []
        while to != self.start:
            if to not in came:
                return []
            to, action = came[to]
            found.append(action)
        return found[::-1]

    def aims(self, here: str, left: int) -> Iterator[Aim]:
        """Everything untried within so many steps, the nearest first."""
        ways: dict[str, tuple[int, Move]] = {here: (0, None)}
        waiting = deque([here])
        while waiting:
            screen = waiting.popleft()
            steps, first = ways[screen]
            if steps >= left:
                return
            for action, label in self.untried[screen].items():
                yield Aim(label, steps + 1, first if steps else action)
            moves: list[tuple[Move, str]] = [*self.led[screen].items(), (None, self.start)]
            for move, to in moves:
                if to not in ways:
                    ways[to] = steps + 1, first if steps else move
                    waiting.append(to)
