"""`cover` of C programs, as the rest of untrod knows it: an engine of its own, behind the same verb."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from untrod.core.vocabulary import Json
from untrod.plugins import EnginePlugin, Making
from untrod.runtime.limits import PROCESSES

if TYPE_CHECKING:
    from untrod.output.deliver import Recipe
    from untrod.output.html.panel import Panel
    from untrod.output.html.story import Story
    from untrod.runtime.campaign import Engine

_FILES = ("source", "binary", "coverage_binary")


class NativePlugin(EnginePlugin):
    name = "native"
    makes_suite = True
    tryout_plugin = "untrod.engines.cover.native.trial"
    turn_order = 25

    def make(self, making: Making) -> tuple[Engine, Recipe]:
        from untrod.engines.cover.native.delivery import NativeRecipe
        from untrod.engines.cover.native.engine import NativeConfig, NativeEngine

        config = NativeConfig.from_json(making.config)
        engine = NativeEngine(config, making.seed, making.project)
        return engine, NativeRecipe(config, making.store / "corpus")

    def panel(self, story: Story) -> Panel:
        from untrod.engines.cover.panel import cover_panel

        return cover_panel(story)

    def permissions(self, target: str) -> frozenset[str]:
        return frozenset({PROCESSES})

    def places(self, config: Mapping[str, Json]) -> Iterable[str]:
        target = config.get("target")
        if not isinstance(target, dict):
            return []
        also = target.get("also")
        named = [target.get(name) for name in _FILES] + (also if isinstance(also, list) else [])
        return [str(path) for path in named if path]


PLUGIN = NativePlugin()
