"""A written page, as its reader finds it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from untrod.output.html import write_html
from untrod.store import Store


class Page(HTMLParser):
    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return "\n".join(self.words)

    @property
    def captions(self) -> list[str]:
        """Titles of charts and of sections."""
        return re.findall(r"<(?:figcaption|h3)>([^<]*)<", self.source)

    def all(self, name: str) -> list[str]:
        """Every value of an attribute."""
        return [value for _, attributes in self.tags if (value := attributes.get(name)) is not None]


def page(store: Store, *campaigns: str, title: str = "a report", **rest) -> Page:
    path = store.folder.parent / "report.html"
    write_html(store, campaigns, path, title, project=store.folder.parent, **rest)
    return Page(path.read_text(encoding="utf-8"))
