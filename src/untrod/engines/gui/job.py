"""The search of one shard of a `gui` campaign: episodes on one driver, for several specifications in turn.

A trace is a list of texts: first the specification, as `satisfy F [text ~ Saved]`, then the actions. All
specifications share one screen graph, so what is seen while one of them is looked for helps the others. One
that has been shown is done with; when all are, the search is finished.
"""

from __future__ import annotations

from untrod.core.errors import UntrodError
from untrod.core.protocols import Beacon
from untrod.core.seeds import derive
from untrod.core.shapes import Malformed
from untrod.core.vocabulary import Json, Outcome, Trace
from untrod.drivers.actions import dump_action, in_words, load_action
from untrod.drivers.catalogue import open_driver
from untrod.drivers.graph import ScreenGraph
from untrod.drivers.graph_reader import decode
from untrod.drivers.graph_writer import encode
from untrod.drivers.protocol import Action, Hooked, Paced
from untrod.drivers.recording import RecordingDriver
from untrod.engines.gui.agent import Agent
from untrod.engines.gui.episode import GuiEpisode
from untrod.engines.gui.explorers.catalogue import explorer
from untrod.engines.gui.replaying import Rerun, described, encoded, rerun
from untrod.engines.gui.specs import Spec
from untrod.runtime.deadline import EpisodeTimeout
from untrod.runtime.job import SearchJob

FORMAT = 1


class GuiSearch:
    """Built from the JSON that `engine.GuiEngine.spec` makes. `episodes` is how many there were so far."""

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        self.episodes = 0
        self._spec = spec
        self._beacon = beacon
        self._specs = {each.key: each for each in (Spec(*body) for body in spec["specs"])}
        self._graph = ScreenGraph(spec["target"])
        self._driver: RecordingDriver | None = None
        self._agents: dict[str, Agent] = {}
        self._adopted: dict[str, Json] = dict(spec["lessons"])  # states of explorers, by specification
        self._open = list(self._specs)
        self._steps = self._satisfied = 0
        self._skipped: set[int] = set()
        self._news = _no_news()
        self._gone = ""  # why the application cannot be used any more
        if spec["graph"]:
            self._adopt_graph(spec["graph"])

    # ---- episodes ----

    @property
    def finished(self) -> bool:
        return not self._open or bool(self._gone)

    def step(self, most: int) -> None:
        """An episode. Raises EpisodeStopped when the campaign is ending."""
        if self.episodes in self._skipped:
            self.episodes += 1
            return
        try:
            self._episode()
        except EpisodeTimeout:
            self._news["notices"].append("an episode took too long, and was given up")
            self.episodes += 1
            self.close_driver()
            self._beacon.end()

    def news(self) -> dict[str, Json]:
        news, self._news = self._news, _no_news()
        return dict(news)

    def keys(self) -> list[str]:
        """There are none: a `gui` campaign has no corpus."""
        return []

    def skip(self, number: int, made: bool) -> None:
        self._skipped.add(number)

    def _episode(self) -> None:
        spec = self._specs[self._open[self.episodes % len(self._open)]]
        self._beacon.begin(self.episodes)
        try:
            episode = self._agent(spec).episode(self.episodes)
        except UntrodError as error:
            if not self.episodes:
                raise  # the application was never there
            self._gone = error.message
            self._news["notices"].append(f"{error.message}: the campaign ends here ({error.hint})")
            return
        self._beacon.end()
        self.episodes += 1
        self._steps += len(episode.steps)
        if episode.satisfied:
            self._found(spec, episode)

    def _found(self, spec: Spec, episode: GuiEpisode) -> None:
        """A counterexample is an alarm, so it has to show again before it is reported: slowly, in case the
        first time was a matter of haste."""
        run = self._again(spec, episode.actions, slowly=spec.violate)
        if spec.violate and not run.shows:
            self._news["notices"].append(f"seen once and not again, so not reported: {spec.title}")
            return
        self._satisfied += 1
        self._open.remove(spec.key)
        actions, shown = (run.taken, run) if run.shows else (episode.actions, None)
        self._news["findings"].append(
            {
                "key": spec.key,
                "kind": "counterexample" if spec.violate else "witness",
                "title": _title(spec, actions),
                "answers": [spec.key, *map(dump_action, actions)],
                "episode": self.episodes - 1,
                "session": True,
                "value": _value(actions),
                **(described(shown, spec) if shown else {}),
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
            "pictures": encoded(run.pictures),
        }
        if not run.shows:
            return report
        facts = described(run, spec)
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

    def close_driver(self) -> None:
        """The state that it is in is not known any more. Closing waits until it has come to its end."""
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
            if spec.key in self._adopted:
                chosen.load(self._adopted[spec.key])
            agent = Agent(driver, spec.goal, chosen, ideas, steps=self._spec["steps"], definite=spec.violate)
            self._agents[spec.key] = agent
        return agent

    def _adopt_graph(self, body: Json) -> None:
        """Each step of another run counts once: if the application has changed, this run soon outvotes it."""
        graph = decode(body)
        for actions in graph.edges.values():
            for edges in actions.values():
                edges[:] = edges[-1:]
        self._graph.starts, self._graph.screens, self._graph.edges = graph.starts, graph.screens, graph.edges

    def counts(self) -> dict[str, Json]:
        return {
            "episodes": self.episodes,
            "valid": self.episodes,
            "unique": len(self._graph.screens),
            "steps": self._steps,
            "screens": len({screen.id for screen in self._graph.screens.values()}),
            "states": len(self._graph.screens),
            "found": self._satisfied,
            "of": len(self._specs),
        }

    # ---- persistence ----

    def state(self) -> dict[str, Json]:
        learned = {key: agent.explorer.state() for key, agent in self._agents.items()}
        return {
            "format": FORMAT,
            "explorer": self._spec["explorer"],
            "graph": encode(self._graph) if self._graph.starts else None,
            "lessons": {**self._adopted, **learned},
            "open": self._open,
            "counts": [self.episodes, self._steps, self._satisfied],
        }

    def load(self, state: Json) -> None:
        check_format(state)
        if state["explorer"] != self._spec["explorer"]:
            raise ValueError(f"a snapshot of {state['explorer']}")
        if state["graph"]:
            self._adopt_graph(state["graph"])
        self._adopted, self._open = state["lessons"], state["open"]
        self.episodes, self._steps, self._satisfied = state["counts"]


class GuiJob(SearchJob):
    search: GuiSearch

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        super().__init__(GuiSearch(spec, beacon), beacon)


def check_format(body: Json) -> None:
    """Raises Malformed when `body` is no state of a search."""
    try:
        if body["format"] != FORMAT:
            raise Malformed(f"a snapshot in format {body['format']}")
    except (LookupError, TypeError) as error:
        raise Malformed(f"not a snapshot: {error}") from error


def _title(spec: Spec, actions: list[Action]) -> str:
    number = f"{len(actions)} step{'s' * (len(actions) != 1)}"
    return f"{spec.title}: {'broken' if spec.violate else 'shown'} in {number}"


def _value(actions: list[Action]) -> Json:
    return {"text": in_words(actions)}


def _no_news() -> dict[str, list[Json]]:
    return {"keys": [], "findings": [], "notices": []}
