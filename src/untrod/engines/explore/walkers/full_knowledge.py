"""The walk of somebody who knows the whole graph: no walker that has to find out can be better."""

from __future__ import annotations

from collections import deque

from untrod.engines.explore.worlds.graph import Graph
from untrod.engines.explore.worlds.world import Walk, World


class FullKnowledge:
    """Exact in perfect mazes, and by beam search elsewhere, which gives a lower bound of the optimum.

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
