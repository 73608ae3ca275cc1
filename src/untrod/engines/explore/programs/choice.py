"""Who proposes inputs: the weights that were asked for, those that come with the package, or an explorer by
its name.

`choose_explorer` decides, where the person is; `open_explorer` makes it, in the worker.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from untrod.core.errors import UntrodError
from untrod.engines.explore.neural import NEEDS, require
from untrod.engines.explore.programs.explorers import TRAINED, explorer
from untrod.engines.explore.shipped import shipped

if TYPE_CHECKING:
    from untrod.core.vocabulary import Json
    from untrod.engines.explore.programs.episode import Explorer
    from untrod.engines.explore.programs.world import ProgramWorld

UNTRAINED = {"robustfill": "expert", "karel": "directed"}
"""The best that needs no weights."""


@dataclass(frozen=True)
class Choice:
    """An explorer by its name, and a line about it."""

    name: str
    line: str


def choose_explorer(
    name: str | None, weights: Path | None, practice: int, kind: str, folder: Path = Path()
) -> Choice:
    """No name and no weights: whatever is best. Names are looked up in `folder`. Raises UntrodError."""
    wanted = weights is not None or practice > 0 or name == TRAINED
    if name is not None and name != TRAINED:
        if wanted:
            raise UntrodError(f"{name} takes no weights and no practice", "leave out --explorer")
        explorer(name, kind, 0)  # complains, if there is no such explorer
        return Choice(name, name)
    missing = [package for package in NEEDS if find_spec(package) is None]
    if (weights or shipped(kind)) and (wanted or not missing):
        require(*NEEDS)
        if weights:
            from untrod.engines.explore.programs.weights import load_program_weights

            load_program_weights(folder / weights, kind)  # complains, if they cannot be read
        line = "trained, by the weights " + (f"in {weights}" if weights else "that come with untrod")
        return Choice(TRAINED, line + (f", fine-tuned here for {practice} updates" if practice else ""))
    if wanted:
        raise UntrodError(f"no weights for {kind} come with untrod", "give some: --weights DIR")
    why = f"weights need {missing[0]}: pip install 'untrod[neural]'" if missing else "no weights for it ship"
    return Choice(UNTRAINED[kind], f"{UNTRAINED[kind]} ({why})")


def open_explorer(spec: Json, world: ProgramWorld) -> Explorer:
    """Raises UntrodError for weights that cannot be read."""
    if spec["explorer"] != TRAINED or not (spec["weights"] or spec["fine_tune"]):
        return explorer(spec["explorer"], spec["kind"], spec["seed"])
    from untrod.engines.explore.programs.trained import TrainedExplorer
    from untrod.engines.explore.programs.trainer import fine_tune
    from untrod.engines.explore.programs.weights import load_program_weights

    folder = Path(spec["project"], spec["weights"]) if spec["weights"] else shipped(spec["kind"])
    if folder is None:
        raise UntrodError(f"no weights for {spec['kind']} come with untrod", "give some: --weights DIR")
    policy, _ = load_program_weights(folder, spec["kind"])
    if spec["fine_tune"]:
        policy = fine_tune(policy, world, spec["steps"], spec["fine_tune"], spec["seed"])
    return TrainedExplorer(policy, spec["seed"])
