"""How the backend is set up: by the environment, or for the length of a `with` block."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json


@dataclass(frozen=True, slots=True)
class Config:
    """`seed` None means: the running test's own.

    `different` says what counts as a different test case (see `characteristic`), `reward` whether rejected
    ones earn credit for how far they came (`greybox`) or not (`blackbox`).

    `tables` is what an earlier run has learned (see `transfer`), and `rejection_counts` what it has
    counted; `corpus` holds choice sequences to try and learn from first, as the Hypothesis database keeps
    them, and `entries` lines of a corpus file (see `corpus`); `bootstrap` says whether to learn from what
    the test itself brings along (see `bootstrap`), and `warm` whether to keep what is learned for the next
    run (see `transfer`); `started` is given every provider that starts, to ask it later what it has
    learned.
    """

    learner: str = "auto"
    seed: int | None = None
    different: str | Callable[..., Any] = "value"
    reward: str = "greybox"
    tables: Json = None
    corpus: tuple[tuple[Any, ...], ...] = ()
    entries: tuple[Any, ...] = ()
    bootstrap: bool = True
    rejection_counts: Any = None
    warm: bool = False
    started: Callable[[Any], None] | None = None


_override: list[Config] = []


def current() -> Config:
    """The innermost `configure`, or what the environment says."""
    if _override:
        return _override[-1]
    config = Config(warm=os.environ.get("UNTROD_WARM", "0") not in ("", "0"))
    for name in ("learner", "different", "reward"):
        wanted = os.environ.get(f"UNTROD_{name.upper()}")
        try:
            config = _changed(config, {name: wanted}) if wanted else config
        except UntrodError as error:
            # Raised from within a running test, this would be taken for the test's own failure.
            default = getattr(config, name)
            warnings.warn(f"UNTROD_{name.upper()}: {error}; using {default}", stacklevel=2)
    return config


@contextmanager
def configure(**changes: Any) -> Iterator[Config]:
    """`with configure(learner="exonerate", seed=7): test()`. Nests; a test reads it when it starts.

    Raises UntrodError when there is no such learner, or when `tables` cannot be read. Instead of its name,
    `different` takes a function of the drawn arguments.
    """
    config = _changed(current(), changes)
    _override.append(config)
    try:
        yield config
    finally:
        _override.pop()


def _changed(config: Config, changes: dict[str, Any]) -> Config:
    """`config` with `changes`, checked. Learning is imported only here: `import hypothesis` loads this
    module, and must stay fast."""
    from untrod.engines.inputs.backend.transfer import adopt
    from untrod.engines.inputs.judge import CHARACTERISTICS
    from untrod.engines.inputs.target import check_reward
    from untrod.learn.catalogue import make_learner

    config = replace(config, **changes)
    if "learner" in changes or "tables" in changes:
        learner = make_learner(config.learner, seed=0)
        if config.tables is not None:
            adopt(learner, config.tables)
    check_reward(config.reward)
    if not callable(config.different) and config.different not in CHARACTERISTICS:
        raise UntrodError(
            f"inputs cannot be told apart by {config.different!r}",
            f"choose from {', '.join(CHARACTERISTICS)}, or give a function",
        )
    return config
