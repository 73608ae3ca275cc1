"""Who walks: the weights that were asked for, those that come with the package, or a walker by its name.

`choose_walker` decides, where the person is; `open_walker` makes it, in the worker.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from untrod.core.errors import UntrodError
from untrod.engines.explore.neural import NEEDS, require
from untrod.engines.explore.shipped import shipped
from untrod.engines.explore.walkers.catalogue import make_walker
from untrod.engines.explore.walkers.planner import COMPLETIONS

if TYPE_CHECKING:
    from untrod.core.vocabulary import Json
    from untrod.engines.explore.walk import Walk, Walker

LEARNED = "learned"
MOST_NODES = 1_000
"""Of a world that is walked by weights unasked: each decision looks at all that is known."""


@dataclass(frozen=True)
class Choice:
    """A walker by its name, and a line about it."""

    name: str
    line: str


def choose_walker(
    name: str | None, weights: Path | None, practice: int, task: str, reachable: int, folder: Path = Path()
) -> Choice:
    """Without a name and without weights: the package's weights, else the best walker that needs none.

    Names are looked up in `folder`. Raises UntrodError."""
    practised = f", fine-tuned here for {practice} updates" if practice else ""
    if weights is not None:
        require(*NEEDS)
        from untrod.engines.explore.weights import load_weights

        load_weights(folder / weights)  # complains, if they cannot be read
        return Choice(LEARNED, f"the weights in {weights}{practised}")
    ours = shipped(task)
    if name == LEARNED or (practice and name is None):
        if ours is None:
            raise UntrodError(f"no weights for {task} come with untrod", "give some: --weights DIR")
        require(*NEEDS)
    elif name is not None:
        if practice:
            raise UntrodError(f"--fine-tune practises with weights, not with {name}", "leave out --walker")
        make_walker(name, 0, task)  # complains, if there is no such walker
        return Choice(name, name)
    missing = [package for package in NEEDS if find_spec(package) is None]
    large = reachable > MOST_NODES and name is None and not practice
    if ours is not None and not missing and not large:
        return Choice(LEARNED, f"the weights for {ours.name} that come with untrod{practised}")
    name = "planner" if task in COMPLETIONS and not large else "frontier"
    why = "no weights for this task come with untrod"
    if missing:
        why = f"weights need {missing[0]}: pip install 'untrod[neural]'"
    elif large:
        why = f"more than {MOST_NODES:,} nodes; --walker learned takes the weights all the same"
    return Choice(name, f"{name} ({why})")


def open_walker(spec: Json, world: Walk) -> Walker:
    """Raises UntrodError for weights that cannot be read."""
    if spec["walker"] != LEARNED:
        return make_walker(spec["walker"], spec["seed"], spec["task"])
    from untrod.engines.explore.vector_env import Moves
    from untrod.engines.explore.walk_trainer import fine_tune
    from untrod.engines.explore.walkers.learned import Learned
    from untrod.engines.explore.weights import load_weights

    folder = Path(spec["project"], spec["weights"]) if spec["weights"] else shipped(spec["task"])
    if folder is None:
        raise UntrodError(f"no weights for {spec['task']} come with untrod", "give some: --weights DIR")
    policy, manifest = load_weights(folder)
    moves: Moves = "steps" if manifest.get("moves") == "steps" else "aims"
    if spec["fine_tune"]:
        policy = fine_tune(policy, world.graph, world.steps, spec["fine_tune"], spec["seed"], moves)
    return Learned(policy, moves)
