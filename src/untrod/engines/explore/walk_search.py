"""A walk in a world that is known to us and not to the walker, as a search: an episode is a step.

Walkers are deterministic for their seed and what they are shown, so a walk goes on by being walked again.
"""

from __future__ import annotations

from itertools import islice, pairwise
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.protocols import Beacon
from untrod.core.vocabulary import Json, Outcome, Trace
from untrod.engines.explore.walk import Walk
from untrod.engines.explore.walkers.choice import open_walker
from untrod.engines.explore.worlds.graph import Graph
from untrod.engines.explore.worlds.recorded import load_app
from untrod.engines.explore.worlds.tasks import task

MOST_TOLD = 2_500
"""Nodes and steps: of a larger world only the beginning is told."""


def world_of(spec: Json) -> tuple[Graph, int]:
    """The graph, and how many steps a walk in it usually has. Raises UntrodError."""
    if spec["kind"] == "maze":
        family = task("braided" if spec["braided"] else "maze", spec["side"])
        return family.world(spec["seed"], "held-out", 0), family.steps
    graph = load_app(Path(spec.get("project", "")) / spec["target"])
    return graph, graph.reachable


class WalkSearch:
    def __init__(self, spec: Json, beacon: Beacon) -> None:
        graph, usual = world_of(spec)
        self._world = Walk(graph, spec["steps"] or usual)
        self._names = graph.names or tuple(map(str, range(graph.nodes)))
        self._walker = open_walker(spec, self._world)
        self._beacon = beacon
        self._came: dict[int, int] = {}  # by node, from where it was entered first
        self._told = 0
        self._over = self._world.over
        self._skipped: set[int] = set()
        self._notices: list[str] = []
        self._walker.begin(self._world)

    @property
    def episodes(self) -> int:
        return len(self._world.path) - 1

    @property
    def finished(self) -> bool:
        return self._over

    def step(self, most: int) -> None:
        self._beacon.begin(self.episodes)
        if self.episodes in self._skipped:
            self._over = True  # nobody knows what the walker would do next
            self._notices.append("the walker has taken its worker down: the walk ends here")
        else:
            self._step(None)
        self._beacon.end()

    def _step(self, due: int | None) -> None:
        """Raises ValueError when the walker does not go where it is `due`."""
        here, node = self._world.here, self._walker.choose(self._world)
        if due is not None and node != due:
            raise ValueError("the walker does not go where it went before")
        if node is None:
            self._over = True
            return
        if self._world.step(node):
            self._came[node] = here
        self._over = self._world.over

    def counts(self) -> dict[str, Json]:
        world, names = self._world, self._names
        return {
            "episodes": self.episodes,
            "valid": self.episodes,
            "unique": len(world.visits),
            "walker": self._walker.name,
            "reachable": world.graph.reachable,
            "of": world.steps,
            "visits": {names[node]: seen for node, seen in islice(world.visits.items(), MOST_TOLD)},
            "path": [names[node] for node in world.path[:MOST_TOLD]],
        }

    def news(self) -> dict[str, Json]:
        """New nodes, each with the way on which it was found. Cells of a maze mean nothing to anybody."""
        fresh = list(islice(self._world.visits, self._told, None))
        first, self._told = self._told, len(self._world.visits)
        named = fresh[: max(0, MOST_TOLD - first)] if self._world.graph.names else []
        corpus = [[self._names[node], self._way(node), self._names[node]] for node in named]
        keys = [self._names[node] for node in fresh]
        notices, self._notices = self._notices, []
        return {"keys": keys, "corpus": corpus, "findings": [], "notices": notices}

    def _way(self, node: int) -> list[str]:
        way = [node]
        while way[-1] in self._came:
            way.append(self._came[way[-1]])
        return [self._names[node] for node in reversed(way)]

    def keys(self) -> list[str]:
        return [self._names[node] for node in self._world.visits]

    def replay(self, trace: Trace) -> Json:
        """Is there such a way?"""
        graph = self._world.graph
        numbers = {name: node for node, name in enumerate(self._names)}
        nodes = [numbers.get(str(name), -1) for name in trace.answers]
        joined = all(-1 not in pair and pair[1] in graph.links[pair[0]] for pair in pairwise(nodes))
        valid = bool(nodes) and nodes[0] == graph.start and joined
        outcome = Outcome.VALID if valid else Outcome.INVALID
        return {"outcome": outcome.value, "answers": list(trace.answers), "finding": None, "value": {}}

    def skip(self, number: int, made: bool) -> None:
        self._skipped.add(number)

    def state(self) -> dict[str, Json]:
        return {"path": self._world.path, "over": self._over}

    def load(self, state: dict[str, Json]) -> None:
        if state["path"][0] != self._world.here:
            raise UntrodError("the world is another one", "start a new campaign")
        for node in state["path"][1:]:
            self._step(node)
        self._told = len(self._world.visits)
        self._over = state["over"]
