"""The learners that can be asked for by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.protocols import Learner
from untrod.learn.exonerate import Exonerate
from untrod.learn.montecarlo import MonteCarlo
from untrod.learn.portfolio import Portfolio
from untrod.learn.uniform import Uniform

LEARNERS: dict[str, Callable[[int], Any]] = {
    "auto": Portfolio,
    "random": Uniform,
    "montecarlo": MonteCarlo,
    "exonerate": Exonerate,
}


def make_learner(name: str, seed: int) -> Learner:
    """Raises UntrodError when there is no such learner."""
    factory = LEARNERS.get(name)
    if factory is None:
        raise UntrodError(f"no learner {name!r}", f"choose from {', '.join(LEARNERS)}")
    learner: Learner = factory(seed)
    return learner
