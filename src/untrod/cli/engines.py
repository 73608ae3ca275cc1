"""The engines by name: how a stored campaign becomes a running one again, and its results become tests."""

from __future__ import annotations

from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json
from untrod.output.deliver import Recipe
from untrod.runtime.campaign import Engine
from untrod.store import Store


def make_engine(
    name: str, config: Json, seed: int, project: Path, workers: int, store: Store
) -> tuple[Engine, Recipe]:
    """Raises UntrodError when this version knows no such engine or cannot read its configuration."""
    try:
        if name == "inputs":
            return _inputs(config, seed, project, workers)
        if name == "hypothesis":
            return _hypothesis(config, seed, project, workers, store)
        if name == "worst":
            return _worst(config, seed, project, store)
        if name == "gui":
            return _gui(config, seed, project, store)
        if name == "cover":
            return _cover(config, seed, project, store)
        if name == "native":
            return _native(config, seed, project, store)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise UntrodError(f"the campaign's settings cannot be read: {error}", "start a new one") from error
    raise UntrodError(f"this version of untrod has no engine {name!r}", "upgrade untrod")


def _inputs(config: Json, seed: int, project: Path, workers: int) -> tuple[Engine, Recipe]:
    from untrod.engines.inputs.engine import InputsConfig, InputsEngine
    from untrod.output.inputs_cases import InputsRecipe

    parsed = InputsConfig.from_json(config)
    return InputsEngine(parsed, seed, project, workers), InputsRecipe(parsed)


def _worst(config: Json, seed: int, project: Path, store: Store) -> tuple[Engine, Recipe]:
    from untrod.engines.worst.engine import WorstConfig, WorstEngine
    from untrod.output.worst_cases import WorstRecipe

    parsed = WorstConfig.from_json(config)
    learned = None if parsed.cold else store.load_lesson(parsed.table)
    return WorstEngine(parsed, seed, project, learned), WorstRecipe(parsed)


def _cover(config: Json, seed: int, project: Path, store: Store) -> tuple[Engine, Recipe]:
    from untrod.engines.cover.engine import CoverConfig, CoverEngine
    from untrod.output.cover_cases import CoverRecipe

    parsed = CoverConfig.from_json(config)
    lesson = store.load_lesson(parsed.table_key)
    return CoverEngine(parsed, seed, project, lesson), CoverRecipe(parsed)


def _native(config: Json, seed: int, project: Path, store: Store) -> tuple[Engine, Recipe]:
    from untrod.engines.cover.native.engine import NativeConfig, NativeEngine
    from untrod.output.native_cases import NativeRecipe

    parsed = NativeConfig.from_json(config)
    lesson = store.load_lesson(parsed.table_key)
    return NativeEngine(parsed, seed, project, lesson), NativeRecipe(parsed, store.folder / "corpus")


def _gui(config: Json, seed: int, project: Path, store: Store) -> tuple[Engine, Recipe]:
    from untrod.engines.gui.engine import GuiConfig, GuiEngine, table_key
    from untrod.output.gui_cases import GuiRecipe

    parsed = GuiConfig.from_json(config)

    def known() -> Json:
        return store.load_lesson(table_key(parsed))

    return GuiEngine(parsed, seed, project, known()), GuiRecipe(parsed, store.folder / "screens", known)


def _hypothesis(config: Json, seed: int, project: Path, workers: int, store: Store) -> tuple[Engine, Recipe]:
    from untrod.engines.inputs.backend.engine import HypothesisConfig, HypothesisEngine
    from untrod.engines.inputs.backend.keepsake import table_key
    from untrod.output.hypothesis_cases import HypothesisRecipe

    parsed = HypothesisConfig.from_json(config)
    tables: dict[str, Json] = {}
    for manifest in store.tables():
        if manifest.get("engine") == HypothesisEngine.name and "test" in manifest:
            found = store.load_lesson(table_key(manifest["test"]))
            if found is not None:
                tables[manifest["test"]] = found
    return HypothesisEngine(parsed, seed, project, workers, tables), HypothesisRecipe(parsed, project)
