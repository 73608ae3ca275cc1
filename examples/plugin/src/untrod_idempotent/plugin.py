"""What untrod knows of the engine."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import ClassVar

from untrod.output.deliver import Recipe
from untrod.output.html.panel import Panel
from untrod.output.html.story import Story
from untrod.plugins import EnginePlugin, Making, SourceFile, Task
from untrod.runtime.campaign import Engine

_WORDS = ("clean", "normal", "slug", "strip", "canonical")


class IdempotentPlugin(EnginePlugin):
    name = "idempotent"
    verbs: ClassVar[Mapping[str, str]] = {"idempotent": "untrod_idempotent.verb:idempotent"}
    hunted = ("idempotent",)
    turn_order = 60

    def make(self, making: Making) -> tuple[Engine, Recipe]:
        from untrod_idempotent.delivery import IdempotentRecipe
        from untrod_idempotent.engine import IdempotentConfig, IdempotentEngine

        config = IdempotentConfig.from_json(making.config)
        return IdempotentEngine(config, making.seed, making.project), IdempotentRecipe(config)

    def panel(self, story: Story) -> Panel:
        longest = story.extra.get("longest", 0)
        return Panel(f"{story.row.unique:,} different results, from texts of up to {longest} characters")

    def discover(self, source: SourceFile) -> Iterable[Task]:
        """A function of one text whose name says that it cleans."""
        for node in source.tree.body if source.is_module else ():
            if isinstance(node, ast.FunctionDef) and _cleans(node):
                lines = (node.lineno, node.end_lineno or node.lineno)
                yield Task(self.name, f"{source.name}:{node.name}", "it cleans a text", source.name, lines)


def _cleans(function: ast.FunctionDef) -> bool:
    return len(function.args.args) == 1 and any(word in function.name for word in _WORDS)


PLUGIN = IdempotentPlugin()
