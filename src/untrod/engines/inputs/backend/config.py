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

    `tables` is what an earlier run has learned (see `warm`), and `tally` what it has counted; `corpus` holds
    choice sequences to try and learn from first, as the Hypothesis database keeps them, and `entries` lines
    of a corpus file (see `corpus`); `bootstrap` says whether to learn from what the test itself brings along
    (see `bootstrap`), and `warm` whether to keep what is learned for the next run (see `keepsake`); `started`
    is given every provider that starts, to ask it later what it has learned.
    """

    learner: str = "auto"
    seed: int | None = None
    tables: Json = None
    corpus: tuple[tuple[Any, ...], ...] = ()
    entries: tuple[Any, ...] = ()
    bootstrap: bool = True
    tally: Any = None
    warm: bool = False
    started: Callable[[Any], None] | None = None


_override: list[Config] = []


def current() -> Config:
    """The innermost `configure`, or what the environment says."""
    if _override:
        return _override[-1]
    learner = os.environ.get("UNTROD_LEARNER") or "auto"
    warm = os.environ.get("UNTROD_WARM", "0") not in ("", "0")
    try:
        return check(Config(learner=learner, warm=warm))
    except UntrodError as error:
        # Raised from within a running test, this would be taken for the test's own failure.
        warnings.warn(f"UNTROD_LEARNER: {error}; using auto", stacklevel=2)
        return Config(warm=warm)


@contextmanager
def configure(**changes: Any) -> Iterator[Config]:
    """`with configure(learner="exonerate", seed=7): test()`. Nests; a test reads it when it starts.

    Raises UntrodError when there is no such learner, or when `tables` cannot be read.
    """
    config = check(replace(current(), **changes))
    _override.append(config)
    try:
        yield config
    finally:
        _override.pop()


def check(config: Config) -> Config:
    """Learning is imported only here: `import hypothesis` loads this module, and must stay fast."""
    from untrod.engines.inputs.backend.warm import load_tables
    from untrod.learn.catalogue import make_learner

    learner = make_learner(config.learner, seed=0)
    if config.tables is not None:
        load_tables(learner, config.tables)
    return config
