"""What a browser is told when a page has changed."""

from __future__ import annotations

from untrod.output.dashboard.page import Page, main, news, part


def page(title: str = "t", **parts: str) -> Page:
    live = {name: part("p", name, text) for name, text in parts.items()}
    return Page(title, main(live.values()), live)


def test_nothing_when_nothing_has_changed() -> None:
    assert news(page(a="1", b="2"), page(a="1", b="2")) is None


def test_only_the_parts_that_differ() -> None:
    told = news(page(a="1", b="2"), page(a="1", b="3"))

    assert told == {"title": "t", "parts": {"b": '<p data-part="b">3</p>'}}


def test_everything_when_parts_have_come_or_gone() -> None:
    after = page(a="1", b="2", c="3")

    assert news(page(a="1", b="2"), after) == {"title": "t", "main": after.main}


def test_the_title_alone_is_news() -> None:
    assert news(page("before", a="1"), page("after", a="1")) == {"title": "after", "parts": {}}
