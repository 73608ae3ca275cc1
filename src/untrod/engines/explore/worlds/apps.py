"""Synthetic apps: Erdos-Renyi graphs, as in the paper.

15 to 20 screens; any two are linked, both ways, with probability 0.1. At that density most graphs fall
apart, and the paper does not say what becomes of the pieces. Here they are joined: piece by piece, a random
screen of what is joined already is linked with a random one of the next piece. The start is a random
screen. T = 15, so that even full knowledge covers only about three quarters.
"""

from __future__ import annotations

from random import Random

from untrod.engines.explore.worlds.graph import Graph, reach


def app(rng: Random, fewest: int = 15, most: int = 20, density: float = 0.1) -> Graph:
    nodes = rng.randint(fewest, most)
    links: list[list[int]] = [[] for _ in range(nodes)]
    for one in range(nodes):
        for other in range(one + 1, nodes):
            if rng.random() < density:
                _join(links, one, other)
    joined = sorted(reach(links, 0))
    while len(joined) < nodes:
        stray = next(node for node in range(nodes) if node not in joined)
        piece = sorted(reach(links, stray))
        _join(links, rng.choice(joined), rng.choice(piece))
        joined = sorted([*joined, *piece])
    return Graph(tuple(map(tuple, links)), rng.randrange(nodes), nodes)


def _join(links: list[list[int]], one: int, other: int) -> None:
    links[one].append(other)
    links[other].append(one)
