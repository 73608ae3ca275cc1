"""The policies that can be asked for by name."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

from untrod.core.errors import UntrodError
from untrod.engines.worst.policies.base import HuntPolicy
from untrod.engines.worst.policies.climb import Climb
from untrod.engines.worst.policies.exhaustive import Exhaustive
from untrod.engines.worst.policies.portfolio import Portfolio
from untrod.engines.worst.policies.pyse import PySE, Settings
from untrod.engines.worst.policies.random_paths import RandomPaths
from untrod.engines.worst.policies.spf_wca import SpfWca
from untrod.engines.worst.policies.wise import Wise

DEFAULT = "auto"
POLICIES: dict[str, Callable[[int], HuntPolicy]] = {
    "auto": Portfolio,
    "pyse": PySE,
    "pyse-table": lambda seed: PySE(seed, Settings("table")),
    "climb": Climb,
    "wise": Wise,
    "spf-wca": SpfWca,
    "random": RandomPaths,
    "exhaustive": Exhaustive,
}


def make_policy(name: str, seed: int) -> HuntPolicy:
    """Raises UntrodError for a name that does not exist."""
    if name not in POLICIES:
        near = get_close_matches(name, POLICIES, 1)
        hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(POLICIES)}"
        raise UntrodError(f"there is no policy {name!r}", hint)
    return POLICIES[name](seed)
