"""Walkers that need no training on other worlds: random, depth-first, frontier-greedy, tabular Q, full
knowledge."""

from __future__ import annotations

from collections import defaultdict, deque
from random import Random

from untrod.engines.explore.walk import Walk, World
from untrod.engines.explore.walkers.routes import Routes
from untrod.engines.explore.worlds.graph import Graph


class RandomWalker:
    """The paper's Random: any link, with equal odds. Links that are not there cannot be drawn; in the
    Gymnasium environments they can, and waste a step."""

    name = "random"

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def begin(self, world: World) -> None:
        pass

    def choose(self, world: World) -> int | None:
        return self._rng.choice(world.neighbours(world.here))


class RandDfs:
    """The paper's RandDFS: a new neighbour if there is one, else any neighbour.

    The paper calls it depth-first search with random order, but its figure (0.54 in mazes) is that of a
    walker that does not know the way back: true depth-first search reaches 0.72 there. See
    `DepthFirst`.
    """

    name = "rand-dfs"

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def begin(self, world: World) -> None:
        pass

    def choose(self, world: World) -> int | None:
        links = world.neighbours(world.here)
        return self._rng.choice([node for node in links if node not in world.visits] or links)


class DepthFirst:
    """Depth-first search in random order: a new neighbour if there is one, else back to where it came from.

    Where links lead one way there may be no way back. Then it takes any link, and what it finds there is the
    next level of its search.
    """

    name = "dfs"

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)
        self._trail: list[int] = []

    def begin(self, world: World) -> None:
        self._trail = [world.here]

    def choose(self, world: World) -> int | None:
        links = world.neighbours(world.here)
        fresh = [node for node in links if node not in world.visits]
        if not fresh and len(self._trail) > 1 and self._trail[-2] in links:
            self._trail.pop()
            return self._trail[-1]
        node = self._rng.choice(fresh or links)
        self._trail.append(node)
        return node


class FrontierGreedy:
    """To the nearest node that is known and not visited, over known links, by the shortest way; of several
    that are equally near, any one."""

    name = "frontier"

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)
        self._way: list[int] = []

    def begin(self, world: World) -> None:
        self._way = []

    def choose(self, world: World) -> int | None:
        if not self._way:
            routes = Routes(world, world.here, world.left, nearest=True)
            if not routes.frontier:
                return None
            self._way = routes.way(self._rng.choice(routes.frontier))
        return self._way.pop()


State = tuple[int, frozenset[int]]


class TabularQ:
    """Tabular Q-learning, the paper's baseline for fine-tuning: practises on the very graph that it will be
    measured on, and starts from nothing.

    A state is the node and which of its neighbours are visited. The node alone cannot tell the first visit
    from the second, and all visited nodes would never come twice. The reward is 1 for a new node; epsilon
    falls in a line to 0. Needs a `Walk`: practice takes resets.
    """

    name = "tabular-q"

    def __init__(
        self, seed: int, episodes: int = 200, rate: float = 0.3, discount: float = 0.97, epsilon: float = 0.3
    ) -> None:
        self._rng = Random(seed)
        self._episodes, self._rate, self._discount, self._epsilon = episodes, rate, discount, epsilon
        self._values: dict[tuple[State, int], float] = {}

    def begin(self, world: World) -> None:
        if not isinstance(world, Walk):
            raise TypeError("Q-learning practises on a world whose graph is known")
        self._values = defaultdict(float)
        for number in range(self._episodes):
            self._practise(world.graph, world.steps, self._epsilon * (1 - number / self._episodes))

    def choose(self, world: World) -> int | None:
        return self._best(_state(world), world)

    def _practise(self, graph: Graph, steps: int, epsilon: float) -> None:
        world = Walk(graph, steps)
        while not world.over:
            state = _state(world)
            explore = self._rng.random() < epsilon
            node = self._rng.choice(graph.links[world.here]) if explore else self._best(state, world)
            reward = float(world.step(node))
            ahead = 0.0
            if not world.over:
                following = _state(world)
                ahead = max(self._values[following, each] for each in world.neighbours(world.here))
            error = reward + self._discount * ahead - self._values[state, node]
            self._values[state, node] += self._rate * error

    def _best(self, state: State, world: World) -> int:
        """New neighbours first among equals: before there is any value, this is RandDFS."""
        links = world.neighbours(world.here)
        values, chance = self._values, self._rng.random
        return max(links, key=lambda node: (values[state, node], node not in world.visits, chance()))


def _state(world: World) -> State:
    return world.here, frozenset(node for node in world.neighbours(world.here) if node in world.visits)


class FullKnowledge:
    """The walk of somebody who knows the whole graph: an upper bound for walkers that have to find it out.

    Exact in perfect mazes, and by beam search elsewhere, which gives a lower bound of the optimum.

    In a tree, the nodes on the way to where the walk ends cost one step each, and all others two: there and
    back. So the walk ends as deep as it can, and T steps visit 1 + D + (T - D) // 2 nodes, D being the
    greatest depth.
    """

    name = "full-knowledge"

    def __init__(self, beam: int = 300) -> None:
        self._beam = beam
        self._way: list[int] = []

    def begin(self, world: World) -> None:
        if not isinstance(world, Walk):
            raise TypeError("full knowledge needs a world whose graph is known")
        graph, steps = world.graph, world.left
        tree = sum(map(len, graph.links)) == 2 * (graph.nodes - 1) and graph.reachable == graph.nodes
        self._way = _tree_walk(graph, steps) if tree else _beam_walk(graph, steps, self._beam)
        self._way.reverse()

    def choose(self, world: World) -> int | None:
        return self._way.pop() if self._way else None


def _tree_walk(graph: Graph, steps: int) -> list[int]:
    parent, depth = {graph.start: graph.start}, {graph.start: 0}
    order, waiting = [], deque([graph.start])
    while waiting:
        node = waiting.popleft()
        order.append(node)
        for target in graph.links[node]:
            if target not in parent:
                parent[target], depth[target] = node, depth[node] + 1
                waiting.append(target)
    end = order[-1]  # breadth first: nothing is deeper
    main = [end]
    while main[-1] != graph.start:
        main.append(parent[main[-1]])
    main.reverse()
    keep = set(main)
    for node in order:  # parents come first, so what is kept hangs together
        if steps - depth[end] < 2 * (len(keep) + 1 - len(main)):
            break
        keep.add(node)
    walk: list[int] = []
    for place, node in enumerate(main):
        trail, done = [node], {node, *main[max(0, place - 1) : place + 2]}
        while trail:
            onward = [each for each in graph.links[trail[-1]] if each in keep and each not in done]
            if not onward:
                trail.pop()
                walk += trail[-1:]
            else:
                done.add(onward[0])
                trail.append(onward[0])
                walk.append(onward[0])
        walk += main[place + 1 : place + 2]
    return walk[:steps]


def _beam_walk(graph: Graph, steps: int, beam: int) -> list[int]:
    """States are (node, visited set); each layer keeps those that have visited most."""
    first = (graph.start, 1 << graph.start)
    before: list[dict[tuple[int, int], tuple[int, int]]] = []
    current, best, best_at = [first], first, 0
    for number in range(1, steps + 1):
        reached: dict[tuple[int, int], tuple[int, int]] = {}
        for state in current:
            node, visited = state
            for target in graph.links[node]:
                reached.setdefault((target, visited | 1 << target), state)
        before.append(reached)
        current = sorted(reached, key=_visited, reverse=True)[:beam]
        if not current:
            break
        if _visited(current[0]) > _visited(best):
            best, best_at = current[0], number
        if _visited(best) == graph.reachable:
            break
    walk = []
    for number in range(best_at, 0, -1):
        walk.append(best[0])
        best = before[number - 1][best]
    return walk[::-1]


def _visited(state: tuple[int, int]) -> int:
    return state[1].bit_count()
