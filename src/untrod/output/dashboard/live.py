"""Tells a browser what has changed, as server-sent events."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json
from untrod.output.dashboard.page import Page, news
from untrod.store import Store

LOOK_SECONDS = 0.2
"""How often the store is asked whether anything was committed: one number, in microseconds."""
SLOWEST_SECONDS = 0.8
LATEST_SECONDS = 5.0
"""A page is made again after so long in any case: that a campaign was killed is not in the store."""
REST = 3.0
"""Making pages takes at most a quarter of the time, so that the campaigns keep the machine."""


class StoreChanges:
    """One for all browsers: how often the store has changed since the start."""

    def __init__(self, store: Store, is_ending: Callable[[], bool]) -> None:
        self._store = store
        self._is_ending = is_ending
        self._version = store.version

    @property
    def is_ending(self) -> bool:
        return self._is_ending()

    async def next(self, seen: int) -> int:
        """The version after `seen`, or `seen` again when it is time to look anyway or to end."""
        deadline = time.monotonic() + LATEST_SECONDS
        while not self.is_ending and time.monotonic() < deadline:
            if (version := self._store.version) != seen:
                return version
            await asyncio.sleep(LOOK_SECONDS)
        return seen


async def stream(changes: StoreChanges, make: Callable[[], Page], seen: str) -> AsyncIterator[str]:
    """Server-sent events that keep a page up to date, until the dashboard ends.

    `seen` is the digest of the page that the browser has.
    """
    before, version = None, -1
    yield "retry: 1000\n\n"
    while not changes.is_ending:
        try:
            version = await changes.next(version)
            started = time.monotonic()
            page = await asyncio.to_thread(make)
        except UntrodError as error:
            yield _message({"trouble": str(error)})
            return
        yield _message(_changes(before, page, seen)) or ": still here\n\n"
        before = page
        await asyncio.sleep(min(SLOWEST_SECONDS, REST * (time.monotonic() - started)))


def _changes(before: Page | None, page: Page, seen: str) -> dict[str, Json] | None:
    if before is not None:
        return news(before, page)
    return {"title": page.title, "main": page.main} if page.digest != seen else None


def _message(body: dict[str, Json] | None) -> str:
    """One line of JSON: a line break inside would end the message."""
    return f"data: {json.dumps(body)}\n\n" if body else ""
