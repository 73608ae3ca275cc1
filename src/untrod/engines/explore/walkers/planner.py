"""A planner that imagines the rest of the world, many times, and goes where most was found on average.

It imagines by *completions*: what is known, completed at random as worlds of that task are made. A completion
keeps every link of a visited node, and draws the links of all others. Nodes that nobody has seen get negative
numbers. No completion is an exact sample of the posterior; they are close enough to plan with.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Sequence
from math import sqrt
from random import Random

from untrod.engines.explore.walk import Walk, World
from untrod.engines.explore.walkers.routes import Routes
from untrod.engines.explore.worlds.synthetic import BRAID


class Planner:
    """At each decision: complete the world `samples` times; in each completion go to each frontier node in
    turn, and on from there by frontier-greedy until the steps are used up. The aim is the frontier node
    with the best mean; but the nearest one is left for another only if that is better by more than the
    standard error of the difference, or a few unlucky samples would send it far away.

    It knows how worlds of its task are made, as a trained network does. It is slow, and can be the teacher of
    the network (`teachers.py`).
    """

    name = "planner"

    def __init__(self, seed: int, completion: Completion, samples: int = 40) -> None:
        self._rng = Random(seed)
        self._complete = completion
        self._samples = samples
        self._way: list[int] = []

    def begin(self, world: World) -> None:
        self._way = []

    def choose(self, world: World) -> int | None:
        if not self._way:
            routes = Routes(world, world.here, world.left)
            if not routes.frontier:
                return None
            scores = self.scores(world, routes)
            self._way = routes.way(max(routes.frontier, key=scores.__getitem__))
        return self._way.pop()

    def scores(self, world: World, routes: Routes) -> dict[int, float]:
        """For each frontier node: how many nodes more than by going to the nearest, less the standard
        error."""
        found, frontier = self.estimates(world, routes), routes.frontier
        near = routes.distance[frontier[0]]
        nearest = max((n for n in frontier if routes.distance[n] == near), key=lambda node: sum(found[node]))
        return {node: _surely_better(found[node], found[nearest]) for node in frontier}

    def estimates(self, world: World, routes: Routes) -> dict[int, list[int]]:
        """For each frontier node: how many nodes more were found by going there first, once for each
        completion."""
        found: dict[int, list[int]] = {node: [] for node in routes.frontier}
        for _ in range(self._samples if len(found) > 1 else 0):
            links = self._complete(world, self._rng)
            for node, totals in found.items():
                totals.append(greedy_gain(links, world.visits, node, world.left - routes.distance[node]))
        return found


def _surely_better(these: list[int], those: list[int]) -> float:
    """The mean of the differences, pair by pair, less its standard error."""
    count = len(these)
    if not count:
        return 0.0
    gains = [one - other for one, other in zip(these, those, strict=True)]
    mean = sum(gains) / count
    return mean - sqrt(sum((gain - mean) ** 2 for gain in gains)) / count


def greedy_gain(
    links: Sequence[Sequence[int]] | Imagined, visited: Container[int], node: int, left: int
) -> int:
    """How many nodes more frontier-greedy visits from here. Written out: planning spends its time here."""
    fresh = {node}
    while True:
        distance, waiting = {node: 0}, deque([node])
        aim = None
        while waiting and aim is None:
            one = waiting.popleft()
            steps = distance[one] + 1
            if steps > left:
                break
            for other in links[one]:
                if other not in distance:
                    distance[other] = steps
                    if other not in visited and other not in fresh:
                        aim = other
                        break
                    waiting.append(other)
        if aim is None:
            return len(fresh) - 1
        left -= distance[aim]
        fresh.add(aim)
        node = aim


Imagined = dict[int, list[int]]
"""Links of every node, seen or not."""
Completion = Callable[[World, Random], Imagined]
Cell = tuple[int, int]

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
    place_of: dict[int, Cell] = {node: divmod(node, side) for node in links}
    cell_at = {place: node for node, place in place_of.items()}
    rows, columns = zip(*place_of.values(), strict=True)
    top, left = (rng.randint(max(line) - side + 1, min(line)) for line in (rows, columns))

    def beside(cell: int) -> list[Cell]:
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
