"""A stored campaign becomes a running one again, whichever engine it is of."""

from __future__ import annotations

from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.protocols import Transfers
from untrod.core.vocabulary import Json
from untrod.output.deliver import Recipe
from untrod.plugins import ENGINES, Making
from untrod.runtime.campaign import Engine
from untrod.store import Store


def make_engine(
    name: str, config: Json, seed: int, project: Path, workers: int, store: Store
) -> tuple[Engine, Recipe]:
    """Raises UntrodError when there is no such engine or it cannot read its configuration."""
    if name not in ENGINES:
        raise UntrodError(
            f"this version of untrod has no engine {name!r}", "upgrade untrod, or install what adds it"
        )
    plugin = ENGINES.find(name)
    try:
        engine, recipe = plugin.make(Making(config, seed, project, workers, store.folder, store))
        if isinstance(engine, Transfers):
            engine.adopt(store)
        return engine, recipe
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise UntrodError(f"the campaign's settings cannot be read: {error}", "start a new one") from error
