"""`explore`, as the rest of untrod knows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json
from untrod.plugins import EnginePlugin, Making, Task

if TYPE_CHECKING:
    from untrod.output.deliver import Recipe
    from untrod.output.html.panel import Panel
    from untrod.output.html.story import Story
    from untrod.runtime.campaign import Engine


class ExplorePlugin(EnginePlugin):
    name = "explore"
    verbs: ClassVar[Mapping[str, str]] = {
        "explore": "untrod.engines.explore.verb:explore",
        "train": "untrod.engines.explore.verbs.train:train",
    }
    listed_at = 50
    turn_order = 30
    hunted = ("explore",)
    in_workers = False  # it has limits of its own, and drives the application from here

    def make(self, making: Making) -> tuple[Engine, Recipe]:
        from untrod.drivers.known import table_key
        from untrod.engines.explore.delivery import ExploreRecipe
        from untrod.engines.explore.engine import ENGINE_OF, TRAIN, ExploreConfig

        if making.config.get("kind") == TRAIN:
            command = str(making.config.get("command", "untrod train"))
            raise UntrodError("a course goes on by the command that it was begun with", f"run: {command}")
        config = ExploreConfig.from_json(making.config)

        def known() -> Json:
            return making.tables.table(table_key(config.driver, config.target))

        engine = ENGINE_OF[config.kind](config, making.seed, making.project)
        return engine, ExploreRecipe(config, making.store, known)

    def panel(self, story: Story) -> Panel:
        from untrod.engines.explore.panel import explore_panel

        return explore_panel(story)

    def permissions(self, target: str) -> frozenset[str]:
        """A browser and the way to its application."""
        from untrod.drivers.catalogue import needs

        try:
            return needs("web", [target]) if "://" in target else frozenset()
        except UntrodError:
            return frozenset()

    def places(self, config: Mapping[str, Json]) -> Iterable[str]:
        named = [config.get("setup"), config.get("weights")]
        if config.get("driver") == "model" or config.get("kind") == "app-graph":
            named.append(config.get("target"))
        return [str(path) for path in named if path]

    def discover_app(self, url: str) -> Iterable[Task]:
        return [Task(self.name, url, "screens, for gui to start from")]


PLUGIN = ExplorePlugin()
