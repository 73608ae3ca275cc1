"""`explore`, as the rest of untrod knows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from untrod.plugins import EnginePlugin, Task


class ExplorePlugin(EnginePlugin):
    name = "explore"
    verbs: ClassVar[Mapping[str, str]] = {
        "explore": "untrod.engines.explore.verbs.explore:app",
        "train": "untrod.engines.explore.verbs.train:train",
    }
    listed_at = 50
    turn_order = 30
    hunted = ("explore",)
    in_workers = False

    def discover_app(self, url: str) -> Iterable[Task]:
        return [Task(self.name, url, "screens, for gui to start from")]


PLUGIN = ExplorePlugin()
