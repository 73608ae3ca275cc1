"""Learners and searchers of other packages are asked for by name, as ours are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.learn.catalogue import LEARNERS, make_learner, settings_type
from untrod.symbolic.protocol import State
from untrod.symbolic.searchers.catalogue import SEARCHERS, make_searcher

MODULE = """
from dataclasses import dataclass
from untrod.learn.uniform import Uniform
from untrod.symbolic.searchers.klee import DepthFirst

@dataclass
class Settings:
    strength: float = 1.5

class Strong(Uniform):
    settings_type = Settings
    def __init__(self, seed, settings=None):
        super().__init__(seed)
        self.settings = settings or Settings()

def newest(seed, knowledge):
    return DepthFirst()
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "plugin_of_tests.py").write_text(MODULE)
    info = tmp_path / "plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[untrod.learners]\nstrong = plugin_of_tests:Strong\nrandom = plugin_of_tests:Strong\n"
        "[untrod.searchers]\nnewest = plugin_of_tests:newest\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    for catalogue in (LEARNERS, SEARCHERS):
        monkeypatch.setattr(catalogue, "_theirs", None)
    yield
    sys.modules.pop("plugin_of_tests", None)


def test_a_learner_of_another_package_has_its_own_settings(installed: None) -> None:
    assert "strong" in LEARNERS.names
    learner = make_learner("strong", 1, {"strength": "2.5"})
    assert learner.settings.strength == 2.5  # type: ignore[attr-defined]
    with pytest.raises(UntrodError, match="has no setting 'strenght'"):
        make_learner("strong", 1, {"strenght": "2.5"})
    with pytest.raises(UntrodError, match="it is one of strong"):
        make_learner("auto", 1, {"strength": "2.5"})


def test_ours_cannot_be_taken_over(installed: None) -> None:
    assert settings_type("random") is None


def test_a_searcher_of_another_package(installed: None) -> None:
    searcher = make_searcher("newest", 1)
    searcher.add([State(1, None), State(2, None)])
    assert searcher.select().id == 2
