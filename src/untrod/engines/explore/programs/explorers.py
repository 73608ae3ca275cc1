"""Explorers of programs: those that work for any program, and the catalogues of all, by the kind of
program."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from untrod.core.catalogue import Catalogue, nearest
from untrod.core.errors import UntrodError
from untrod.engines.explore.neural import NEEDS, require
from untrod.engines.explore.programs.episode import Explorer
from untrod.engines.explore.programs.karel.expert import KarelExpert
from untrod.engines.explore.programs.karel.solver import KarelZ3
from untrod.engines.explore.programs.robustfill.expert import RobustFillExpert
from untrod.engines.explore.programs.world import ProgramWorld
from untrod.engines.explore.shipped import shipped


class RandomExplorer:
    """Every input is drawn anew."""

    name = "random"

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._world: ProgramWorld

    def begin(self, world: ProgramWorld) -> None:
        self._world = world

    def propose(self) -> Any:
        return self._world.inputs.draw(self._random)

    def observe(self, given: Any, mask: int) -> None: ...


DRAWN = 10


class HillClimbing:
    """Changes the best input, and goes on from the change if it loses nothing.

    The height of an input is how many goals it reaches, with half a goal on top if one of them is new. The
    first `DRAWN` inputs are drawn; from then on every other one, or the search would stay at the local
    optimum that it began at: hill-climbing that never draws again ends below random inputs (0.78 against
    0.87 with 100 RobustFill inputs).
    """

    name = "hill-climbing"

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._world: ProgramWorld

    def begin(self, world: ProgramWorld) -> None:
        self._world = world
        self._seen = 0
        self._runs = 0
        self._best: Any = None
        self._height = -1.0

    def propose(self) -> Any:
        inputs = self._world.inputs
        if self._runs < DRAWN or self._runs % 2:
            return inputs.draw(self._random)
        return inputs.mutate(self._best, self._random)

    def observe(self, given: Any, mask: int) -> None:
        mask &= self._world.counted
        height = mask.bit_count() + (0.5 if mask & ~self._seen else 0.0)
        if height >= self._height:  # plateaus are crossed
            self._best, self._height = given, height
        self._seen |= mask
        self._runs += 1


TRAINED = "trained"
ExplorerFactory = Callable[[int], Any]
"""From a seed an `Explorer`, perhaps of one kind of programs only."""
_ANY: dict[str, ExplorerFactory] = {"random": RandomExplorer, "hill-climbing": HillClimbing}


def _trained(kind: str) -> ExplorerFactory:
    """By the weights that come with the package."""

    def make(seed: int) -> Explorer:
        require(*NEEDS)
        from untrod.engines.explore.programs.trained import TrainedExplorer
        from untrod.engines.explore.programs.weights import load_program_weights

        folder = shipped(kind)
        if folder is None:
            raise UntrodError(f"no weights for {kind} come with untrod", f"train some: untrod train {kind}")
        return TrainedExplorer(load_program_weights(folder, kind)[0], seed)

    return make


EXPLORERS: dict[str, Catalogue[ExplorerFactory]] = {
    "robustfill": Catalogue(
        "explorer", {**_ANY, "expert": RobustFillExpert, TRAINED: _trained("robustfill")}
    ),
    "karel": Catalogue(
        "explorer",
        {
            **_ANY,
            "expert": KarelExpert,
            "directed": lambda seed: KarelExpert(seed, directed=True),
            "z3": KarelZ3,
            TRAINED: _trained("karel"),
        },
    ),
}
"""For each kind of program."""


def explorer(name: str, kind: str, seed: int) -> Explorer:
    """`kind` is the kind of program, as worlds name it."""
    known = EXPLORERS[kind]
    if name not in known:
        raise UntrodError(f"there is no explorer {name!r} of {kind} programs", nearest(name, known))
    made: Explorer = known.find(name)(seed)
    return made
