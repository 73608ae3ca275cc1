"""What is told to a browser that waits."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from html_campaigns import failure, inputs

from untrod.core.errors import UntrodError
from untrod.core.events import FindingFound
from untrod.output.dashboard.live import StoreChanges, stream
from untrod.output.dashboard.page import Page
from untrod.output.dashboard.pages import Pages
from untrod.store import Store


def test_the_page_as_it_is_by_now_and_then_each_change(tmp_path: Path) -> None:
    async def told() -> list[dict]:
        with Store.open(tmp_path / "s") as store, Store.open(tmp_path / "s", read_only=True) as reading:
            name = inputs(store)
            pages = Pages(reading, tmp_path)
            address = f"/campaign/{name}"
            old = pages.at(address).digest
            store.recorder(name)(FindingFound(failure("second"), 9, 0))
            heard = messages(stream(StoreChanges(reading, lambda: False), lambda: pages.at(address), old))
            first = await anext(heard)
            store.recorder(name)(FindingFound(failure("third"), 9, 0))
            return [first, await anext(heard)]

    first, second = asyncio.run(told())

    assert "second" in first["main"]
    assert set(second["parts"]) == {"tiles", "findings", "progress"}
    assert "third" in second["parts"]["findings"]


def test_it_ends_with_the_dashboard(tmp_path: Path) -> None:
    async def told() -> list[str]:
        with Store.open(tmp_path / "s") as store:
            page = Page("t", "", {})  # type: ignore[arg-type]
            return [each async for each in stream(StoreChanges(store, lambda: True), lambda: page, "")]

    assert asyncio.run(told()) == ["retry: 1000\n\n"]


def test_what_goes_wrong_is_told_in_one_line(tmp_path: Path) -> None:
    def fail() -> Page:
        raise UntrodError("the store is damaged", "look at it")

    async def told() -> list[dict]:
        with Store.open(tmp_path / "s") as store:
            return [each async for each in messages(stream(StoreChanges(store, lambda: False), fail, ""))]

    assert asyncio.run(told()) == [{"trouble": "the store is damaged (look at it)"}]


async def messages(stream):
    async for text in stream:
        if text.startswith("data: "):
            yield json.loads(text.removeprefix("data: "))
