"""Tasks: families of worlds under a name, each world by its number.

A world depends on the task, on the seed and on its number only, so whoever asks for world 17 gets the same
one. Worlds to train on, worlds to choose among weights by, and held-out worlds come from streams of their
own: no training sees what is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Literal

from untrod.core.catalogue import Catalogue
from untrod.core.seeds import stream
from untrod.engines.explore.worlds.graph import Graph
from untrod.engines.explore.worlds.synthetic import app, braided_maze, directed_app, perfect_maze

Split = Literal["train", "validation", "held-out"]


@dataclass(frozen=True, slots=True)
class Task:
    name: str
    definition: str
    steps: int
    make: Callable[[Random], Graph]

    def world(self, seed: int, split: Split, number: int) -> Graph:
        return self.make(stream(seed, self.name, split, number))

    def worlds(self, seed: int, split: Split, count: int, first: int = 0) -> Iterator[Graph]:
        return (self.world(seed, split, number) for number in range(first, first + count))


def maze_task(side: int = 6) -> Task:
    name = "maze" if side == 6 else f"maze-{side}"
    return Task(name, f"A: perfect {side}x{side}", side * side, partial(perfect_maze, side))


def braided_task(side: int = 6) -> Task:
    name = "braided" if side == 6 else f"braided-{side}"
    text = f"B: perfect {side}x{side}, 65% of the remaining walls removed"
    return Task(name, text, side * side, partial(braided_maze, side))


APP = Task("app", "Erdos-Renyi, 15 to 20 nodes, p = 0.1, joined, both ways", 15, app)
DIRECTED = Task("directed-app", "20 nodes, grown from the start, one-way, p = 0.1", 20, directed_app)
TASKS: Catalogue[Callable[[int], Task]] = Catalogue(
    "task",
    {
        "maze": maze_task,
        "braided": braided_task,
        "app": lambda side: APP,
        "directed-app": lambda side: DIRECTED,
    },
)
"""From the side of a maze, which tasks without mazes ignore."""


def task(name: str, side: int = 6) -> Task:
    return TASKS.find(name)(side)
