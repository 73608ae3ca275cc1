"""`worst`, as the rest of untrod knows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log2
from typing import TYPE_CHECKING, ClassVar

from untrod.core.vocabulary import Json
from untrod.plugins import EnginePlugin, Making, SourceFile, Task

if TYPE_CHECKING:
    from untrod.output.deliver import Recipe
    from untrod.output.html.panel import Panel
    from untrod.output.html.story import Story
    from untrod.runtime.campaign import Engine


class WorstPlugin(EnginePlugin):
    name = "worst"
    verbs: ClassVar[Mapping[str, str]] = {"worst": "untrod.engines.worst.verb:worst"}
    listed_at = 20
    turn_order = 50
    hunted = ("worst",)

    def make(self, making: Making) -> tuple[Engine, Recipe]:
        from untrod.engines.worst.delivery import WorstRecipe
        from untrod.engines.worst.engine import WorstConfig, WorstEngine

        config = WorstConfig.from_json(making.config)
        return WorstEngine(config, making.seed, making.project), WorstRecipe(config)

    def panel(self, story: Story) -> Panel:
        from untrod.engines.worst.panel import worst_panel

        return worst_panel(story)

    def discover(self, source: SourceFile) -> Iterable[Task]:
        from untrod.engines.worst.discovery import tasks_in

        return tasks_in(source)

    def shown(self, finished: Mapping[str, Json]) -> float:
        """Twice as slow is news, a step more is not."""
        return sum(log2(1 + (row.get("worst") or 0)) for row in finished.get("extra", {}).get("sizes", ()))


PLUGIN = WorstPlugin()
