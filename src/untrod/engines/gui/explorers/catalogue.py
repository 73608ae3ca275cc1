"""Explorers by name, each with the ideas that go with it."""

from __future__ import annotations

from untrod.core.errors import UntrodError
from untrod.drivers.graph import ScreenGraph
from untrod.engines.gui.explorers.base import Explorer
from untrod.engines.gui.explorers.chance import Chance
from untrod.engines.gui.explorers.farlead import Farlead
from untrod.engines.gui.explorers.monkey import Monkey
from untrod.engines.gui.explorers.planner import Planner
from untrod.engines.gui.explorers.qbe import Qbe
from untrod.engines.gui.ideas import NONE, Ideas

EXPLORERS = ("planner", "farlead", "random", "monkey", "qbe")


def explorer(
    name: str, seed: int, ideas: Ideas | None = None, graph: ScreenGraph | None = None
) -> tuple[Explorer, Ideas]:
    """`graph` is the one that is being recorded: the planner needs it.

    The baselines use none of the ideas unless told to: prediction would help them as well."""
    match name:
        case "planner":
            ideas = ideas or Ideas()
            return Planner(seed, ideas, ScreenGraph() if graph is None else graph), ideas
        case "farlead":
            ideas = ideas or Ideas()
            return Farlead(seed, ideas), ideas
        case "random":
            return Chance(seed), ideas or NONE
        case "monkey":
            return Monkey(seed), ideas or NONE
        case "qbe":
            return Qbe(seed), ideas or NONE
    raise UntrodError(f"there is no explorer {name!r}", f"choose from {', '.join(EXPLORERS)}")
