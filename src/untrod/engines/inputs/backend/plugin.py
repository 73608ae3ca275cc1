"""`inputs` on Hypothesis tests, as the rest of untrod knows it: another engine behind the same verb."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from untrod.core.vocabulary import Json
from untrod.plugins import EnginePlugin, Making, SourceFile, Task

if TYPE_CHECKING:
    from untrod.output.deliver import Recipe
    from untrod.output.html.panel import Panel
    from untrod.output.html.story import Story
    from untrod.runtime.campaign import Engine


class HypothesisPlugin(EnginePlugin):
    name = "hypothesis"
    shows_samples = True
    turn_order = 10
    hunted = ("inputs",)

    def make(self, making: Making) -> tuple[Engine, Recipe]:
        from untrod.engines.inputs.backend.delivery import HypothesisRecipe
        from untrod.engines.inputs.backend.engine import HypothesisConfig, HypothesisEngine

        config = HypothesisConfig.from_json(making.config)
        engine = HypothesisEngine(config, making.seed, making.project, making.workers)
        return engine, HypothesisRecipe(config, making.project)

    def panel(self, story: Story) -> Panel:
        from untrod.engines.inputs.panel import inputs_panel

        return inputs_panel(story)

    def places(self, config: Mapping[str, Json]) -> Iterable[str]:
        paths = config.get("paths")
        tests = [str(path).partition("::")[0] for path in paths] if isinstance(paths, list) else []
        return [*tests, *([str(config["observe"])] if config.get("observe") else [])]

    def discover(self, source: SourceFile) -> Iterable[Task]:
        """Files with Hypothesis tests: functions under `@given(...)`, and state machines."""
        from untrod.source.syntax import Function, last_name

        def is_test(node: ast.AST) -> bool:
            if isinstance(node, Function):
                return any(last_name(decorator) == "given" for decorator in node.decorator_list)
            return isinstance(node, ast.ClassDef) and any(
                last_name(base) == "RuleBasedStateMachine" for base in node.bases
            )

        if source.is_test and (count := sum(map(is_test, ast.walk(source.tree)))):
            yield Task("inputs", source.name, f"{count} Hypothesis test{'s' * (count > 1)}", source.name)


PLUGIN = HypothesisPlugin()
