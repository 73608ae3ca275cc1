"""One shard of a `gui` campaign, inside a worker: episodes on one driver, for several specifications in turn.

A trace is a list of texts: first the specification, as `satisfy F [text ~ Saved]`, then the actions. All
specifications share one screen graph, so what is seen while one of them is looked for helps the others. One
that has been shown is done with; when all are, the shard is.
"""

from __future__ import annotations

import base64
import json
import time
import zlib
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.protocols import Batch, Beacon
from untrod.core.seeds import derive
from untrod.core.shapes import Malformed, unpacked
from untrod.core.vocabulary import Json, Outcome, Trace
from untrod.drivers.catalogue import open_driver
from untrod.drivers.graph import ScreenGraph
from untrod.drivers.graph_reader import decode
from untrod.drivers.graph_writer import encode
from untrod.drivers.protocol import Action, Hooked, Paced
from untrod.drivers.recording import RecordingDriver
from untrod.engines.gui.actions import dump_action, load_action
from untrod.engines.gui.agent import Agent
from untrod.engines.gui.explorers.catalogue import explorer
from untrod.engines.gui.replaying import Rerun, rerun, told
from untrod.engines.gui.specs import Spec
from untrod.engines.gui.trial import Trial
from untrod.runtime.deadline import EpisodeStopped, EpisodeTimeout

FORMAT = 1
MOST_PICTURES, LONGEST_PICTURE = 1_000, 4_000_000
ALL_PICTURES = 40_000_000
"""That a replay hands over: so many, of so many characters each, and of so many together."""


class GuiJob:
    """Built from the JSON that `engine.GuiEngine.spec` makes."""

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        self._spec = spec
        self._beacon = beacon
        self._specs = {each.key: each for each in (Spec(*body) for body in spec["specs"])}
        self._graph = ScreenGraph(spec["target"])
        self._driver: RecordingDriver | None = None
        self._agents: dict[str, Agent] = {}
        self._lessons: dict[str, Json] = dict(spec["lessons"])
        self._open = list(self._specs)
        self._episodes = self._steps = self._satisfied = 0
        self._skipped: set[int] = set()
        self._report: dict[str, list[Json]] = _empty()
        self._gone = ""
        if spec["graph"]:
            self._take_graph(spec["graph"])

    # ---- episodes ----

    def run(self, batch: Batch) -> Json:
        deadline, last = time.monotonic() + batch.seconds, self._episodes + batch.episodes
        try:
            while self._open and not self._gone and self._episodes < last:
                self._episode()
                if time.monotonic() >= deadline:
                    break
        except EpisodeTimeout:
            self._report["notices"].append("an episode took too long, and was given up")
            self._episodes += 1
            self._drop_driver()
        except EpisodeStopped:
            pass  # the campaign is ending; what was counted stays counted
        self._beacon.end()
        report, self._report = self._report, _empty()
        return {**self._counts(), **report, "exhausted": not self._open or bool(self._gone)}

    def _episode(self) -> None:
        if self._episodes in self._skipped:
            self._episodes += 1
            return
        spec = self._specs[self._open[self._episodes % len(self._open)]]
        self._beacon.begin(self._episodes)
        try:
            trial = self._agent(spec).episode()
        except UntrodError as error:
            if not self._episodes:
                raise  # the application was never there
            self._gone = error.message
            self._report["notices"].append(f"{error.message}: the campaign ends here ({error.hint})")
            return
        self._beacon.end()
        self._episodes += 1
        self._steps += len(trial.steps)
        if trial.satisfied:
            self._found(spec, trial)

    def _found(self, spec: Spec, trial: Trial) -> None:
        """A counterexample is an alarm, so it has to show again before it is told: slowly, in case the first
        time was a matter of haste."""
        run = self._again(spec, trial.actions, slowly=spec.violate)
        if spec.violate and not run.shows:
            self._report["notices"].append(f"seen once and not again, so not reported: {spec.title}")
            return
        self._satisfied += 1
        self._open.remove(spec.key)
        actions, shown = (run.taken, run) if run.shows else (trial.actions, None)
        self._report["findings"].append(
            {
                "key": spec.key,
                "kind": "counterexample" if spec.violate else "witness",
                "title": _title(spec, actions),
                "answers": [spec.key, *map(dump_action, actions)],
                "episode": self._episodes - 1,
                "session": True,
                "value": _value(actions),
                **(told(shown, spec) if shown else {}),
            }
        )

    def _again(self, spec: Spec, actions: list[Action], *, slowly: bool) -> Rerun:
        driver = self._opened().driver
        if isinstance(driver, Paced) and slowly:
            driver.pace(slow=True)
        try:
            return rerun(driver, spec, actions)
        finally:
            if isinstance(driver, Paced):
                driver.pace(slow=False)

    def replay(self, trace: Trace) -> Json:
        """Nothing is recorded, and nothing is learned."""
        invalid: dict[str, Json] = {
            "outcome": Outcome.INVALID.value,
            "answers": list(trace.answers),
            "finding": None,
            "value": {},
        }
        try:
            first, *rest = map(str, trace.answers)
            spec, actions = self._specs[first], list(map(load_action, rest))
        except (ValueError, LookupError):
            return invalid
        try:
            self._beacon.begin(0)
            driver = self._opened().driver
            run = rerun(driver, spec, actions)
        except UntrodError as error:
            return {**invalid, "error": error.message, "hint": error.hint}
        finally:
            self._beacon.end()
        report = {
            "outcome": Outcome.VALID.value,
            "answers": [first, *map(dump_action, run.taken)],
            "finding": None,
            "value": _value(run.taken),
            "hooks": list(driver.hooks) if isinstance(driver, Hooked) else [],
            "pictures": _encoded(run.pictures),
        }
        if not run.shows:
            return report
        facts = told(run, spec)
        finding = {
            "key": spec.key,
            "title": _title(spec, run.taken),
            "traceback": facts["explanation"] + "\n",
            "explanation": facts["explanation"],
            "formula": facts["formula"],
            "reasons": facts["reasons"],
            "steps": facts["steps"],
            "value": _value(run.taken),
        }
        return {**report, "finding": finding, **facts}

    # ---- what there is ----

    def _opened(self) -> RecordingDriver:
        if self._driver is None:
            self._driver = RecordingDriver(open_driver(self._spec, self._spec["seed"]), self._graph)
        return self._driver

    def _drop_driver(self) -> None:
        """What was under way in it is not known. Closing waits until it has come to its end."""
        if self._driver is not None:
            self._driver.close()
        self._driver = None
        self._agents.clear()

    def _agent(self, spec: Spec) -> Agent:
        agent = self._agents.get(spec.key)
        if agent is None:
            driver = self._opened()
            chosen, ideas = explorer(
                self._spec["explorer"], derive(self._spec["seed"], "explorer", spec.key), None, self._graph
            )
            if spec.key in self._lessons:
                chosen.load(self._lessons[spec.key])
            agent = Agent(driver, spec.goal, chosen, ideas, steps=self._spec["steps"], definite=spec.violate)
            self._agents[spec.key] = agent
        return agent

    def _take_graph(self, body: Json) -> None:
        """Each step of another run counts once: if the application has changed, this run soon outvotes it."""
        graph = decode(body)
        for actions in graph.edges.values():
            for edges in actions.values():
                edges[:] = edges[-1:]
        self._graph.starts, self._graph.screens, self._graph.edges = graph.starts, graph.screens, graph.edges

    def _counts(self) -> dict[str, Json]:
        return {
            "episodes": self._episodes,
            "valid": self._episodes,
            "unique": len(self._graph.screens),
            "steps": self._steps,
            "screens": len({screen.id for screen in self._graph.screens.values()}),
            "states": len(self._graph.screens),
            "found": self._satisfied,
            "of": len(self._specs),
        }

    # ---- persistence ----

    def skip(self, episodes: list[tuple[int, bool]]) -> None:
        self._skipped.update(number for number, _ in episodes)

    def snapshot(self) -> bytes:
        learned = {key: agent.explorer.state() for key, agent in self._agents.items()}
        body: dict[str, Any] = {
            "format": FORMAT,
            "explorer": self._spec["explorer"],
            "graph": encode(self._graph) if self._graph.starts else None,
            "lessons": {**self._lessons, **learned},
            "open": self._open,
            "counts": [self._episodes, self._steps, self._satisfied],
        }
        return zlib.compress(json.dumps(body, separators=(",", ":")).encode(), 1)

    def restore(self, blob: bytes) -> Json:
        try:
            body = read_snapshot(blob)
            if body["explorer"] != self._spec["explorer"]:
                raise ValueError(f"a snapshot of {body['explorer']}")
            if body["graph"]:
                self._take_graph(body["graph"])
            self._lessons, self._open = body["lessons"], body["open"]
            self._episodes, self._steps, self._satisfied = body["counts"]
        except (LookupError, TypeError, AttributeError, UntrodError) as error:
            raise ValueError(f"not a snapshot of this campaign: {error}") from error
        return {**self._counts(), "keys": []}


def read_snapshot(blob: bytes) -> Json:
    """Raises Malformed."""
    try:
        body = unpacked(blob)
        if body["format"] != FORMAT:
            raise ValueError(f"a snapshot in format {body['format']}")
        return body
    except (LookupError, TypeError) as error:
        raise Malformed(f"not a snapshot: {error}") from error


def _title(spec: Spec, actions: list[Action]) -> str:
    number = f"{len(actions)} step{'s' * (len(actions) != 1)}"
    return f"{spec.title}: {'broken' if spec.violate else 'shown'} in {number}"


def _value(actions: list[Action]) -> Json:
    return {"text": ", ".join(map(str, actions)) or "nothing but the start"}


def _encoded(pictures: dict[int, bytes]) -> list[Json]:
    encoded: list[Json] = []
    left = ALL_PICTURES
    for number, png in list(pictures.items())[:MOST_PICTURES]:
        text = base64.b64encode(png).decode()
        if len(text) <= min(left, LONGEST_PICTURE):
            left -= len(text)
            encoded.append([number, text])
    return encoded


def _empty() -> dict[str, list[Json]]:
    return {"keys": [], "findings": [], "notices": []}
