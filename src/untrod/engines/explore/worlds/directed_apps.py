"""Directed apps: links lead one way, and some screens are sinks, as in real apps.

20 screens grow from the start: each new one is linked from a random one that is there already, so
everything can be reached. Then every ordered pair that is not linked yet is linked with probability 0.1.
Whoever takes a link may not come back, and about one screen in fourteen has no way out at all. T = 20.

The lab's figures for "directed ER (T = 20)" are random 0.46, DFS 0.49, frontier-greedy 0.53, full knowledge
0.91, without a definition. This one fits them best among those we tried (plain directed Erdos-Renyi, joined
or not, at densities from 0.08 to 0.15, with all or only the reachable nodes as denominator; undirected apps
whose links lose a direction).
"""

from __future__ import annotations

from random import Random

from untrod.engines.explore.worlds.graph import Graph


def directed_app(rng: Random, nodes: int = 20, density: float = 0.1) -> Graph:
    order = list(range(nodes))
    rng.shuffle(order)
    links: list[set[int]] = [set() for _ in range(nodes)]
    for age in range(1, nodes):
        links[order[rng.randrange(age)]].add(order[age])
    for one in range(nodes):
        for other in range(nodes):
            if one != other and rng.random() < density:
                links[one].add(other)
    return Graph(tuple(tuple(sorted(each)) for each in links), order[0], nodes)
