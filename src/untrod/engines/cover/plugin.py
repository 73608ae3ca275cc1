"""`cover`, as the rest of untrod knows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from untrod.core.vocabulary import Json
from untrod.plugins import EnginePlugin, Making, SourceFile, Task

if TYPE_CHECKING:
    from untrod.output.deliver import Recipe
    from untrod.output.html.panel import Panel
    from untrod.output.html.story import Story
    from untrod.runtime.campaign import Engine


class CoverPlugin(EnginePlugin):
    name = "cover"
    verbs: ClassVar[Mapping[str, str]] = {"cover": "untrod.engines.cover.verb:cover"}
    makes_suite = True
    counts_coverage = True
    listed_at = 30
    turn_order = 20
    hunted = ("cover",)

    def make(self, making: Making) -> tuple[Engine, Recipe]:
        from untrod.engines.cover.delivery import CoverRecipe
        from untrod.engines.cover.engine import CoverConfig, CoverEngine

        config = CoverConfig.from_json(making.config)
        return CoverEngine(config, making.seed, making.project), CoverRecipe(config)

    def panel(self, story: Story) -> Panel:
        from untrod.engines.cover.panel import cover_panel

        return cover_panel(story)

    def discover(self, source: SourceFile) -> Iterable[Task]:
        from untrod.engines.cover.discovery import tasks_in

        return tasks_in(source)

    def shown(self, finished: Mapping[str, Json]) -> float:
        return float(finished.get("extra", {}).get("covered", 0))

    def left(self, finished: Mapping[str, Json]) -> float | None:
        extra = finished.get("extra", {})
        return float(extra["branches"] - extra["covered"]) if "branches" in extra else None


PLUGIN = CoverPlugin()
