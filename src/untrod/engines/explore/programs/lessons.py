"""Episodes for imitation: a teacher advises in each state, and stumbles on the way.

What is run is the teacher's input or, in some cases, a damaged one or one by chance: the student will make
mistakes, and should have seen what to do after them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean
from typing import Any

import numpy as np

from untrod.engines.explore.programs.drawing import Drawing, draw_states
from untrod.engines.explore.programs.world import ProgramWorld, share
from untrod.learn.gmetaexp.programs.learner import Demonstrations

STUMBLES = 0.4
Teacher = Callable[[Any, int, Random], Any]
"""For a program and what is covered: an input that newly covers much of the rest; None: no idea."""


def lessons(worlds: Sequence[ProgramWorld], teacher: Teacher, moments: int, random: Random) -> Demonstrations:
    length = len(worlds[0].inputs.sizes)
    tried = np.zeros((len(worlds), moments, length), np.int64)
    rows: list[tuple[Drawing, int, int | None, int, int]] = []
    advised: list[Sequence[int]] = []
    covered: list[float] = []
    for episode, world in enumerate(worlds):
        drawing, seen, last = Drawing(world), 0, None
        for moment in range(moments):
            advice = teacher(world, seen, random) if world.counted & ~seen else None
            if advice is None:
                break
            rows.append((drawing, seen, last, episode, moment))
            advised.append(world.inputs.encode(advice))
            run = _stumble(world, advice, random) if random.random() < STUMBLES else advice
            tried[episode, moment] = world.inputs.encode(run)
            last = world.run(run) & ~seen & world.counted
            seen |= last
        covered.append(share(world, seen))
    drawings, before, newly, episodes, times = zip(*rows, strict=True)
    states = draw_states(drawings, before, newly, episodes, times)
    return Demonstrations(states, tried, np.array(advised, np.int64), fmean(covered))


def _stumble(world: ProgramWorld, advice: Any, random: Random) -> Any:
    if random.random() < 0.3:
        return world.inputs.draw(random)
    for _ in range(random.randint(1, 3)):
        advice = world.inputs.mutate(advice, random)
    return advice
