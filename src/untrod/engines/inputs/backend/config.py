"""How the backend is set up: by the environment, or for the length of a `with` block."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Config:
    """`seed` None means: the running test's own. Unknown learners are refused when the test starts."""

    learner: str = "auto"
    seed: int | None = None


_override: list[Config] = []


def current() -> Config:
    return _override[-1] if _override else Config(learner=os.environ.get("UNTROD_LEARNER") or "auto")


@contextmanager
def configure(**changes: Any) -> Iterator[Config]:
    """`with configure(learner="exonerate", seed=7): test()`. Nests; a test reads it when it starts."""
    config = replace(current(), **changes)
    _override.append(config)
    try:
        yield config
    finally:
        _override.remove(config)
