"""The policies that can be asked for by name. Each is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from untrod.core.catalogue import Catalogue

if TYPE_CHECKING:  # the engine, outside of workers, needs names only
    from untrod.engines.worst.protocol import SearchPolicy

DEFAULT = "auto"
PolicyFactory = Callable[[int], "SearchPolicy"]
"""From a seed."""
_HERE = "untrod.engines.worst.policies"

POLICIES: Catalogue[PolicyFactory] = Catalogue(
    "policy",
    {
        "auto": f"{_HERE}.portfolio:Portfolio",
        "pyse": f"{_HERE}.pyse:PySE",
        "pyse-table": f"{_HERE}.pyse:pyse_table",
        "climb": f"{_HERE}.climb:Climb",
        "wise": f"{_HERE}.rules:Wise",
        "spf-wca": f"{_HERE}.rules:SpfWca",
        "random": f"{_HERE}.paths:RandomPaths",
        "exhaustive": f"{_HERE}.paths:Exhaustive",
    },
)


def make_policy(name: str, seed: int) -> SearchPolicy:
    """Raises UntrodError for a name that does not exist."""
    return POLICIES.find(name)(seed)
