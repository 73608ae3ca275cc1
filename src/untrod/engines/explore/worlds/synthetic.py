"""Synthetic worlds: mazes, apps, and apps whose links lead one way.

A *maze* has cells of a square grid, with passages between some of the neighbours. T = side * side.

**Definition A, perfect.** Exactly one way joins any two cells. Made by the recursive backtracker: a random
walk that never enters a cell twice, and goes back where it is stuck. Its mazes have long corridors, so a
wrong turn costs much. The start is a random cell.

**Definition B, braided.** A perfect maze, of which each remaining wall between two cells is taken away with
probability 0.65. There are many ways round.

A walker sees passages, not coordinates. But passages have directions, so it knows by counting where cells
lie relative to its start; and it knows the side, which is that of all mazes it was trained on. See
`maze_hints` in `vector_env.py`.

An *app* is an Erdos-Renyi graph, as in the paper: 15 to 20 screens; any two are linked, both ways, with
probability 0.1. At that density most graphs fall apart, and the paper does not say what becomes of the
pieces. Here they are joined: piece by piece, a random screen of what is joined already is linked with a
random one of the next piece. The start is a random screen. T = 15, so that even full knowledge covers only
about three quarters.

In a *directed app* links lead one way, and some screens are sinks, as in real apps. 20 screens grow from the
start: each new one is linked from a random one that is there already, so everything can be reached. Then
every ordered pair that is not linked yet is linked with probability 0.1. A walker may not come back, and
about one screen in fourteen has no way out at all. T = 20. The lab's figures for "directed ER (T = 20)" are
random 0.46, DFS 0.49, frontier-greedy 0.53, full knowledge 0.91, without a definition. This one fits them
best among those we tried (plain directed Erdos-Renyi, joined or not, at densities from 0.08 to 0.15, with
all or only the reachable nodes as denominator; undirected apps whose links lose a direction).
"""

from __future__ import annotations

from random import Random

from untrod.engines.explore.worlds.graph import Graph, reach

BRAID = 0.65


def perfect_maze(side: int, rng: Random) -> Graph:
    """Definition A."""
    return _graph(_carve(side, rng), side, rng)


def braided_maze(side: int, rng: Random, share: float = BRAID) -> Graph:
    """Definition B: this share of the remaining walls is gone."""
    links = _carve(side, rng)
    for cell in range(side * side):
        right = cell + 1 if (cell + 1) % side else None
        below = cell + side if cell + side < side * side else None
        for other in (right, below):
            if other is not None and other not in links[cell] and rng.random() < share:
                links[cell].append(other)
                links[other].append(cell)
    return _graph(links, side, rng)


def _graph(links: list[list[int]], side: int, rng: Random) -> Graph:
    start = rng.randrange(side * side)
    return Graph(tuple(tuple(sorted(each)) for each in links), start, side * side, side)


def _carve(side: int, rng: Random) -> list[list[int]]:
    if side < 1:
        raise ValueError(f"a maze has a side of at least 1, not {side}")
    links: list[list[int]] = [[] for _ in range(side * side)]
    start = rng.randrange(side * side)
    entered = [False] * (side * side)
    entered[start] = True
    trail = [start]
    while trail:
        cell = trail[-1]
        fresh = [other for other in grid_neighbours(cell, side) if not entered[other]]
        if not fresh:
            trail.pop()
            continue
        other = rng.choice(fresh)
        entered[other] = True
        links[cell].append(other)
        links[other].append(cell)
        trail.append(other)
    return links


def grid_neighbours(cell: int, side: int) -> list[int]:
    """The cells beside this one, whether or not there is a wall between."""
    row, column = divmod(cell, side)
    found = []
    if column + 1 < side:
        found.append(cell + 1)
    if row + 1 < side:
        found.append(cell + side)
    if column:
        found.append(cell - 1)
    if row:
        found.append(cell - side)
    return found


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
