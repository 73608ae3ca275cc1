"""Programs as arrays, and their states in one flat batch, as networks take them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from untrod.engines.explore.programs.graph import EDGE_TYPES
from untrod.engines.explore.programs.world import ProgramWorld, share
from untrod.learn.gmetaexp.programs.states import ECHO, MARKS, States
from untrod.learn.gmetaexp.scenes import Floats, Ints

WORDS = 4
"""No node says more than this many words."""


class Drawing:
    """One program. What does not change from input to input is made once."""

    def __init__(self, world: ProgramWorld) -> None:
        graph = world.graph
        self.world = world
        self.words: Ints = np.zeros((len(graph), WORDS), np.int64)
        for node, words in enumerate(graph.words):
            self.words[node, : len(words)] = words
        self.edges: Ints = np.array(graph.edges, np.int64).reshape(-1, 3)
        self._goals = [(goal, node) for goal, node in enumerate(graph.goals) if world.counted >> goal & 1]

    def marks(self, seen: int, last: int) -> Floats:
        found = np.zeros((len(self.words), MARKS), np.float32)
        for goal, node in self._goals:
            found[node] = 1.0, seen >> goal & 1, last >> goal & 1
        return found


def draw_states(
    drawings: Sequence[Drawing],
    seen: Sequence[int],
    last: Sequence[int | None],
    episode: Sequence[int],
    moment: Sequence[int],
) -> States:
    """`seen` is what is covered, `last` what the last input has newly covered; None: there was none."""
    sizes = np.array([len(each.words) for each in drawings])
    offsets = np.cumsum(sizes) - sizes
    links = np.array([len(each.edges) for each in drawings])
    edges = np.concatenate([each.edges for each in drawings])
    edges[:, :2] += np.repeat(offsets, links)[:, None]
    edges = edges[np.argsort(edges[:, 2], kind="stable")]
    marks = [each.marks(old, new or 0) for each, old, new in zip(drawings, seen, last, strict=True)]
    echo = np.zeros((len(drawings), ECHO), np.float32)
    for row, (each, old, new) in enumerate(zip(drawings, seen, last, strict=True)):
        echo[row] = share(each.world, old), share(each.world, new or 0), new is not None
    return States(
        count=len(drawings),
        words=np.concatenate([each.words for each in drawings]),
        marks=np.concatenate(marks),
        state_of=np.repeat(np.arange(len(drawings)), sizes),
        place=np.arange(sizes.sum()) - np.repeat(offsets, sizes),
        sources=np.ascontiguousarray(edges[:, 0]),
        targets=np.ascontiguousarray(edges[:, 1]),
        kinds=tuple(np.bincount(edges[:, 2], minlength=len(EDGE_TYPES)).tolist()),
        echo=echo,
        episode=np.asarray(episode, np.int64),
        moment=np.asarray(moment, np.int64),
    )
