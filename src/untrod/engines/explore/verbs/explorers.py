"""Who proposes inputs: the weights that were asked for, those that come with the package, or an explorer by
its name."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from untrod.core.errors import UntrodError

if TYPE_CHECKING:
    from untrod.engines.explore.programs.explorers.base import Explorer
    from untrod.engines.explore.programs.karel.world import KarelWorld
    from untrod.engines.explore.programs.robustfill.world import RobustFillWorld

UNTRAINED = {"robustfill": "expert", "karel": "directed"}
"""The best that needs no weights."""


@dataclass(frozen=True)
class Asked:
    """What the person said. No name and no weights: whatever is best."""

    name: str | None
    weights: Path | None
    practice: int
    seed: int


@dataclass(frozen=True)
class Choice:
    explorer: Explorer
    line: str


def choose_explorer(asked: Asked, world: RobustFillWorld | KarelWorld, inputs: int) -> Choice:
    from untrod.engines.explore.programs.explorers.catalogue import NEEDS, TRAINED, explorer
    from untrod.engines.explore.shipped import shipped

    kind = world.kind
    wanted = asked.weights is not None or asked.practice > 0 or asked.name == TRAINED
    if asked.name not in (None, TRAINED):
        if wanted:
            raise UntrodError(f"{asked.name} takes no weights and no practice", "leave out --explorer")
        return Choice(explorer(str(asked.name), kind, asked.seed), str(asked.name))
    folder = asked.weights or shipped(kind)
    missing = [package for package in NEEDS if find_spec(package) is None]
    if folder is not None and (wanted or not missing):
        return _trained(folder, asked, world, inputs)
    if wanted:
        raise UntrodError(f"no weights for {kind} come with untrod", "give some: --weights DIR")
    why = f"weights need {missing[0]}: pip install 'untrod[neural]'" if missing else "no weights for it ship"
    name = UNTRAINED[kind]
    return Choice(explorer(name, kind, asked.seed), f"{name} ({why})")


def _trained(folder: Path, asked: Asked, world: RobustFillWorld | KarelWorld, inputs: int) -> Choice:
    from untrod.engines.explore.programs.explorers.catalogue import NEEDS
    from untrod.engines.explore.verbs.neural import require

    require(*NEEDS)
    from untrod.engines.explore.programs.explorers.trained import Trained
    from untrod.engines.explore.programs.fine_tuning import fine_tune
    from untrod.engines.explore.programs.weights import load_program_weights

    policy, _ = load_program_weights(folder, world.kind)
    line = "trained, by the weights " + (f"in {folder}" if asked.weights else "that come with untrod")
    if asked.practice:
        policy = fine_tune(policy, world, inputs, asked.practice, asked.seed)
        line += f", fine-tuned here for {asked.practice} updates"
    return Choice(Trained(policy, asked.seed), line)
