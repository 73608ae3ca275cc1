"""A page by its address."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from untrod.core.errors import UntrodError
from untrod.output.dashboard.campaign import campaign, compared
from untrod.output.dashboard.overview import Overview
from untrod.output.dashboard.page import Page
from untrod.store import Store

MOST_COMPARED = 12
MOST_KEPT = 16
LATEST_SECONDS = 4.0


class Pages:
    """Makes pages from a store that others write to. Several threads may ask.

    Browsers that look at the same page share it, until something is committed. That a campaign was killed is
    not in the store, so a page does not last long in any case.
    """

    def __init__(self, store: Store, project: Path) -> None:
        self._store = store
        self._project = project
        self._overview = Overview(store)
        self._made: OrderedDict[str, tuple[int, float, Page]] = OrderedDict()
        self._turn = threading.Lock()

    def at(self, address: str) -> Page:
        """`/`, `/?page=2`, `/campaign/ID` or `/compare?c=ID&c=ID`; UntrodError when nothing is there."""
        with self._turn:
            version, now = self._store.version, time.monotonic()
            known = self._made.pop(address, None)
            if known is None or known[0] != version or now - known[1] > LATEST_SECONDS:
                known = (version, now, self._make(address))
            self._made[address] = known
            while len(self._made) > MOST_KEPT:
                self._made.popitem(last=False)
            return known[2]

    def _make(self, address: str) -> Page:
        parts = urlsplit(address)
        asked = parse_qs(parts.query)
        if parts.path == "/":
            return self._overview.page(_number(asked.get("page", ["1"])[0]))
        if parts.path.startswith("/campaign/"):
            return campaign(self._store, parts.path.removeprefix("/campaign/"), self._project)
        if parts.path == "/compare":
            return self._compared(asked.get("c", []))
        raise UntrodError(f"there is no page {parts.path}", "go back to the campaigns")

    def _compared(self, names: list[str]) -> Page:
        if not 2 <= len(set(names)) <= MOST_COMPARED:
            raise UntrodError(f"{len(set(names))} campaigns are marked", f"mark 2 to {MOST_COMPARED} of them")
        return compared(self._store, names, self._project)


def _number(text: str) -> int:
    return max(1, int(text)) if text.isdecimal() and len(text) < 9 else 1
