"""The campaigns of a project: one row each, found again by id or by the start of it."""

from __future__ import annotations

import json
import math
import re
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from untrod.core.budget import Budget
from untrod.core.catalogue import nearest
from untrod.core.errors import UntrodError
from untrod.core.shapes import Malformed
from untrod.core.vocabulary import Json
from untrod.store.database import Database
from untrod.store.quarantine import Quarantine
from untrod.store.row_shapes import (
    CAMPAIGN,
    FINISHED,
    INTERRUPTED,
    RUNNING,
    SETTINGS_DEEPEST,
    is_campaign_id,
    json_of,
)
from untrod.store.sheets import Row, Sheet, is_intact, seal

__all__ = ["FINISHED", "INTERRUPTED", "RUNNING", "CampaignRow", "Campaigns"]

_ANOTHER = "another version of untrod, or somebody else, has written it"


@dataclass(frozen=True, slots=True)
class CampaignRow:
    """A campaign as of its last commit.

    `status` is what the campaign last said: one that was killed still says running; `Store.holder` knows
    whether a process is at it. `rows` counts what was ever committed per table.
    """

    id: str
    engine: str
    target: str
    config: dict[str, Json]
    seed: int
    budget: Budget
    status: str
    reason: str
    created_at: float
    updated_at: float
    episodes: int = 0
    valid: int = 0
    unique: int = 0
    findings: int = 0
    wall: float = 0.0
    cpu: float = 0.0
    extra: dict[str, Json] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)


class Campaigns:
    """Reads and writes the `campaigns` table; the other tables refer to its ids."""

    def __init__(self, database: Database, quarantine: Quarantine) -> None:
        self._database = database
        self._quarantine = quarantine

    def create(
        self, engine: str, target: str, config: dict[str, Json], seed: int, budget: Budget
    ) -> CampaignRow:
        now = time.time()
        with self._database.transaction() as connection:
            row = CampaignRow(
                self._free_id(connection, engine), engine, target, config, seed, budget, RUNNING, "", now, now
            )
            connection.execute(_INSERT, _sealed(row))
        return row

    def all(self) -> list[CampaignRow]:
        """Oldest first; a damaged one is named and left out."""
        return list(self._whole(self._database.rows(f"{_SELECT} ORDER BY created_at, id")))

    def changed(self, known: Mapping[str, float]) -> list[CampaignRow]:
        """The campaigns whose `updated_at` is not that in `known`: rows are large, so others are not read."""
        times = self._database.rows("SELECT id, updated_at FROM campaigns")
        others = [name for name, at in times if is_campaign_id(name) and known.get(name) != at]
        return [row for name in others for row in self._whole(self._database.rows(_SELECT_ONE, name))]

    def exact(self, campaign: str) -> CampaignRow:
        """Raises UntrodError when there is no such campaign or its row is damaged."""
        known = self._database.rows(_SELECT_ONE, campaign) if is_campaign_id(campaign) else []
        for values in known:
            if not is_intact("campaigns", values):
                raise UntrodError(
                    f"the record of campaign {campaign} is damaged",
                    "its findings can still be listed by its id",
                )
            try:
                return _decode(values)
            except Malformed as error:
                raise UntrodError(f"campaign {campaign} cannot be read: {error}", _ANOTHER) from error
        raise self._unknown(campaign, [row.id for row in self.all()])

    def expected(self, campaign: str, sheet: Sheet) -> int | None:
        """How many rows `sheet` should hold, or None (and a notice) when that is lost."""
        try:
            return self.exact(campaign).rows.get(sheet.name, 0)
        except UntrodError as error:
            if campaign not in self._ids():
                raise
            self._quarantine.name(f"{error.message}: whether its {sheet.name} are complete is unknown")
            return None

    def lookup(self, start: str) -> CampaignRow:
        """The campaign whose id is `start` or, being the only one, begins with it."""
        ids = self._ids()
        matching = [start] if start in ids else [name for name in ids if start and name.startswith(start)]
        if len(matching) > 1:
            raise UntrodError(
                f"{len(matching)} campaigns begin with {start!r}",
                f"say which: {', '.join(sorted(matching)[:8])}",
            )
        if not matching:
            raise self._unknown(start, ids)
        return self.exact(matching[0])

    def save(self, connection: sqlite3.Connection, row: CampaignRow) -> CampaignRow:
        """Write `row`; the row as it was written. `updated_at` always grows, whatever the clock says."""
        saved = replace(row, updated_at=max(time.time(), math.nextafter(row.updated_at, math.inf)))
        values = _sealed(saved)
        connection.execute(_UPDATE, (*values[1:], values[0]))
        return saved

    def _whole(self, rows: Iterable[Row]) -> Iterator[CampaignRow]:
        for values in rows:
            if not is_intact("campaigns", values):
                self._quarantine.name(f"campaign {_plain(values[0])} does not match its checksum: skipped")
                continue
            try:
                yield _decode(values)
            except Malformed as error:
                self._quarantine.name(f"campaign {_plain(values[0])} cannot be read: {error}: skipped")

    def _ids(self) -> list[str]:
        ids = [values[0] for values in self._database.rows("SELECT id FROM campaigns")]
        return [name for name in ids if is_campaign_id(name)]

    def _free_id(self, connection: sqlite3.Connection, engine: str) -> str:
        stem = re.sub(r"[^a-z0-9]+", "-", engine.lower()).strip("-") or "campaign"
        for attempt in range(1000):
            candidate = f"{stem}-{secrets.token_hex(2 + attempt // 20)}"
            if not connection.execute("SELECT 1 FROM campaigns WHERE id = ?", (candidate,)).fetchone():
                return candidate
        raise RuntimeError("the random source repeats itself")

    def _unknown(self, wanted: str, ids: list[str]) -> UntrodError:
        if not ids:
            return UntrodError(f"there is no campaign {wanted!r}, nor any other", "run a campaign first")
        others = f"the nearest: {', '.join(sorted(ids)[-3:])}"
        return UntrodError(f"there is no campaign {wanted!r}", nearest(wanted, ids, others, most=3))


_COLUMNS = tuple(column.name for column in fields(CampaignRow))
_QUOTED = tuple(f'"{name}"' for name in (*_COLUMNS, "checksum"))
_NAMES = ", ".join(_QUOTED)
_SELECT = f"SELECT {_NAMES} FROM campaigns"
_SELECT_ONE = f"{_SELECT} WHERE id = ?"
_INSERT = f"INSERT INTO campaigns ({_NAMES}) VALUES ({', '.join('?' * len(_QUOTED))})"
# The id is not set again: SQLite would search every table for rows that refer to it.
_UPDATE = f"UPDATE campaigns SET {', '.join(f'{name} = ?' for name in _QUOTED[1:])} WHERE id = ?"
_AS_JSON = frozenset({"target", "config", "budget", "reason", "extra", "rows"})
_AS_FLOAT = frozenset({"created_at", "updated_at", "wall", "cpu"})


def _sealed(row: CampaignRow) -> Row:
    values = tuple(_encode(name, getattr(row, name)) for name in _COLUMNS)
    return (*values, seal("campaigns", values))


def _encode(name: str, value: Any) -> Any:
    if isinstance(value, Budget):
        return json.dumps(value.to_json())
    if name in _AS_JSON:
        return json.dumps(value)
    if name == "seed":
        return str(value)  # a seed may be larger than SQLite's integers
    return float(value) if name in _AS_FLOAT else value


def _decode(values: Row) -> CampaignRow:
    """Raises Malformed: whoever can write a row can give it a checksum."""
    decoded = {
        name: json_of(value, deepest=SETTINGS_DEEPEST) if name in _AS_JSON else value
        for name, value in zip(_COLUMNS, values, strict=False)
    }
    CAMPAIGN(decoded, "it")
    return CampaignRow(**decoded | {"seed": int(decoded["seed"]), "budget": Budget(**decoded["budget"])})


def _plain(value: Any) -> str:
    return value if isinstance(value, str) and value.isascii() else ascii(value)
