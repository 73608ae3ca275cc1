"""What campaigns hand on about an application: a table in the store, whichever engine has explored it.

Its `graph` are the screens that were seen, as `graph_writer` writes them; `lessons` is what an `explorer` has
learned there, by specification.
"""

from __future__ import annotations

import json

from untrod.core.protocols import Table
from untrod.core.vocabulary import Json, digest


def table_key(driver: str, target: str) -> str:
    """Under which the store keeps it."""
    return f"gui-{digest(f'{driver} {target}')}"


def known_table(
    engine: str, driver: str, target: str, graph: Json, lessons: Json = None, explorer: str = ""
) -> Table:
    body = {"graph": graph, "lessons": lessons or {}, "explorer": explorer}
    manifest: dict[str, Json] = {"engine": engine, "target": target, "driver": driver}
    return Table(table_key(driver, target), manifest, json.dumps(body).encode())
