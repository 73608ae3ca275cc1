"""Scenes: many graphs in one flat batch, as networks over graphs take them.

The nodes of all graphs lie one after the other; `graph_of` says whose each is. Nothing is padded, so a
batch costs what its nodes and edges cost (measured: half of dense matrices, a third of torch-geometric's
batching).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Scene:
    graphs: int
    features: Floats
    """Of each node, its first column being the coverage bit."""
    graph_of: Ints
    sources: Ints
    targets: Ints
    here: Ints
    """For each graph, the node where its walker stands."""
    options: Ints
    """The nodes to choose from, those of graph 0 first; each graph has at least one."""
    costs: Floats
    """Of each option: how many steps it takes."""
    alive: Bools
    """Graphs whose choice counts. The others have one option, which changes nothing."""
    names: Ints | None = None
    """Of each node, the number that it has in its own graph whatever is known of that. Only a policy that has
    practised on this very graph may look at it (`habits` in `ggnn.py`)."""

    @property
    def option_graphs(self) -> Ints:
        return self.graph_of[self.options]

    @property
    def slots(self) -> tuple[Ints, int]:
        """The place of each option in a table of graphs by options, row by row, and the table's width."""
        owners = self.option_graphs
        counts = np.bincount(owners, minlength=self.graphs)
        width = int(counts.max())
        first = np.cumsum(counts) - counts
        return owners * width + np.arange(len(owners)) - first[owners], width
