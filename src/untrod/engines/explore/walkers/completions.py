"""Guesses at the rest of a world: what is known, completed at random as worlds of that task are made.

A completion keeps every link of a visited node, and draws the links of all others. Nodes that nobody has
seen get negative numbers. None of them is an exact sample of the posterior; they are close enough to plan
with.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from untrod.engines.explore.worlds.mazes import BRAID
from untrod.engines.explore.worlds.world import Walk, World

Imagined = dict[int, list[int]]
"""Links of every node, seen or not."""
Completion = Callable[[World, Random], Imagined]
Place = tuple[int, int]

_SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))
_ONWARD = (
    0.9  # a maze grows on from its newest cell with these odds: corridors, as the backtracker makes them
)


def maze_completion(world: World, rng: Random) -> Imagined:
    return _complete_maze(world, rng, 0.0)


def braided_completion(world: World, rng: Random) -> Imagined:
    return _complete_maze(world, rng, BRAID)


def app_completion(
    world: World, rng: Random, fewest: int = 15, most: int = 20, density: float = 0.1
) -> Imagined:
    links, open_nodes = _known(world, both_ways=True)
    nodes = rng.randint(max(fewest, len(links)), max(most, len(links)))
    unseen = [-1 - number for number in range(nodes - len(links))]
    links.update((node, []) for node in unseen)
    loose = open_nodes + unseen
    for place, one in enumerate(loose):
        for other in loose[place + 1 :]:
            if rng.random() < density:
                links[one].append(other)
                links[other].append(one)
    for node in unseen:
        if not links[node] and open_nodes:
            parent = rng.choice(open_nodes)
            links[node].append(parent)
            links[parent].append(node)
    return links


def directed_completion(world: World, rng: Random, nodes: int = 20, density: float = 0.1) -> Imagined:
    links, open_nodes = _known(world, both_ways=False)
    unseen = [-1 - number for number in range(nodes - len(links))]
    links.update((node, []) for node in unseen)
    parents = list(open_nodes)
    for node in unseen:  # everything can be reached: from something whose links are not known yet
        if parents:
            links[rng.choice(parents)].append(node)
        parents.append(node)
    everything = list(links)
    for node in parents:
        links[node] += [other for other in everything if other != node and rng.random() < density]
    return links


def _known(world: World, both_ways: bool) -> tuple[Imagined, list[int]]:
    """The links that are known, and the nodes that are seen and not visited."""
    links: Imagined = {node: list(world.neighbours(node)) for node in world.visits}
    open_nodes: list[int] = []
    for node in world.visits:
        for target in world.neighbours(node):
            if target not in world.visits:
                if target not in links:
                    links[target] = []
                    open_nodes.append(target)
                if both_ways:
                    links[target].append(node)
    return links, open_nodes


def _complete_maze(world: World, rng: Random, braid: float) -> Imagined:
    """Passages have directions, so places relative to one another are known; where the border lies is not,
    and is drawn among the positions that leave every seen cell inside."""
    if not isinstance(world, Walk) or not world.graph.side:
        raise TypeError("this is not a maze")
    side = world.graph.side
    links, open_nodes = _known(world, both_ways=True)
    place_of: dict[int, Place] = {node: divmod(node, side) for node in links}
    cell_at = {place: node for node, place in place_of.items()}
    rows, columns = zip(*place_of.values(), strict=True)
    top, left = (rng.randint(max(line) - side + 1, min(line)) for line in (rows, columns))

    def beside(cell: int) -> list[Place]:
        row, column = place_of[cell]
        around = [(row + down, column + right) for down, right in _SIDES]
        return [(r, c) for r, c in around if top <= r < top + side and left <= c < left + side]

    growing = open_nodes[:]
    rng.shuffle(growing)
    while growing:
        which = -1 if rng.random() < _ONWARD else rng.randrange(len(growing))
        cell = growing[which]
        free = [place for place in beside(cell) if place not in cell_at]
        if not free:
            growing.pop(which)
            continue
        place, fresh = rng.choice(free), -1 - len(links)
        cell_at[place], place_of[fresh] = fresh, place
        links[cell].append(fresh)
        links[fresh] = [cell]
        growing.append(fresh)
    if braid:
        for cell, place in place_of.items():
            for other in (cell_at.get((place[0], place[1] + 1)), cell_at.get((place[0] + 1, place[1]))):
                hidden = other is not None and cell not in world.visits and other not in world.visits
                if hidden and other is not None and other not in links[cell] and rng.random() < braid:
                    links[cell].append(other)
                    links[other].append(cell)
    return links


COMPLETIONS: dict[str, Completion] = {
    "maze": maze_completion,
    "braided": braided_completion,
    "app": app_completion,
    "directed-app": directed_completion,
}
