"""Walkers by name."""

from __future__ import annotations

from difflib import get_close_matches

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

WALKERS = ("random", "rand-dfs", "dfs", "frontier", "tabular-q", "planner", "full-knowledge")


def make_walker(name: str, seed: int, task: str) -> Walker:
    """The planner needs to know of which task the world is."""
    match name:
        case "random":
            return RandomWalker(seed)
        case "rand-dfs":
            return RandDfs(seed)
        case "dfs":
            return DepthFirst(seed)
        case "frontier":
            return FrontierGreedy(seed)
        case "tabular-q":
            return TabularQ(seed)
        case "full-knowledge":
            return FullKnowledge()
        case "planner":
            if task not in COMPLETIONS:
                raise UntrodError(
                    f"the planner cannot imagine the rest of {task!r}", f"it can for {', '.join(COMPLETIONS)}"
                )
            return Planner(seed, COMPLETIONS[task])
    near = get_close_matches(name, WALKERS, 1)
    hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(WALKERS)}"
    raise UntrodError(f"there is no walker {name!r}", hint)
