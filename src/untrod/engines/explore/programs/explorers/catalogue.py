"""Explorers by name, for each kind of program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from untrod.core.errors import UntrodError
from untrod.engines.explore.programs.explorers.base import Explorer
from untrod.engines.explore.programs.explorers.chance import Chance
from untrod.engines.explore.programs.explorers.climb import HillClimbing
from untrod.engines.explore.programs.explorers.karel_expert import KarelExpert
from untrod.engines.explore.programs.explorers.karel_z3 import KarelZ3
from untrod.engines.explore.programs.explorers.robustfill_expert import RobustFillExpert

_ANY: dict[str, Callable[[int], Any]] = {"random": Chance, "hill-climbing": HillClimbing}
EXPLORERS: dict[str, dict[str, Callable[[int], Any]]] = {
    "robustfill": {**_ANY, "expert": RobustFillExpert},
    "karel": {
        **_ANY,
        "expert": KarelExpert,
        "directed": lambda seed: KarelExpert(seed, directed=True),
        "z3": KarelZ3,
    },
    "python": _ANY,
}


def explorer(name: str, kind: str, seed: int) -> Explorer:
    """`kind` is the kind of program, as worlds name it."""
    known = EXPLORERS[kind]
    if name not in known:
        raise UntrodError(
            f"there is no explorer {name!r} of {kind} programs", f"choose from {', '.join(known)}"
        )
    made: Explorer = known[name](seed)
    return made
