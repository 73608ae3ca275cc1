"""One campaign within one transaction: rows get their numbers here, and the campaign its counts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.shapes import Malformed
from untrod.core.vocabulary import Finding
from untrod.store.acknowledged import Acknowledged
from untrod.store.campaigns import CampaignRow, Campaigns
from untrod.store.database import Database
from untrod.store.quarantine import Quarantine
from untrod.store.results import decode_finding, encode_finding, is_smaller
from untrod.store.sheets import FINDINGS, TESTS, Row, Sheet, seal


class Ledger:
    """What a transaction may do to a campaign; `campaign` is saved when the transaction ends."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        database: Database,
        quarantine: Quarantine,
        campaign: CampaignRow,
    ) -> None:
        self.connection = connection
        self.campaign = campaign
        self.rows = dict(campaign.rows)
        self._database = database
        self._quarantine = quarantine

    def add(self, sheet: Sheet, values: tuple[Any, ...]) -> bool:
        """Append a row; False when its key is already there."""
        number = self.rows.get(sheet.name, 0) + 1
        if not sheet.insert(self.connection, (self.campaign.id, number, *values)):
            return False
        self.rows[sheet.name] = number
        return True

    def offer_finding(self, finding: Finding, values: tuple[Any, ...]) -> bool:
        """Take `finding` if it is new, or shown by a smaller trace than the one known."""
        known = self._known(FINDINGS, values[0])
        if known is None:
            return self.add(FINDINGS, values)
        try:
            older = decode_finding(known).trace
        except Malformed as error:
            row = (*known, seal(FINDINGS.name, known))
            self._quarantine.row(
                self._database, FINDINGS.name, self.campaign.id, row, f"is unreadable: {error}"
            )
            return self.add(FINDINGS, values)
        if not is_smaller(finding.trace, older):
            return False
        FINDINGS.replace(self.connection, (*known[:2], *values))
        return True

    def replace_finding(self, finding: Finding) -> None:
        values = encode_finding(finding)
        known = self._known(FINDINGS, values[0])
        if known is None:
            raise UntrodError(
                f"campaign {self.campaign.id} has no finding {finding.id}", "list its findings to see which"
            )
        FINDINGS.replace(self.connection, (*known[:2], *values))

    def put_test(self, values: tuple[Any, ...]) -> None:
        known = self._known(TESTS, values[0])
        if known is None:
            self.add(TESTS, values)
        else:
            TESTS.replace(self.connection, (*known[:2], *values))

    def _known(self, sheet: Sheet, key: str) -> Row | None:
        return sheet.find(self._database, self._quarantine, self.campaign.id, key)


class Ledgers:
    """The ledger of each campaign, open for one transaction."""

    def __init__(
        self,
        database: Database,
        campaigns: Campaigns,
        quarantine: Quarantine,
        acknowledged: Acknowledged,
    ) -> None:
        self.path: Path = database.path
        self._database = database
        self._campaigns = campaigns
        self._quarantine = quarantine
        self._acknowledged = acknowledged

    @contextmanager
    def open(self, campaign: str) -> Iterator[Ledger]:
        """Committed as a whole when the block ends, undone as a whole when it raises."""
        with self._database.transaction() as connection:
            ledger = Ledger(connection, self._database, self._quarantine, self._campaigns.exact(campaign))
            yield ledger
            known = ledger.rows.get(FINDINGS.name, 0)
            row = ledger.campaign
            saved = self._campaigns.save(
                connection, replace(row, rows=ledger.rows, findings=max(row.findings, known))
            )
        self._acknowledged.note(campaign, saved.updated_at)

    def row(self, campaign: str) -> CampaignRow:
        return self._campaigns.exact(campaign)
