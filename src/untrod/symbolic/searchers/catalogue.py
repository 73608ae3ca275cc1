"""The searchers that can be asked for by name. Other packages add theirs as entry points, each of them
`factory(seed, knowledge)`:

    [project.entry-points."untrod.searchers"]
    newest-unit = "my_package.searching:NewestUnit"
"""

from __future__ import annotations

from collections.abc import Callable

from untrod.core.catalogue import Catalogue
from untrod.core.seeds import derive
from untrod.symbolic.protocol import Searcher
from untrod.symbolic.searchers.directed import Fittest, OpenFirst
from untrod.symbolic.searchers.klee import (
    BreadthFirst,
    ByDepth,
    CoveringNew,
    DepthFirst,
    InstructionCount,
    MinDistance,
    PathInstructions,
    QueryCost,
    RandomPath,
    RandomState,
    RoundRobin,
)
from untrod.symbolic.searchers.knowledge import Knowledge

SearcherFactory = Callable[[int, Knowledge], Searcher]


def _interleaved(seed: int, knowledge: Knowledge) -> Searcher:
    first, second = derive(seed, "random-path"), derive(seed, "covnew")
    return RoundRobin([RandomPath(first), CoveringNew(second, knowledge)])


def _open_first(seed: int, knowledge: Knowledge) -> Searcher:
    return OpenFirst(_fittest(seed, knowledge), knowledge)


def _fittest(seed: int, knowledge: Knowledge) -> Searcher:
    return Fittest(CoveringNew(seed, knowledge), knowledge)


SEARCHERS: Catalogue[SearcherFactory] = Catalogue(
    "searcher",
    {
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
    },
    "untrod.searchers",
)
"""The nine of the HOMI paper, the concolic one, the one of search-based testing, and the two classics."""


def make_searcher(name: str, seed: int, knowledge: Knowledge | None = None) -> Searcher:
    """`knowledge` is told of every path by whoever runs the loop; some searchers have no use for it. Raises
    UntrodError for a name that does not exist."""
    return SEARCHERS.find(name)(seed, knowledge if knowledge is not None else Knowledge())
