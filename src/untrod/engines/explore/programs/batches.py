"""Programs for training: their states in one flat batch of arrays, and episodes to learn from.

`ProgramTrial` has episodes for reinforcement, with a group of inputs at each moment; `demonstrate` has a
teacher's episodes, for imitation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean
from typing import Any

import numpy as np

from untrod.engines.explore.programs.world import EDGE_TYPES, ProgramWorld, share
from untrod.learn.gmetaexp.programs.learner import Demonstrations
from untrod.learn.gmetaexp.programs.states import ECHO, MARKS, States
from untrod.learn.gmetaexp.scenes import Floats, Ints

WORDS = 4
"""No node says more than this many words."""


class ProgramArrays:
    """The arrays of one program. What does not change from input to input is made once."""

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


def batch_states(
    programs: Sequence[ProgramArrays],
    seen: Sequence[int],
    last: Sequence[int | None],
    episode: Sequence[int],
    moment: Sequence[int],
) -> States:
    """`seen` is what is covered, `last` what the last input has newly covered; None: there was none."""
    sizes = np.array([len(each.words) for each in programs])
    offsets = np.cumsum(sizes) - sizes
    links = np.array([len(each.edges) for each in programs])
    edges = np.concatenate([each.edges for each in programs])
    edges[:, :2] += np.repeat(offsets, links)[:, None]
    edges = edges[np.argsort(edges[:, 2], kind="stable")]
    marks = [each.marks(old, new or 0) for each, old, new in zip(programs, seen, last, strict=True)]
    echo = np.zeros((len(programs), ECHO), np.float32)
    for row, (each, old, new) in enumerate(zip(programs, seen, last, strict=True)):
        echo[row] = share(each.world, old), share(each.world, new or 0), new is not None
    return States(
        count=len(programs),
        words=np.concatenate([each.words for each in programs]),
        marks=np.concatenate(marks),
        state_of=np.repeat(np.arange(len(programs)), sizes),
        place=np.arange(sizes.sum()) - np.repeat(offsets, sizes),
        sources=np.ascontiguousarray(edges[:, 0]),
        targets=np.ascontiguousarray(edges[:, 1]),
        kinds=tuple(np.bincount(edges[:, 2], minlength=len(EDGE_TYPES)).tolist()),
        echo=echo,
        episode=np.asarray(episode, np.int64),
        moment=np.asarray(moment, np.int64),
    )


class ProgramTrial:
    """Episodes on several programs at once. One is over when everything is covered; all are over after so
    many moments."""

    def __init__(self, worlds: Sequence[ProgramWorld], moments: int) -> None:
        self._programs = [ProgramArrays(world) for world in worlds]
        self._moments, self._moment = moments, 0
        self.length = len(worlds[0].inputs.sizes)
        self._tried: Ints = np.zeros((len(worlds), moments, self.length), np.int64)
        self._seen = [0] * len(worlds)
        self._last: list[int | None] = [None] * len(worlds)
        self._past: list[tuple[int, int, int | None, int]] = []  # episode, covered, newly, moment

    @property
    def over(self) -> bool:
        return self._moment >= self._moments or not self._alive

    @property
    def coverage(self) -> Floats:
        pairs = zip(self._programs, self._seen, strict=True)
        return np.array([share(each.world, seen) for each, seen in pairs], np.float32)

    def states(self) -> States:
        return self._states([(at, self._seen[at], self._last[at], 0) for at in self._alive])

    def act(self, rows: Ints) -> Floats:
        alive = self._alive
        self._past += [(at, self._seen[at], self._last[at], self._moment) for at in alive]
        gained = np.zeros(rows.shape[:2], np.float32)
        for place, at in enumerate(alive):
            world = self._programs[at].world
            new = [
                world.run(world.inputs.decode(row)) & ~self._seen[at] & world.counted
                for row in rows[place].tolist()
            ]
            gained[place] = [mask.bit_count() / world.counted.bit_count() for mask in new]
            self._tried[at, self._moment] = rows[place, 0]
            self._seen[at] |= new[0]
            self._last[at] = new[0]
        self._moment += 1
        return gained

    def transcript(self) -> tuple[States, Ints]:
        return self._states(self._past), self._tried

    @property
    def _alive(self) -> list[int]:
        pairs = zip(self._programs, self._seen, strict=True)
        return [at for at, (each, seen) in enumerate(pairs) if each.world.counted & ~seen]

    def _states(self, rows: Sequence[tuple[int, int, int | None, int]]) -> States:
        episodes, seen, last, moments = zip(*rows, strict=True)
        return batch_states([self._programs[at] for at in episodes], seen, last, episodes, moments)


NOISE = 0.4
"""How often not the teacher's input is run, but a changed or a random one."""
Teacher = Callable[[Any, int, Random], Any]
"""For a program and what is covered: an input that newly covers much of the rest, or None."""


def demonstrate(
    worlds: Sequence[ProgramWorld], teacher: Teacher, moments: int, random: Random
) -> Demonstrations:
    """Episodes in which a teacher advises in each state. What is run is the teacher's input or, with odds of
    `NOISE`, another one: the student will make mistakes, and should have seen what to do after them."""
    length = len(worlds[0].inputs.sizes)
    tried = np.zeros((len(worlds), moments, length), np.int64)
    rows: list[tuple[ProgramArrays, int, int | None, int, int]] = []
    advised: list[Sequence[int]] = []
    covered: list[float] = []
    for episode, world in enumerate(worlds):
        program, seen, last = ProgramArrays(world), 0, None
        for moment in range(moments):
            advice = teacher(world, seen, random) if world.counted & ~seen else None
            if advice is None:
                break
            rows.append((program, seen, last, episode, moment))
            advised.append(world.inputs.encode(advice))
            run = _disturbed(world, advice, random) if random.random() < NOISE else advice
            tried[episode, moment] = world.inputs.encode(run)
            last = world.run(run) & ~seen & world.counted
            seen |= last
        covered.append(share(world, seen))
    programs, before, newly, episodes, times = zip(*rows, strict=True)
    states = batch_states(programs, before, newly, episodes, times)
    return Demonstrations(states, tried, np.array(advised, np.int64), fmean(covered))


def _disturbed(world: ProgramWorld, advice: Any, random: Random) -> Any:
    if random.random() < 0.3:
        return world.inputs.draw(random)
    for _ in range(random.randint(1, 3)):
        advice = world.inputs.mutate(advice, random)
    return advice
