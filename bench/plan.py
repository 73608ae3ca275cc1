"""How much of a bench to run, and what a bench consists of."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bench.report import Result


@dataclass(frozen=True)
class Plan:
    """What the command line asked for. `seeds` and `only` are None when left to the study."""

    quick: bool = True
    seeds: int | None = None
    only: str | None = None
    study: str | None = None  # a word of the studies' names
    contenders: tuple[str, ...] = ()  # empty: all of them
    minutes: float | None = None  # instead of what the scale allows
    cpu: float | None = None  # seconds for one trial, instead of the scale's
    journal: Path | None = None  # trials measured before, and where new ones are kept
    started: float = field(default_factory=time.monotonic)

    @property
    def scale(self) -> str:
        return "quick" if self.quick else "full"

    def seeds_or(self, quick: int, full: int) -> range:
        """The seeds to run, from 1."""
        return range(1, 1 + (self.seeds or (quick if self.quick else full)))

    def wants(self, subject: str) -> bool:
        return self.only is None or subject == self.only or subject in self.only.split(",")

    def wants_study(self, name: str) -> bool:
        return self.study is None or self.study.lower() in name.lower()

    def say(self, text: str) -> None:
        """A line of progress. Results go to stdout, so that this can be thrown away."""
        print(f"[{time.monotonic() - self.started:6.1f}s] {text}", file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Study:
    """One question of a bench: the subjects it looks at and the function that answers it."""

    name: str
    subjects: tuple[str, ...]
    run: Callable[[Plan], Result]
