"""The learners of the `inputs` engine by name, with their settings checked."""

from __future__ import annotations

from dataclasses import fields
from difflib import get_close_matches
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.protocols import Learner
from untrod.core.vocabulary import Json
from untrod.learn.montecarlo import MonteCarlo
from untrod.learn.montecarlo import Settings as MonteCarloSettings
from untrod.learn.uniform import Uniform

LEARNERS = ("montecarlo", "random")
DEFAULT = "montecarlo"


def make_learner(name: str, seed: int, settings: dict[str, Json]) -> Learner:
    """Raises UntrodError for an unknown learner or setting."""
    if name == "random":
        _refuse_unknown(name, settings, ())
        return Uniform(seed)
    if name == "montecarlo":
        known = {field.name: field.default for field in fields(MonteCarloSettings)}
        _refuse_unknown(name, settings, tuple(known))
        return MonteCarlo(
            seed, MonteCarloSettings(**{key: _like(known[key], key, settings[key]) for key in settings})
        )
    near = get_close_matches(name, LEARNERS, 1)
    hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(LEARNERS)}"
    raise UntrodError(f"there is no learner {name!r}", hint)


def _like(default: Any, key: str, value: Json) -> Any:
    """`value` as the type the setting has; it may come from the command line as text."""
    try:
        return type(default)(value)
    except (TypeError, ValueError):
        raise UntrodError(
            f"{key}={value!r} is not a {type(default).__name__}", f"for instance {key}={default}"
        ) from None


def _refuse_unknown(name: str, settings: dict[str, Json], known: tuple[str, ...]) -> None:
    for key in settings:
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"it has: {', '.join(known) or 'none'}"
            raise UntrodError(f"the learner {name} has no setting {key!r}", hint)
