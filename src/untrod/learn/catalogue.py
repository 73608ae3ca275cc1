"""The learners, and the ways to prune, that can be asked for by name, with their settings checked.

Other packages add learners as entry points, each of them `factory(seed)`, or a class with a `settings_type`
(`core.protocols.HasSettings`), which is then made as `factory(seed, settings)`:

    [project.entry-points."untrod.learners"]
    genetic = "my_package.learning:Genetic"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from untrod.core.catalogue import Catalogue, nearest
from untrod.core.errors import UntrodError
from untrod.core.protocols import HasSettings, Learner
from untrod.core.vocabulary import Json
from untrod.learn.bandits.portfolio import Portfolio
from untrod.learn.exonerate.learner import Exonerate
from untrod.learn.homi import Homi
from untrod.learn.pruning import Pruning, RandomPruning, Restarts, Unpruned
from untrod.learn.pruning import Settings as PruningSettings
from untrod.learn.rlcheck import MonteCarlo
from untrod.learn.uniform import Uniform

LearnerFactory = Callable[..., Learner]
PruningFactory = Callable[[int, PruningSettings | None], Pruning]

DEFAULT = "auto"
_LARGEST = 10**9
LEARNERS: Catalogue[LearnerFactory] = Catalogue(
    "learner",
    {"auto": Portfolio, "random": Uniform, "montecarlo": MonteCarlo, "exonerate": Exonerate},
    "untrod.learners",
)
PRUNINGS: Catalogue[PruningFactory] = Catalogue(
    "pruning", {kind.name: kind for kind in (Homi, RandomPruning, Restarts, Unpruned)}
)


def make_learner(name: str, seed: int, settings: Mapping[str, Json] | None = None) -> Learner:
    """`settings` may hold texts, as the command line has them. Raises UntrodError for what does not exist."""
    factory = LEARNERS.find(name)
    if not settings:
        return factory(seed)
    kind = settings_type(name)
    known = _defaults(kind)
    for key in settings:
        if key not in known:
            hint = _owners(key) or nearest(key, known)
            raise UntrodError(f"the learner {name} has no setting {key!r}", hint)
    values = {key: _like(known[key], key, value) for key, value in settings.items()}
    assert kind is not None
    return factory(seed, kind(**values))


def make_pruning(name: str, seed: int, settings: PruningSettings | None = None) -> Pruning:
    """Raises UntrodError for what does not exist."""
    return PRUNINGS.find(name)(seed, settings)


def settings_type(name: str) -> type[Any] | None:
    """The dataclass of the settings of that learner; None: it has none."""
    factory = LEARNERS.find(name)
    return factory.settings_type if isinstance(factory, HasSettings) else None


def _defaults(kind: type[Any] | None) -> dict[str, Any]:
    return {field.name: field.default for field in fields(kind)} if kind is not None else {}


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


def _owners(key: str) -> str:
    """Which learners have a setting of that name."""
    owners = [name for name in LEARNERS if key in _defaults(settings_type(name))]
    return f"it is one of {' and '.join(owners)}: choose that with --learner" if owners else ""
