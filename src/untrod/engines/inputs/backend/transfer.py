"""Warm starts: what one run has learned, for the next one.

    tables = transfer(provider)                # after a run: JSON, for the store
    with configure(tables=tables): test()      # before the next

Tables are keyed by the names of strategies (see `spans`), which are the same in every process. A test whose
strategies have changed meets sites that it does not know and learns them anew; nothing has to be thrown away.

A campaign transfers through its engine. Without one, by `UNTROD_WARM=1 pytest`, tables are kept in the
project's store, where a campaign would keep them: in `.untrod` in pytest's root folder, or in what
`UNTROD_STORE` names. Hypothesis does not tell a provider when its test is over. So tables are written when
the next test begins, and those of the last one when the process ends. None of this may fail a test: a
failure is a warning.
"""

from __future__ import annotations

import atexit
import json
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from untrod.core.errors import UntrodError
from untrod.core.protocols import Sleeps
from untrod.core.vocabulary import Json, digest

if TYPE_CHECKING:
    from untrod.engines.inputs.backend.provider import UntrodProvider
    from untrod.learn.exonerate.learner import Exonerate

ENGINE = "hypothesis"
FORMAT = 1

_pending: list[tuple[Path, str, UntrodProvider]] = []


def transfer(provider: UntrodProvider) -> Json:
    """The tables of its learner; None when nothing was rejected, or its learner keeps none."""
    from untrod.learn.exonerate.learner import exonerate_of

    exonerate = exonerate_of(provider.learner)
    if exonerate is None or not exonerate.cells:
        return None
    return {"format": FORMAT, "structure": structure(exonerate), "exonerate": exonerate.transfer()}


def adopt(learner: Any, tables: Json) -> None:
    """Let `learner` start from `tables`, if it is one that can.

    Raises UntrodError, and changes nothing, when they are not from this version.
    """
    from untrod.learn.exonerate.learner import exonerate_of

    exonerate = exonerate_of(learner)
    if exonerate is None:
        return
    try:
        if tables["format"] != FORMAT:
            raise ValueError("another format")
        exonerate.adopt(tables["exonerate"])
    except (KeyError, TypeError, ValueError) as error:
        raise UntrodError(f"these learned tables cannot be read: {error}", "start without them") from error
    if isinstance(learner, Sleeps):
        learner.wake()


def structure(exonerate: Exonerate) -> str:
    """A digest of the sites of a test's choices, for the manifest of its tables."""
    sites = {str(feature[1]) for feature in exonerate.cells if isinstance(feature, tuple) and feature[0] == 0}
    return digest("\n".join(sorted(sites)))


def table_key(test: str) -> str:
    """Under which the store keeps the table of a test, given by its node id."""
    return f"{ENGINE}-{digest(test)}"


def adopt_stored(test: str, provider: UntrodProvider) -> bool:
    """Let `provider` start from what earlier runs of `test` have learned, and store later what it learns.

    True when there was something to start from.
    """
    flush()
    folder = _folder()
    _pending.append((folder, test, provider))
    try:
        tables = _stored(folder, test)
        if tables is not None:
            adopt(provider.learner, tables)
        return tables is not None
    except (UntrodError, OSError, ValueError) as error:
        _warn(error)
        return False


@atexit.register
def flush() -> None:
    """Write what the last test has learned."""
    from untrod.store import Store

    while _pending:
        folder, test, provider = _pending.pop()
        try:
            tables = transfer(provider)
            if tables is None:
                continue
            manifest: dict[str, Json] = {"engine": ENGINE, "learner": provider.config.learner, "test": test}
            manifest["structure"] = tables["structure"]
            with Store.open(folder) as store:
                store.save_table(table_key(test), manifest, json.dumps(tables).encode())
                for notice in store.notices:
                    _warn(notice)
        except (UntrodError, OSError, ValueError) as error:
            _warn(error)


def _stored(folder: Path, test: str) -> Json:
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


def _warn(what: object) -> None:
    warnings.warn(f"UNTROD_WARM: {what}", stacklevel=2)
