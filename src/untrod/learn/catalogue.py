"""The learners, and the ways to prune, that can be asked for by name, with their settings checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.protocols import Learner
from untrod.core.vocabulary import Json
from untrod.learn import rlcheck
from untrod.learn.bandits import portfolio
from untrod.learn.exonerate import learner as exonerate
from untrod.learn.homi import Homi
from untrod.learn.pruning import Pruning, RandomPruning, Restarts, Unpruned
from untrod.learn.pruning import Settings as PruningSettings
from untrod.learn.uniform import Uniform

DEFAULT = "auto"
_LARGEST = 10**9
LEARNERS: dict[str, Callable[..., Any]] = {
    "auto": portfolio.Portfolio,
    "random": Uniform,
    "montecarlo": rlcheck.MonteCarlo,
    "exonerate": exonerate.Exonerate,
}
SETTINGS: dict[str, type[Any]] = {
    "auto": portfolio.Settings,
    "montecarlo": rlcheck.Settings,
    "exonerate": exonerate.Settings,
}
PRUNINGS: dict[str, type[Homi] | type[Restarts]] = {
    kind.name: kind for kind in (Homi, RandomPruning, Restarts, Unpruned)
}


def make_learner(name: str, seed: int, settings: Mapping[str, Json] | None = None) -> Learner:
    """`settings` may hold texts, as the command line has them. Raises UntrodError for what does not exist."""
    if name not in LEARNERS:
        raise UntrodError(f"there is no learner {name!r}", _nearest(name, LEARNERS))
    if not settings:
        return LEARNERS[name](seed)  # type: ignore[no-any-return]
    known = {field.name: field.default for field in fields(SETTINGS[name])} if name in SETTINGS else {}
    for key in settings:
        if key not in known:
            raise UntrodError(
                f"the learner {name} has no setting {key!r}", _whose(key) or _nearest(key, known)
            )
    values = {key: _like(known[key], key, value) for key, value in settings.items()}
    return LEARNERS[name](seed, SETTINGS[name](**values))  # type: ignore[no-any-return]


def make_pruning(name: str, seed: int, settings: PruningSettings | None = None) -> Pruning:
    """Raises UntrodError for what does not exist."""
    if name not in PRUNINGS:
        raise UntrodError(f"there is no pruning {name!r}", _nearest(name, PRUNINGS))
    return PRUNINGS[name](seed, settings)


def _like(default: Any, key: str, value: Json) -> Any:
    """`value` as the type the setting has."""
    kind = type(default)
    try:
        like = kind(value)
    except (TypeError, ValueError):
        raise UntrodError(
            f"{key}={value!r} is not a {kind.__name__}", f"for instance {key}={default}"
        ) from None
    if kind is not str and not abs(like) <= _LARGEST:  # which NaN is not
        raise UntrodError(f"{key}={value!r} is out of range", f"for instance {key}={default}")
    return like


def _whose(key: str) -> str:
    owners = [name for name, kind in SETTINGS.items() if key in {field.name for field in fields(kind)}]
    return f"it is one of {' and '.join(owners)}: choose that with --learner" if owners else ""


def _nearest(name: str, known: Mapping[str, Any]) -> str:
    near = get_close_matches(name, known, 1)
    return f"did you mean {near[0]}?" if near else f"choose from {', '.join(known) or 'none'}"
