"""The searchers that can be asked for by name."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

from untrod.core.errors import UntrodError
from untrod.core.seeds import derive
from untrod.symbolic.protocol import Searcher
from untrod.symbolic.searchers.breadth_first import BreadthFirst
from untrod.symbolic.searchers.by_depth import ByDepth
from untrod.symbolic.searchers.covering_new import CoveringNew
from untrod.symbolic.searchers.depth_first import DepthFirst
from untrod.symbolic.searchers.fittest import Fittest
from untrod.symbolic.searchers.instruction_count import InstructionCount
from untrod.symbolic.searchers.knowledge import Knowledge
from untrod.symbolic.searchers.min_distance import MinDistance
from untrod.symbolic.searchers.open_first import OpenFirst
from untrod.symbolic.searchers.path_instructions import PathInstructions
from untrod.symbolic.searchers.query_cost import QueryCost
from untrod.symbolic.searchers.random_path import RandomPath
from untrod.symbolic.searchers.random_state import RandomState
from untrod.symbolic.searchers.round_robin import RoundRobin


def _interleaved(seed: int, knowledge: Knowledge) -> Searcher:
    first, second = derive(seed, "random-path"), derive(seed, "covnew")
    return RoundRobin([RandomPath(first), CoveringNew(second, knowledge)])


def _open_first(seed: int, knowledge: Knowledge) -> Searcher:
    return OpenFirst(_fittest(seed, knowledge), knowledge)


def _fittest(seed: int, knowledge: Knowledge) -> Searcher:
    return Fittest(CoveringNew(seed, knowledge), knowledge)


SEARCHERS: dict[str, Callable[[int, Knowledge], Searcher]] = {
    "random-path": lambda seed, knowledge: RandomPath(seed),
    "covnew": CoveringNew,
    "mindistance": MinDistance,
    "depth": ByDepth,
    "instrcount": InstructionCount,
    "cpicount": PathInstructions,
    "querycost": QueryCost,
    "random-state": lambda seed, knowledge: RandomState(seed),
    "round-robin": _interleaved,
    "open-first": _open_first,
    "fittest": _fittest,
    "dfs": lambda seed, knowledge: DepthFirst(),
    "bfs": lambda seed, knowledge: BreadthFirst(),
}
"""The nine of the HOMI paper, the concolic one, the one of search-based testing, and the two classics."""


def make_searcher(name: str, seed: int, knowledge: Knowledge | None = None) -> Searcher:
    """`knowledge` is told of every path by whoever runs the loop; some searchers have no use for it."""
    if name not in SEARCHERS:
        near = get_close_matches(name, SEARCHERS, 1)
        hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(SEARCHERS)}"
        raise UntrodError(f"there is no searcher {name!r}", hint)
    return SEARCHERS[name](seed, knowledge if knowledge is not None else Knowledge())
