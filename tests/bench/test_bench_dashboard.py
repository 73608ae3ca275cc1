"""The store that `bench dashboard` opens holds what it is said to hold."""

from __future__ import annotations

from pathlib import Path

from bench.dashboard.full_store import FINDINGS, fill

from untrod.output.dashboard.pages import Pages
from untrod.store import Store


def test_a_full_store_has_as_many_events_as_asked_for_and_pages_for_them(tmp_path: Path) -> None:
    ids = fill(tmp_path / ".untrod", campaigns=10, events=2000)

    with Store.open(tmp_path / ".untrod", read_only=True) as store:
        [(events,)] = store.database.rows("SELECT count(*) FROM events")
        longest = max(store.campaigns(), key=lambda row: row.rows["events"])
        pages = Pages(store, tmp_path)
        assert 1980 <= events <= 2000
        assert f"{10 * FINDINGS} findings" in pages.at("/").title
        for name in ids:
            assert "<svg" in pages.at(f"/campaign/{name}").parts["progress"]

    assert longest.id == ids[0]
