"""Many walks at once, for training: the graphs as one disjoint graph, in NumPy arrays.

`Walk` (`walk.py`) defines what a step does; a `VectorEnv` does the same to B walks in a few array operations.
Nodes are numbered through, those of graph 0 first. A test holds the two together.

The options of a walker are either the links of the node where it stands (`steps`, as in the paper) or all
frontier nodes within reach, each at the cost of the shortest way to it (`aims`): between two new nodes the
shortest way is the only sensible one, and a network need not learn that.

`DecisionEnv` takes forced steps by itself, and asks only where there is a choice. `maze_hints` are features
of nodes that follow from the geometry of a maze.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Literal

import numpy as np

from untrod.engines.explore.walk import Walk, World
from untrod.engines.explore.worlds.graph import Graph
from untrod.learn.gmetaexp.scenes import Bools, Floats, Ints, Scene

Moves = Literal["steps", "aims"]
FEATURES = 20
"""Visited, here, frontier, links out, links in, steps left (two scales), distance (two scales), within
reach, visited and frontier nodes as shares of the steps, distance from the start (two scales), and six
hints that mazes give."""
FAR = 1 << 30


class VectorEnv:
    """An `Arena` (`learn/gmetaexp/actor_critic.py`): one walk in each of `graphs`, all at the same time."""

    def __init__(self, graphs: Sequence[Graph], steps: int, moves: Moves = "aims") -> None:
        self.graphs, self.steps, self.moves = graphs, steps, moves
        sizes = np.array([graph.nodes for graph in graphs])
        self.offsets: Ints = np.cumsum(sizes) - sizes
        self._owner: Ints = np.repeat(np.arange(len(graphs)), sizes)
        degrees = np.array([len(links) for graph in graphs for links in graph.links])
        local = np.fromiter(chain.from_iterable(chain.from_iterable(g.links for g in graphs)), np.int64)
        self._sources: Ints = np.repeat(np.arange(len(degrees)), degrees)
        self._targets: Ints = local + self.offsets[self._owner[self._sources]]
        self._degrees = degrees
        self._reachable = np.array([graph.reachable for graph in graphs], np.float32)
        self._start: Ints = self.offsets + np.array([graph.start for graph in graphs])
        self.here: Ints = self._start.copy()
        self.left: Ints = np.full(len(graphs), steps)
        self.visited: Bools = np.zeros(len(degrees), np.bool_)
        self.visited[self.here] = True
        self._distance: Ints = np.zeros(0, np.int64)
        self.names: Ints = np.arange(len(degrees))
        self._look()

    @classmethod
    def of(cls, world: World, steps: int, moves: Moves = "aims") -> VectorEnv:
        """One world as it stands now. Only what its walker knows enters: a node's links count once it is
        visited."""
        if isinstance(world, Walk) and world.graph.side:
            names = list(range(world.graph.nodes))  # cells keep their places
        else:
            seen = dict.fromkeys(world.visits)
            for node in world.visits:
                seen.update(dict.fromkeys(world.neighbours(node)))
            names = list(seen)
        number = {node: place for place, node in enumerate(names)}
        links = [
            tuple(number[each] for each in world.neighbours(node)) if node in world.visits else ()
            for node in names
        ]
        side = world.graph.side if isinstance(world, Walk) else 0
        start = next(iter(world.visits))
        env = cls([Graph(tuple(links), number[start], FAR, side)], steps, moves)
        env.here[0] = number[world.here]
        env.visited[[number[node] for node in world.visits]] = True
        env.left[0] = world.left
        env.names = np.array(names)
        env._look()
        return env

    @property
    def over(self) -> bool:
        return not self._alive.any()

    @property
    def coverage(self) -> Floats:
        counts = np.bincount(self._owner[self.visited], minlength=len(self.graphs))
        return (counts / self._reachable).astype(np.float32)

    def act(self, choices: Ints) -> Floats:
        """For each world the number of its option. Returns what it gained of the world."""
        first = np.searchsorted(self._owner[self._options], np.arange(len(self.graphs)))
        return self.go(self._options[first + choices])

    def go(self, nodes: Ints) -> Floats:
        alive = self._alive
        cost = np.where(alive, self._distance[nodes], 0)
        self.left -= cost
        self.here = np.where(alive, nodes, self.here)
        gained = (alive & ~self.visited[self.here]) / self._reachable
        self.visited[self.here] = True
        self._look()
        return gained.astype(np.float32)

    def _look(self) -> None:
        """What is known now: links, distances, options."""
        known = self.visited[self._sources]
        self._known_sources, self._known_targets = self._sources[known], self._targets[known]
        self._seen = self.visited.copy()
        self._seen[self._known_targets] = True
        self._distance = self._distances(self.here)
        if self.moves == "aims":
            reach = self.left[self._owner]
            options = np.flatnonzero(self._seen & ~self.visited & (self._distance <= reach))
        else:
            at_hand = self._known_sources == self.here[self._owner[self._known_sources]]
            options = np.unique(self._known_targets[at_hand])
            options = options[
                (self.left > 0)[self._owner[options]] & (options != self.here[self._owner[options]])
            ]
        self._alive: Bools = np.bincount(self._owner[options], minlength=len(self.graphs)) > 0
        if self.moves == "steps":
            self._alive &= self.coverage < 1
            options = options[self._alive[self._owner[options]]]
        self._options: Ints = np.sort(np.concatenate([options, self.here[~self._alive]]))

    def _distances(self, origins: Ints) -> Ints:
        """Steps from one node of each world, over known links; all worlds in the same sweep."""
        distance = np.full(len(self.visited), FAR)
        distance[origins] = 0
        sources, targets = self._known_sources, self._known_targets
        steps = 0
        while True:
            reached = targets[(distance[sources] == steps) & (distance[targets] == FAR)]
            if not len(reached):
                return distance
            steps += 1
            distance[reached] = steps

    def scene(self) -> Scene:
        shown = self._seen & self._alive[self._owner]
        shown[self.here] = True  # all that is left of a world that is over
        rows = np.flatnonzero(shown)
        row_of = np.cumsum(shown) - 1
        linked = self._alive[self._owner[self._known_sources]]
        owner, visited, distance = self._owner[rows], self.visited[rows], self._distance[rows]
        left = self.left[owner]
        links_in = np.bincount(self._known_targets, minlength=len(self.visited))[rows]
        near = np.minimum(distance, 40)
        features = np.zeros((len(rows), FEATURES), np.float32)
        features[:, 0] = visited
        features[row_of[self.here], 1] = 1.0
        features[:, 2] = ~visited
        features[:, 3] = np.minimum(self._degrees[rows] * visited, 12) / 4
        features[:, 4] = np.minimum(links_in, 12) / 4
        features[:, 5] = left / self.steps
        features[:, 6] = np.minimum(left, 10) / 10
        features[:, 7] = np.minimum(near, 20) / 10
        features[:, 8] = np.exp(-near / 3)
        features[:, 9] = distance <= left
        depth = np.minimum(self._distances(self._start)[rows], 40)
        features[:, 10] = np.bincount(owner, visited, len(self.graphs))[owner] / self.steps
        features[:, 11] = np.bincount(owner, ~visited, len(self.graphs))[owner] / self.steps
        features[:, 12] = np.minimum(depth, 20) / 10
        features[:, 13] = np.exp(-depth / 3)
        side = self.graphs[0].side
        if side:
            features[:, 14:] = maze_hints(rows - self.offsets[owner], owner, self.here - self.offsets, side)
        return Scene(
            graphs=len(self.graphs),
            features=features,
            graph_of=owner,
            sources=row_of[self._known_sources[linked]],
            targets=row_of[self._known_targets[linked]],
            here=row_of[self.here],
            options=row_of[self._options],
            costs=np.minimum(self._distance[self._options], FAR).astype(np.float32),
            alive=self._alive,
            names=self.names[rows - self.offsets[owner]],
        )

    @property
    def option_nodes(self) -> Ints:
        return self._options

    @property
    def option_counts(self) -> Ints:
        """Of each world."""
        return np.bincount(self._owner[self._options], minlength=len(self.graphs))


class DecisionEnv(VectorEnv):
    """A VectorEnv that asks only where there is a choice.

    Most steps in a maze lead along a corridor: one frontier node within reach, and nothing to decide. They
    are taken without asking, since a network learns nothing there: a batch of mazes has 24 scenes instead
    of 33. What is gained on the way to the next decision counts for the decision before.
    """

    def __init__(self, graphs: Sequence[Graph], steps: int, moves: Moves = "aims") -> None:
        super().__init__(graphs, steps, moves)
        self._take_forced_steps()

    def act(self, choices: Ints) -> Floats:
        gained = super().act(choices)
        return gained + self._take_forced_steps()

    def _take_forced_steps(self) -> Floats:
        """Every walker goes on to where it has two options, or none."""
        gained: Floats = np.zeros(len(self.graphs), np.float32)
        while (forced := self._alive & (self.option_counts == 1)).any():
            first = np.searchsorted(self._owner[self._options], np.arange(len(self.graphs)))
            gained += self.go(np.where(forced, self._options[first], self.here))
        return gained


HINTS = 6


def maze_hints(cells: Ints, owner: Ints, here: Ints, side: int) -> Floats:
    """What the geometry of a maze tells about cells that nobody has seen.

    Passages have directions, so cells have places relative to one another, and two passages may lead to the
    same unseen cell. The maze's side is known, its border is not: a cell is *possible* if the seen cells and
    this one fit into a square of that side. A frontier cell that is walled in by seen cells and impossible
    ones is a dead end, and not worth the way.

    For each seen cell: the share of its four sides with a possible unseen cell behind; the same for the
    3x3 and the 5x5 around it; where it lies, down and right, as seen from where the walker stands; and 1:
    there is a geometry. `owner` says to which maze a cell belongs, `here` has for each maze the cell of its
    walker.
    """
    mazes = len(here)
    rows, columns = np.divmod(cells, side)
    down, right = rows - (here // side)[owner], columns - (here % side)[owner]
    pad = side + 2  # what is possible may lie outside of the true maze
    width = side + 2 * pad
    unseen = (
        _possible(rows, owner, mazes, side, pad)[:, :, None]
        & _possible(columns, owner, mazes, side, pad)[:, None]
    )
    unseen[owner, rows + pad, columns + pad] = False
    sums: Ints = np.zeros((mazes, width + 1, width + 1), np.int64)
    sums[:, 1:, 1:] = unseen.cumsum(1).cumsum(2)
    top, left = rows + pad, columns + pad

    def around(reach: int) -> Ints:
        north, south, west, east = top - reach, top + reach + 1, left - reach, left + reach + 1
        upper = sums[owner, north, east] - sums[owner, north, west]
        found: Ints = sums[owner, south, east] - sums[owner, south, west] - upper
        return found

    beside = (
        unseen[owner, top - 1, left].astype(np.float32)
        + unseen[owner, top + 1, left]
        + unseen[owner, top, left - 1]
        + unseen[owner, top, left + 1]
    )
    hints = [beside / 4, around(1) / 9, around(2) / 25, down / side, right / side, np.ones(len(cells))]
    return np.stack(hints, 1).astype(np.float32)


def _possible(
    line: Ints, owner: Ints, mazes: int, side: int, pad: int
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Which rows, or columns, may belong to each maze: those that leave everything seen within one side."""
    least, most = np.full(mazes, side), np.full(mazes, -1)
    np.minimum.at(least, owner, line)
    np.maximum.at(most, owner, line)
    places = np.arange(-pad, side + pad)
    return (places > most[:, None] - side) & (places < least[:, None] + side)
