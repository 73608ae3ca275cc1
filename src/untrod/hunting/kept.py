"""The last hunt, as it is kept in the store: `untrod report` makes its page again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from untrod.core.errors import UntrodError
from untrod.core.shapes import Malformed, listed, parsed, record, row, text, texts
from untrod.output.summary import Section
from untrod.store import Store

KEY = "hunt-last"
TITLE = "untrod hunt"
_SHAPE = record({"campaigns": texts(), "sections": listed(row(text(), texts()))})
_DEEPEST = 10


@dataclass(frozen=True, slots=True)
class KeptHunt:
    campaigns: tuple[str, ...]
    sections: tuple[Section, ...]


def keep(store: Store, campaigns: Sequence[str], sections: Sequence[Section]) -> None:
    told = [[section.title, list(section.lines)] for section in sections]
    body = {"campaigns": list(campaigns), "sections": told}
    store.save_table(KEY, {"what": "hunt"}, json.dumps(body).encode())


def last_hunt(store: Store) -> KeptHunt | None:
    """The hunt, if nothing has been run since, and all of it is still there."""
    found = store.load_table(KEY)
    rows = store.campaigns()
    if found is None or not rows:
        return None
    try:
        body = parsed(found[1].decode(), _DEEPEST)
        _SHAPE(body, "hunt")
        campaigns = tuple(store.campaign(name).id for name in body["campaigns"])
    except (UntrodError, Malformed, ValueError):
        return None
    if rows[-1].id not in campaigns:
        return None
    return KeptHunt(campaigns, tuple(Section(title, tuple(lines)) for title, lines in body["sections"]))
