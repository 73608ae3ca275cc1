"""Explorers by name, for each kind of program."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from untrod.core.errors import MissingExtra, UntrodError
from untrod.engines.explore.programs.explorers.base import Explorer
from untrod.engines.explore.programs.explorers.chance import Chance
from untrod.engines.explore.programs.explorers.climb import HillClimbing
from untrod.engines.explore.programs.explorers.karel_expert import KarelExpert
from untrod.engines.explore.programs.explorers.karel_z3 import KarelZ3
from untrod.engines.explore.programs.explorers.robustfill_expert import RobustFillExpert

NEEDS = ("torch", "safetensors", "numpy")
TRAINED = "trained"
_ANY: dict[str, Callable[[int], Any]] = {"random": Chance, "hill-climbing": HillClimbing}


def _trained(kind: str) -> Callable[[int], Any]:
    def make(seed: int) -> Any:
        missing = [package for package in NEEDS if find_spec(package) is None]
        if missing:
            raise MissingExtra(missing[0], "neural")
        from untrod.engines.explore.programs.explorers.trained import Trained

        return Trained.from_package(kind, seed)

    return make


EXPLORERS: dict[str, dict[str, Callable[[int], Any]]] = {
    "robustfill": {**_ANY, "expert": RobustFillExpert, TRAINED: _trained("robustfill")},
    "karel": {
        **_ANY,
        "expert": KarelExpert,
        "directed": lambda seed: KarelExpert(seed, directed=True),
        "z3": KarelZ3,
        TRAINED: _trained("karel"),
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
