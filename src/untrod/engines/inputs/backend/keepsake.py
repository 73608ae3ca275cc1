"""Warm starts without a campaign: `UNTROD_WARM=1 pytest`.

What a test has taught the learner is kept in the project's store, in the table that `untrod inputs` keeps
too, and the next run starts from it. The store is `.untrod` in pytest's root folder, or what `UNTROD_STORE`
names.

Hypothesis does not tell a provider when its test is over. So tables are written when the next test begins,
and those of the last one when the process ends. None of this may fail a test: what goes wrong is a warning.
"""

from __future__ import annotations

import atexit
import json
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json, digest

if TYPE_CHECKING:
    from untrod.engines.inputs.backend.provider import UntrodProvider

ENGINE = "hypothesis"

_pending: list[tuple[Path, str, UntrodProvider]] = []


def table_key(test: str) -> str:
    """Under which the store keeps the table of a test, given by its node id."""
    return f"{ENGINE}-{digest(test)}"


def warm_up(test: str, provider: UntrodProvider) -> bool:
    """Let `provider` go on from what earlier runs of `test` have learned, and keep what it learns.

    True when there was something to go on from.
    """
    from untrod.engines.inputs.backend.warm import load_tables

    flush()
    folder = _folder()
    _pending.append((folder, test, provider))
    try:
        tables = _recall(folder, test)
        if tables is not None:
            load_tables(provider.learner, tables)
        return tables is not None
    except (UntrodError, OSError, ValueError) as error:
        _complain(error)
        return False


@atexit.register
def flush() -> None:
    """Write what the last test has learned."""
    from untrod.engines.inputs.backend.warm import export_tables
    from untrod.store import Store

    while _pending:
        folder, test, provider = _pending.pop()
        try:
            tables = export_tables(provider)
            if tables is None:
                continue
            manifest: dict[str, Json] = {"engine": ENGINE, "learner": provider.config.learner, "test": test}
            manifest["structure"] = tables["structure"]
            with Store.open(folder) as store:
                store.save_table(table_key(test), manifest, json.dumps(tables).encode())
                for notice in store.notices:
                    _complain(notice)
        except (UntrodError, OSError, ValueError) as error:
            _complain(error)


def _recall(folder: Path, test: str) -> Json:
    from untrod.store import Store

    if not folder.is_dir():
        return None
    with Store.open(folder, create=False, read_only=True) as store:
        return store.table(table_key(test))


def _folder() -> Path:
    from hypothesis.internal.escalation import current_pytest_item

    item = current_pytest_item.value
    root = Path.cwd() if item is None else Path(item.config.rootpath)
    return root / (os.environ.get("UNTROD_STORE") or ".untrod")


def _complain(what: object) -> None:
    warnings.warn(f"UNTROD_WARM: {what}", stacklevel=2)
