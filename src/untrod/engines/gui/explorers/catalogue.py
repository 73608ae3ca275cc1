"""Explorers by name, each with the ideas that go with it."""

from __future__ import annotations

from untrod.core.errors import UntrodError
from untrod.engines.gui.explorers.base import Explorer
from untrod.engines.gui.explorers.chance import Chance
from untrod.engines.gui.explorers.farlead import Farlead
from untrod.engines.gui.explorers.monkey import Monkey
from untrod.engines.gui.explorers.qbe import Qbe
from untrod.engines.gui.ideas import NONE, Ideas

EXPLORERS = ("farlead", "random", "monkey", "qbe")


def explorer(name: str, seed: int, ideas: Ideas | None = None) -> tuple[Explorer, Ideas]:
    """The baselines use none of the ideas unless told to: prediction would help them as well."""
    match name:
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
