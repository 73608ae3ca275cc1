"""The arms of a campaign, by what a person asked for."""

from __future__ import annotations

import importlib.util

from untrod.core.errors import MissingExtra, UntrodError
from untrod.core.seeds import derive
from untrod.engines.cover.arms import Arm, MutationArm, RandomArm, SharedSession, SymbolicArm
from untrod.engines.cover.paths.python import ExecutorChoice
from untrod.learn.catalogue import make_pruning
from untrod.learn.pruning import Settings
from untrod.symbolic.searchers.catalogue import make_searcher

AUTO, NONE, CROSSHAIR = "auto", "none", "crosshair"
PORTFOLIO = ("open-first", "covnew", "random-path")
"""The searchers that `auto` learns to choose from."""
SHORT = Settings(lengths=(20.0, 40.0, 60.0, 80.0), vectors=20, warm_up=4)
"""The paper's settings, with lengths in paths, for campaigns of a minute instead of five hours."""


def check_names(searcher: str, pruning: str, chance: bool = True) -> None:
    """Raises UntrodError for what does not exist: now, not from inside a worker."""
    if searcher == NONE and not chance:
        raise UntrodError("without chance and without a searcher nothing is left", "leave one of them in")
    if not chance and not _has_solver():
        raise MissingExtra("z3", "symbolic")
    if searcher not in (AUTO, NONE):
        make_searcher(searcher, 0)
    make_pruning(pruning, 0)


def make_arms(
    searcher: str, pruning: str, seed: int, seconds: float, chance: bool = True
) -> tuple[list[Arm], list[SharedSession], list[str]]:
    """Cheap ones first, then one for each searcher; what these share; what a person should know about them.

    `seconds` is how long one path may take. Without `chance` there are only searchers.
    """
    arms: list[Arm] = []
    if chance:
        arms += [RandomArm(derive(seed, "random")), MutationArm(derive(seed, "mutate"))]
    if searcher == NONE:
        return arms, [], []
    if not _has_solver():
        notice = "no symbolic execution, only chance and mutation: pip install 'untrod[symbolic]'"
        return arms, [], [notice]

    def shared(executors: ExecutorChoice) -> SharedSession:
        learned = make_pruning(pruning, derive(seed, "pruning", executors), SHORT)
        return SharedSession(learned, seconds, executors)

    def arm(name: str, searcher: str, session: SharedSession) -> Arm:
        return SymbolicArm(name, searcher, derive(seed, "paths", name), session)

    if searcher != AUTO:
        session = shared("both")
        return [*arms, arm(searcher, searcher, session)], [session], []
    # CrossHair takes seconds to load, and costs a hundred times what lean costs: its turn comes late.
    lean, crosshair = shared("lean"), shared("crosshair")
    arms += [arm(name, name, lean) for name in PORTFOLIO]
    last = SymbolicArm(CROSSHAIR, PORTFOLIO[0], derive(seed, "paths", CROSSHAIR), crosshair, after=lean)
    return [*arms, last], [lean, crosshair], []


def _has_solver() -> bool:
    return importlib.util.find_spec("z3") is not None
