from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from untrod.engines.cover.loading import load_subject
from untrod.engines.cover.subject import Subject
from untrod.runtime.loading import TargetName

EXAMPLES = Path(__file__).parents[3] / "examples" / "cover"


class NotedBeacon:
    """What a supervisor would see: on which answers the last episode ran, and whether one runs now."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        self.running = False

    def begin(self, episode: int) -> None:
        self.running = True

    def trace(self, answers: list[int]) -> None:
        self.answers = answers

    def end(self) -> None:
        self.running = False


@pytest.fixture
def beacon() -> NotedBeacon:
    return NotedBeacon()


@pytest.fixture
def examples() -> Path:
    return EXAMPLES


Load = Callable[..., Subject]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """`load("examples file:name")`, or `load("name", source=...)` for a module written for the test."""
    import sys

    before = set(sys.modules)
    paths = list(sys.path)

    def subject(text: str, *, source: str = "", also: tuple[str, ...] = (), seed: int = 0) -> Subject:
        module, _, attribute = text.partition(":")
        root = tmp_path if source else EXAMPLES
        if source:
            (tmp_path / f"{module}.py").write_text(source)
        target = TargetName(module, attribute, str(root))
        names = [TargetName(name, "", str(root)).to_json() for name in also]
        spec = {"project": str(root), "target": target.to_json(), "also": names, "shapes": [], "seed": seed}
        return load_subject(spec, NotedBeacon())

    yield subject
    sys.path[:] = paths
    for name in set(sys.modules) - before:
        path = getattr(sys.modules[name], "__file__", None) or ""
        if path.startswith((str(tmp_path), str(EXAMPLES))):
            del sys.modules[name]
