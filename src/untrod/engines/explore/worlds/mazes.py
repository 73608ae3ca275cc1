"""Mazes: cells of a square grid, with passages between some of the neighbours.

**Definition A, perfect.** Exactly one way joins any two cells. Made by the recursive backtracker: a random
walk that never enters a cell twice, and goes back where it is stuck. Its mazes have long corridors, so a
wrong turn costs much. The start is a random cell. T = side * side.

**Definition B, braided.** A perfect maze, of which each remaining wall between two cells is taken away with
probability 0.65. There are many ways round.

A walker sees passages, not coordinates. But passages have directions, so it knows by counting where cells
lie relative to its start; and it knows the side, which is that of all mazes it was trained on. See
`maze_sight.py`.
"""

from __future__ import annotations

from random import Random

from untrod.engines.explore.worlds.graph import Graph

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
