"""The ways to prune that can be asked for by name."""

from __future__ import annotations

from difflib import get_close_matches

from untrod.core.errors import UntrodError
from untrod.learn.homi import Homi
from untrod.learn.pruning import Pruning, Settings
from untrod.learn.random_pruning import RandomPruning
from untrod.learn.restarts import Restarts
from untrod.learn.unpruned import Unpruned

PRUNINGS: dict[str, type[Homi] | type[Restarts]] = {
    kind.name: kind for kind in (Homi, RandomPruning, Restarts, Unpruned)
}


def make_pruning(name: str, seed: int, settings: Settings | None = None) -> Pruning:
    """Raises UntrodError for what does not exist."""
    if name not in PRUNINGS:
        near = get_close_matches(name, PRUNINGS, 1)
        hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(PRUNINGS)}"
        raise UntrodError(f"there is no pruning {name!r}", hint)
    return PRUNINGS[name](seed, settings)
