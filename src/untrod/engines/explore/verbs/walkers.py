"""Who walks: the weights that were asked for, those that come with the package, or a walker by its name."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from untrod.core.errors import UntrodError
from untrod.engines.explore.shipped import shipped
from untrod.engines.explore.verbs.neural import require
from untrod.engines.explore.walkers.catalogue import make_walker
from untrod.engines.explore.walkers.completions import COMPLETIONS

if TYPE_CHECKING:
    from untrod.engines.explore.walkers.base import Walker
    from untrod.engines.explore.worlds.world import Walk

NEEDS = ("torch", "safetensors", "numpy")
LEARNED = "learned"
MOST_NODES = 1_000
"""Of a world that is walked by weights unasked: each decision looks at all that is known."""


@dataclass(frozen=True)
class Choice:
    """A walker, and what to tell about it: in a word or two, and in a line."""

    walker: Walker
    name: str
    line: str


def choose_walker(
    name: str | None, weights: Path | None, practice: int, seed: int, task: str, world: Walk
) -> Choice:
    """Without a name and without weights: the package's weights, else the best walker that needs none."""
    if weights is not None:
        return _learned(weights, f"the weights in {weights}", world, practice, seed)
    folder = shipped(task)
    if name == LEARNED or (practice and name is None):
        if folder is None:
            raise UntrodError(f"no weights for {task} come with untrod", "give some: --weights DIR")
        require(*NEEDS)
    elif name is not None:
        if practice:
            raise UntrodError(f"--fine-tune practises with weights, not with {name}", "leave out --walker")
        return Choice(make_walker(name, seed, task), name, f"walker: {name}")
    missing = [package for package in NEEDS if find_spec(package) is None]
    large = world.graph.reachable > MOST_NODES and name is None and not practice
    if folder is not None and not missing and not large:
        return _learned(folder, f"the weights for {folder.name} that come with untrod", world, practice, seed)
    name = "planner" if task in COMPLETIONS and not large else "frontier"
    why = "no weights for this task come with untrod"
    if missing:
        why = f"weights need {missing[0]}: pip install 'untrod[neural]'"
    elif large:
        why = f"more than {MOST_NODES:,} nodes; --walker learned takes the weights all the same"
    return Choice(make_walker(name, seed, task), name, f"walker: {name} ({why})")


def _learned(folder: Path, words: str, world: Walk, practice: int, seed: int) -> Choice:
    require(*NEEDS)
    from untrod.engines.explore.fine_tuning import fine_tune
    from untrod.engines.explore.fleet import Moves
    from untrod.engines.explore.walkers.learned import Learned
    from untrod.engines.explore.weights import load_weights

    policy, manifest = load_weights(folder)
    moves: Moves = "steps" if manifest.get("moves") == "steps" else "aims"
    if practice:
        policy = fine_tune(policy, world.graph, world.steps, practice, seed, moves)
        words += f", fine-tuned here for {practice} updates"
    return Choice(Learned(policy, moves), LEARNED, f"walker: {words}")
