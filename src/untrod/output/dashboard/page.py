"""A page that can change while somebody looks at it, part by part."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from untrod.core.vocabulary import Json
from untrod.output.html.markup import Child, Html, tag


@dataclass(frozen=True)
class Page:
    """`main` is the whole; `parts` are the elements of it that may change, by their `data-part`."""

    title: str
    main: Html
    parts: Mapping[str, Html]

    @cached_property
    def digest(self) -> str:
        """Tells a browser's page from what it would be by now."""
        return hashlib.blake2b(f"{self.title}\n{self.main}".encode(), digest_size=12).hexdigest()


def part(element: str, name: str, *children: Child, **attributes: str | None) -> Html:
    """An element that is exchanged as a whole when anything in it has changed."""
    return tag(element, *children, data_part=name, **attributes)


def main(*children: Child) -> Html:
    return tag("main", children, id="report")


def news(before: Page, after: Page) -> dict[str, Json] | None:
    """What makes `after` of `before`: the parts that differ or, when others are there now, everything."""
    if before.digest == after.digest:
        return None
    if list(before.parts) != list(after.parts):
        return {"title": after.title, "main": after.main}
    changed = {name: html for name, html in after.parts.items() if before.parts[name] != html}
    return {"title": after.title, "parts": changed}
