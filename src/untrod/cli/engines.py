"""The engines by name: how a stored campaign becomes a running one again, and its results become tests."""

from __future__ import annotations

from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json
from untrod.output.deliver import Recipe
from untrod.runtime.campaign import Engine


def make_engine(name: str, config: Json, seed: int, project: Path, workers: int) -> tuple[Engine, Recipe]:
    """Raises UntrodError when this version knows no such engine or cannot read its configuration."""
    if name == "inputs":
        from untrod.engines.inputs.engine import InputsConfig, InputsEngine
        from untrod.output.inputs_cases import InputsRecipe

        try:
            parsed = InputsConfig.from_json(config)
        except (KeyError, TypeError) as error:
            raise UntrodError(
                f"the campaign's configuration is incomplete: {error}", "start a new one"
            ) from error
        return InputsEngine(parsed, seed, project, workers), InputsRecipe(parsed)
    raise UntrodError(f"this version of untrod has no engine {name!r}", "upgrade untrod")
