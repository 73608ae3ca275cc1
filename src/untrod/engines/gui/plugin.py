"""`gui`, as the rest of untrod knows it."""

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


class GuiPlugin(EnginePlugin):
    name = "gui"
    verbs: ClassVar[Mapping[str, str]] = {"gui": "untrod.engines.gui.verb:gui"}
    listed_at = 40
    turn_order = 40
    hunted = ("gui",)
    in_workers = False  # it has limits of its own, and drives the application from here

    def make(self, making: Making) -> tuple[Engine, Recipe]:
        from untrod.drivers.known import table_key
        from untrod.engines.gui.delivery import GuiRecipe
        from untrod.engines.gui.engine import GuiConfig, GuiEngine

        config = GuiConfig.from_json(making.config)

        def known() -> Json:
            return making.tables.table(table_key(config.driver, config.target))

        recipe = GuiRecipe(config, making.store / "screens", known)
        return GuiEngine(config, making.seed, making.project), recipe

    def panel(self, story: Story) -> Panel:
        from untrod.engines.gui.panel import gui_panel

        return gui_panel(story)

    def permissions(self, target: str) -> frozenset[str]:
        """A browser and the way to its application."""
        from untrod.drivers.catalogue import needs

        try:
            return needs("web" if "://" in target else "android", [target])
        except UntrodError:
            return frozenset()

    def places(self, config: Mapping[str, Json]) -> Iterable[str]:
        named = [config.get("setup"), config.get("apk")]
        if config.get("driver") == "model":
            named.append(config.get("target"))
        return [str(path) for path in named if path]

    def discover_app(self, url: str) -> Iterable[Task]:
        return [Task(self.name, url, "a web app")]


PLUGIN = GuiPlugin()
