"""A search without workers: a beacon that only notes, and policies that do as they are told."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from untrod.engines.worst.costs import make_cost
from untrod.engines.worst.protocol import Lesson
from untrod.engines.worst.subject import Subject
from untrod.store import Store

sys.path.insert(0, str(Path(__file__).parents[2] / "output" / "html"))  # html_campaigns


class NotedBeacon:
    """What a supervisor would see: which episode ran last, on which answers, and whether one runs now."""

    def __init__(self) -> None:
        self.episode = -1
        self.answers: list[int] = []
        self.running = False

    def begin(self, episode: int) -> None:
        self.episode, self.running = episode, True

    def trace(self, answers: list[int]) -> None:
        self.answers = answers

    def end(self) -> None:
        self.running = False


class Shuffle:
    """Tries random inputs; practises as it is told to; can be told to give up after some attempts."""

    name = "shuffle"
    learning = False

    def __init__(self, seed: int = 0, lessons: tuple[Lesson, ...] = (), gives_up: int | None = None) -> None:
        self._rng = Random(seed)
        self._lessons = lessons
        self._left = gives_up
        self.diary: list[str] = []

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        self.diary.append(f"lessons before {size}")
        given, self._lessons = self._lessons, ()
        return given

    def grow(self, size: int, *, lesson: bool = False) -> None:
        self.diary.append(f"practise {size}" if lesson else f"search {size}")

    def step(self, env: Any) -> Any:
        self.diary.append(f"step {env.size}")
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                return None
        return replace(env.run(env.random(self._rng)), by=self.name)

    def offer(self, attempt: Any) -> None:
        self.diary.append(f"offered {attempt.cost}")

    def state(self) -> Any:
        version, words, gauss = self._rng.getstate()
        return [version, list(words), gauss]

    def load(self, state: Any) -> None:
        version, words, gauss = state
        self._rng.setstate((version, tuple(words), gauss))


@pytest.fixture
def beacon() -> NotedBeacon:
    return NotedBeacon()


@pytest.fixture
def subject_of(beacon: NotedBeacon) -> Callable[..., Subject]:
    def make(function: Callable[..., Any], cost: str = "branches", **more: Any) -> Subject:
        return Subject(
            name=f"here:{function.__name__}",
            function=function,
            cost=make_cost(cost),
            beacon=beacon,
            project=Path(__file__).parent,
            **more,
        )

    return make


@pytest.fixture
def shuffle() -> type[Shuffle]:
    return Shuffle


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / ".untrod") as opened:
        yield opened
