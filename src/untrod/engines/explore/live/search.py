"""A walk through a running app as a search: an episode is a step, what goes wrong by the way a finding.

A trace is a list of texts: what went wrong, then the actions that led there from a soft reset. Before it is
reported it has to show again: by the shortest way that is known, else by the whole way that was taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from untrod.core.errors import UntrodError
from untrod.core.protocols import Beacon
from untrod.core.seeds import derive
from untrod.core.text import count
from untrod.core.vocabulary import Json, Outcome, Trace
from untrod.drivers.actions import dump_action, in_words, load_action
from untrod.drivers.catalogue import open_driver
from untrod.drivers.graph_reader import decode
from untrod.drivers.graph_writer import encode
from untrod.drivers.protocol import Action, Event, Hooked, Paced, Screen, StepOutcome
from untrod.drivers.recording import RecordingDriver
from untrod.engines.explore.live.walk import ScreenWalk, retake
from untrod.runtime.deadline import EpisodeTimeout

TROUBLES = {
    "exception": "uncaught exception",
    "server-error": "server error",
    "client-error": "client error",
    "dead-page": "dead page",
    "crash": "crash",
    "anr": "it does not respond",
}
"""Kinds of events that are findings; the others (dialogs, messages) are only told."""
MOST_TROUBLES = 50
"""That are tried again: each costs a way through the app."""
_NUMBER = re.compile(r"\d+")


class ScreenSearch:
    """`spec` opens a driver, and has `steps`, `walker`, `seed`, and the `graph` of earlier walks."""

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        graph = decode(spec["graph"]) if spec["graph"] else None
        self._driver = RecordingDriver(open_driver(spec, derive(spec["seed"], "screens")), graph)
        self._walk = ScreenWalk(self._driver, spec["steps"], spec["walker"], spec["seed"])
        self._beacon = beacon
        self._over = False
        self._skipped: set[int] = set()
        self._tried: set[str] = set()  # what went wrong, by key
        self._new: dict[str, str] = {}  # screens of which nobody was told: their titles
        self._news = _no_news()

    @property
    def episodes(self) -> int:
        return self._walk.found.steps

    @property
    def finished(self) -> bool:
        return self._over

    def step(self, most: int) -> None:
        number = self.episodes
        if number in self._skipped:
            self._walk.count()
            return
        self._beacon.begin(number)
        try:
            while self.episodes == number and not self._over:
                self._over = not self._walk.move()
            self._judge()
        except UntrodError as error:
            if not self._walk.found.screens.visits:
                raise  # the application was never there
            self._end(f"{error.message}: the walk ends here ({error.hint})")
        except EpisodeTimeout:
            self._end("a step took too long: the walk ends here")
        self._beacon.end()

    def _end(self, why: str) -> None:
        self._over = True
        self._news["notices"].append(why)

    # ---- what goes wrong ----

    def _judge(self) -> None:
        for event in self._walk.last.events:
            key = _key(event)
            if event.kind in TROUBLES and key not in self._tried and len(self._tried) < MOST_TROUBLES:
                self._tried.add(key)
                self._confirm(event, key)

    def _confirm(self, event: Event, key: str) -> None:
        """Slowly, in case the first time was a matter of haste. The walk goes on where that has led."""
        last, driver = self._walk.last, self._driver.driver
        short = (*self._walk.found.screens.way(last.origin), *last.trail[-1:])
        ways = [short, last.trail] if len(short) < len(last.trail) else [last.trail]
        if isinstance(driver, Paced):
            driver.pace(slow=True)
        try:
            for way in ways:
                again = retaken(self._driver, way)
                if again.crashed:
                    self._walk.stand(self._driver.reset("soft"), [])
                else:
                    self._walk.stand(again.screen, list(again.taken))
                if key in again.keys:
                    self._found(event, key, again)
                    return
        finally:
            if isinstance(driver, Paced):
                driver.pace(slow=False)
        self._news["notices"].append(f"seen once and not again, so not reported: {event.kind} {event.text}")

    def _found(self, event: Event, key: str, again: Retaken) -> None:
        self._news["findings"].append(
            {
                "key": key,
                "kind": "counterexample",
                "title": _title(event, len(again.taken)),
                "answers": [key, *map(dump_action, again.taken)],
                "episode": max(0, self.episodes - 1),
                "session": True,
                "event": event.kind,
                "value": _value(again.taken),
            }
        )

    def replay(self, trace: Trace) -> Json:
        """Nothing is learned."""
        report: dict[str, Json] = {
            "outcome": Outcome.INVALID.value,
            "answers": list(trace.answers),
            "finding": None,
            "value": {},
        }
        try:
            key, *rest = map(str, trace.answers)
            actions = list(map(load_action, rest))
        except ValueError:
            return report
        try:
            self._beacon.begin(0)
            again = retaken(self._driver, actions)
        except UntrodError as error:
            return {**report, "error": error.message, "hint": error.hint}
        finally:
            self._beacon.end()
        driver = self._driver.driver
        report |= {
            "outcome": Outcome.VALID.value,
            "answers": [key, *map(dump_action, again.taken)],
            "value": _value(again.taken),
            "hooks": list(driver.hooks) if isinstance(driver, Hooked) else [],
        }
        event = again.keys.get(key)
        if event is not None and not again.lost:
            title = _title(event, len(again.taken))
            report["finding"] = {"key": key, "title": title, "event": event.kind, "value": report["value"]}
        return report

    # ---- what the job around it asks ----

    def counts(self) -> dict[str, Json]:
        found = self._walk.found
        screens = found.screens
        return {
            "episodes": found.steps,
            "valid": found.steps,
            "unique": len(screens.visits),
            "screens": len(screens.visits),
            "steps": found.steps,
            "resets": found.resets,
            "untried": sum(map(len, screens.untried.values())),
            "visits": dict(screens.visits),
            "discovered": list(found.discovered),
            "events": list(found.events),
        }

    def news(self) -> dict[str, Json]:
        news, self._news = self._news, _no_news()
        told = self._walk.found.screens.visits
        fresh = list(told)[len(self._new) :]
        for screen in fresh:
            self._new[screen] = self._called(screen)
            way = list(map(dump_action, self._walk.found.screens.way(screen)))
            news["corpus"].append([screen, ["", *way], self._new[screen]])
        return {**news, "keys": fresh}

    def keys(self) -> list[str]:
        return list(self._walk.found.screens.visits)

    def skip(self, number: int, made: bool) -> None:
        self._skipped.add(number)

    def state(self) -> dict[str, Json]:
        return {
            "graph": encode(self._driver.graph),
            "walk": self._walk.state(),
            "tried": sorted(self._tried),
            "over": self._over,
        }

    def load(self, state: dict[str, Json]) -> None:
        self._driver.graph = decode(state["graph"])
        self._walk.load(state["walk"])
        self._tried = set(state["tried"])
        self._new = dict.fromkeys(self._walk.found.screens.visits, "")
        self._over = state["over"]

    def _called(self, screen: str) -> str:
        """A screen with what a person would call it."""
        for each in self._driver.graph.screens.values():
            if each.id == screen:
                return f"{screen}  {each.title}".rstrip()
        return screen


@dataclass(slots=True)
class Retaken:
    """A way that was taken again, as far as it could be. `keys` are what went wrong in its last step."""

    screen: Screen
    taken: list[Action]
    keys: dict[str, Event]
    lost: bool = False
    crashed: bool = False


def retaken(driver: RecordingDriver, actions: Sequence[Action]) -> Retaken:
    """From a soft reset. Ends where an action cannot be taken, or the app is gone."""
    screen = driver.reset("soft")
    again = Retaken(screen, [], _troubles(screen))
    for step in retake(driver, screen, actions):
        again.screen = step.screen
        again.taken.append(step.action)
        again.keys = _troubles(step.screen)
        again.crashed = step.outcome is StepOutcome.CRASHED
    again.lost = len(again.taken) < len(actions)
    return again


def _troubles(screen: Screen) -> dict[str, Event]:
    return {_key(event): event for event in screen.events if event.kind in TROUBLES}


def _key(event: Event) -> str:
    """Numbers in an address or a message are of that day."""
    return f"{event.kind} {_NUMBER.sub('0', event.text)}"


def _title(event: Event, steps: int) -> str:
    first = next(iter(event.text.splitlines()), "")
    where = f"in {count(steps, 'step')}" if steps else "at the start"
    return f"{TROUBLES[event.kind]}: {first} ({where})"


def _value(actions: Sequence[Action]) -> Json:
    return {"text": in_words(actions)}


def _no_news() -> dict[str, list[Json]]:
    return {"notices": [], "corpus": [], "findings": []}
