"""Pages by their addresses, made from a store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from html_campaigns import ALL, EVIL, failure, inputs

from untrod.core.errors import UntrodError
from untrod.core.events import FindingFound
from untrod.output.dashboard import overview
from untrod.output.dashboard.pages import Pages
from untrod.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / ".untrod") as opened:
        yield opened


@pytest.fixture
def pages(store: Store) -> Iterator[Pages]:
    with Store.open(store.folder, read_only=True) as reading:
        yield Pages(reading, store.folder.parent)


def test_the_first_page_has_every_campaign_the_newest_first(store: Store, pages: Pages) -> None:
    names = [make(store) for make in ALL.values()]

    page = pages.at("/")

    rows = [name for name in page.parts if name.startswith("row-")]
    assert rows == [f"row-{each}" for each in reversed(names)]
    assert all(f'href="/campaign/{name}"' in page.main for name in names)
    assert "untrod replay" in page.parts["findings"]


def test_without_campaigns_it_says_how_to_start_one(store: Store, pages: Pages) -> None:
    assert "untrod hunt" in pages.at("/").main


def test_many_campaigns_go_on_several_pages(
    store: Store, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overview, "A_PAGE", 2)
    names = [inputs(store, text) for text in "abcde"]

    rows = [list(pages.at(f"/?page={number}").parts)[1:-1] for number in (1, 2, 3)]

    assert [len(each) for each in rows] == [2, 2, 1]
    assert {name for each in rows for name in each} == {f"row-{name}" for name in names}
    assert 'href="/?page=2"' in pages.at("/").main
    assert pages.at("/?page=nonsense").main == pages.at("/").main


def test_a_killed_campaign_does_not_count_as_running(store: Store, pages: Pages) -> None:
    name = inputs(store)
    row = store.create_campaign("inputs", "t", {}, 1, store.campaign(name).budget)

    assert "broken off" in pages.at("/").parts[f"row-{row.id}"]
    with store.lock(row.id):
        store.recorder(row.id)(FindingFound(failure(), 1, 0))  # the page is made again
        assert "running" in pages.at("/").parts[f"row-{row.id}"]
    assert "1 running" not in pages.at("/?again").parts["totals"]


def test_what_another_process_has_committed_is_on_the_next_page(store: Store, pages: Pages) -> None:
    name = inputs(store)
    before = pages.at("/")

    store.recorder(name)(FindingFound(failure("another one"), 9, 0))
    after = pages.at("/")

    assert before.parts[f"row-{name}"] != after.parts[f"row-{name}"]
    assert "another one" in after.parts["findings"]


@pytest.mark.parametrize("engine", ALL)
def test_a_campaign_has_the_parts_of_its_report(store: Store, pages: Pages, engine: str) -> None:
    name = ALL[engine](store, EVIL)

    page = pages.at(f"/campaign/{name}")

    assert list(page.parts) == ["tiles", "findings", "progress", "tests", "notes", "facts"]
    assert "<svg" in page.parts["progress"]
    assert "<script" not in page.main
    assert "\u202e" not in page.main


def test_marked_campaigns_are_compared(store: Store, pages: Pages) -> None:
    first, second = inputs(store), inputs(store, learner="random")

    page = pages.at(f"/compare?c={first}&c={second}")

    assert "learner random" in page.main
    assert f'href="/campaign/{first}#' in page.main


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/campaign/nope", "there is no campaign 'nope'"),
        ("/compare?c=only", "1 campaigns are marked"),
        ("/etc/passwd", "there is no page"),
        ("/campaign/../../etc", "there is no campaign"),
    ],
)
def test_what_is_not_there_is_named(store: Store, pages: Pages, address: str, words: str) -> None:
    inputs(store)
    with pytest.raises(UntrodError, match=words):
        pages.at(address)


def test_a_page_is_made_once_for_all_who_look_at_it(store: Store, pages: Pages) -> None:
    inputs(store)

    assert pages.at("/") is pages.at("/")
