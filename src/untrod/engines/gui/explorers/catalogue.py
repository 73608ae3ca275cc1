"""Explorers by name, each with the ideas that go with it. Another package adds one by an entry point in the
group `untrod.explorers`, which names an `ExplorerFactory`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from untrod.core.catalogue import Catalogue
from untrod.drivers.graph import ScreenGraph
from untrod.engines.gui.explorers.base import Explorer
from untrod.engines.gui.explorers.baselines import Monkey, Qbe, RandomExplorer
from untrod.engines.gui.explorers.farlead import Farlead
from untrod.engines.gui.explorers.planner import Planner
from untrod.engines.gui.ideas import NONE, Ideas

ExplorerFactory: TypeAlias = Callable[[int, Ideas | None, ScreenGraph | None], tuple[Explorer, Ideas]]
"""Called with the seed, the ideas (None: those that go with it) and the graph that is being recorded."""


def explorer(
    name: str, seed: int, ideas: Ideas | None = None, graph: ScreenGraph | None = None
) -> tuple[Explorer, Ideas]:
    """`graph` is the one that is being recorded: the planner needs it. Raises UntrodError for what does not
    exist."""
    return EXPLORERS.find(name)(seed, ideas, graph)


def _planner(seed: int, ideas: Ideas | None, graph: ScreenGraph | None) -> tuple[Explorer, Ideas]:
    ideas = ideas or Ideas()
    return Planner(seed, ideas, ScreenGraph() if graph is None else graph), ideas


def _farlead(seed: int, ideas: Ideas | None, graph: ScreenGraph | None) -> tuple[Explorer, Ideas]:
    ideas = ideas or Ideas()
    return Farlead(seed, ideas), ideas


def _baseline(kind: Callable[[int], Explorer]) -> ExplorerFactory:
    """The baselines use none of the ideas unless told to: prediction would help them as well."""
    return lambda seed, ideas, graph: (kind(seed), ideas or NONE)


EXPLORERS: Catalogue[ExplorerFactory] = Catalogue(
    "explorer",
    {
        "planner": _planner,
        "farlead": _farlead,
        "random": _baseline(RandomExplorer),
        "monkey": _baseline(Monkey),
        "qbe": _baseline(Qbe),
    },
    "untrod.explorers",
)
