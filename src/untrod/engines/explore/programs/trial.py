"""Episodes for reinforcement: programs to which a group of inputs is given at each moment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from untrod.engines.explore.programs.drawing import Drawing, draw_states
from untrod.engines.explore.programs.world import ProgramWorld, share
from untrod.learn.gmetaexp.programs.states import States
from untrod.learn.gmetaexp.scenes import Floats, Ints


class ProgramTrial:
    """An episode is over when everything is covered, and all of them are after so many moments."""

    def __init__(self, worlds: Sequence[ProgramWorld], moments: int) -> None:
        self._drawings = [Drawing(world) for world in worlds]
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
        pairs = zip(self._drawings, self._seen, strict=True)
        return np.array([share(each.world, seen) for each, seen in pairs], np.float32)

    def states(self) -> States:
        return self._states([(at, self._seen[at], self._last[at], 0) for at in self._alive])

    def act(self, rows: Ints) -> Floats:
        alive = self._alive
        self._past += [(at, self._seen[at], self._last[at], self._moment) for at in alive]
        gained = np.zeros(rows.shape[:2], np.float32)
        for place, at in enumerate(alive):
            world = self._drawings[at].world
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
        pairs = zip(self._drawings, self._seen, strict=True)
        return [at for at, (each, seen) in enumerate(pairs) if each.world.counted & ~seen]

    def _states(self, rows: Sequence[tuple[int, int, int | None, int]]) -> States:
        episodes, seen, last, moments = zip(*rows, strict=True)
        return draw_states([self._drawings[at] for at in episodes], seen, last, episodes, moments)
