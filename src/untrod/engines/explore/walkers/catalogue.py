"""Walkers by name. Other packages add theirs by entry points of the group `untrod.walkers`."""

from __future__ import annotations

from collections.abc import Callable

from untrod.core.catalogue import Catalogue
from untrod.core.errors import UntrodError
from untrod.engines.explore.walk import Walker
from untrod.engines.explore.walkers.baselines import (
    DepthFirst,
    FrontierGreedy,
    FullKnowledge,
    RandDfs,
    RandomWalker,
    TabularQ,
)
from untrod.engines.explore.walkers.planner import COMPLETIONS, Planner

WalkerFactory = Callable[[int, str], Walker]
"""From a seed and the name of the task that the worlds are of."""


def _planner(seed: int, task: str) -> Planner:
    if task not in COMPLETIONS:
        hint = f"it can for {', '.join(COMPLETIONS)}"
        raise UntrodError(f"the planner cannot imagine the rest of {task!r}", hint)
    return Planner(seed, COMPLETIONS[task])


WALKERS: Catalogue[WalkerFactory] = Catalogue(
    "walker",
    {
        "random": lambda seed, task: RandomWalker(seed),
        "rand-dfs": lambda seed, task: RandDfs(seed),
        "dfs": lambda seed, task: DepthFirst(seed),
        "frontier": lambda seed, task: FrontierGreedy(seed),
        "tabular-q": lambda seed, task: TabularQ(seed),
        "planner": _planner,
        "full-knowledge": lambda seed, task: FullKnowledge(),
    },
    "untrod.walkers",
)


def make_walker(name: str, seed: int, task: str) -> Walker:
    """Raises UntrodError for a name that does not exist, and for a task that the walker cannot walk."""
    return WALKERS.find(name)(seed, task)
