"""`inputs`, as the rest of untrod knows it: generators here, Hypothesis tests in `backend.plugin`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from untrod.plugins import EnginePlugin, Making

if TYPE_CHECKING:
    from untrod.output.deliver import Recipe
    from untrod.output.html.panel import Panel
    from untrod.output.html.story import Story
    from untrod.runtime.campaign import Engine


class InputsPlugin(EnginePlugin):
    name = "inputs"
    verbs: ClassVar[Mapping[str, str]] = {"inputs": "untrod.engines.inputs.verb:inputs"}
    shows_samples = True
    listed_at = 10
    turn_order = 10

    def make(self, making: Making) -> tuple[Engine, Recipe]:
        from untrod.engines.inputs.delivery import InputsRecipe
        from untrod.engines.inputs.engine import InputsConfig, InputsEngine

        config = InputsConfig.from_json(making.config)
        engine = InputsEngine(config, making.seed, making.project, making.workers)
        return engine, InputsRecipe(config)

    def panel(self, story: Story) -> Panel:
        from untrod.engines.inputs.panel import inputs_panel

        return inputs_panel(story)


PLUGIN = InputsPlugin()
