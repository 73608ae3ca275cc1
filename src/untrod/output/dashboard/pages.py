"""A page by its address: the first one, that of a campaign, or several campaigns beside each other."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from untrod.core.errors import UntrodError
from untrod.core.text import count, one_line
from untrod.output.dashboard.overview import Overview
from untrod.output.dashboard.page import Page, main, part
from untrod.output.html.comparison import comparison
from untrod.output.html.markup import Html, code, tag
from untrod.output.html.page import campaign_parts
from untrod.output.html.panels import panel_of
from untrod.output.html.story import read_story
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
            return _campaign(self._store, parts.path.removeprefix("/campaign/"), self._project)
        if parts.path == "/compare":
            return self._compared(asked.get("c", []))
        raise UntrodError(f"there is no page {parts.path}", "go back to the campaigns")

    def _compared(self, names: list[str]) -> Page:
        if not 2 <= len(set(names)) <= MOST_COMPARED:
            raise UntrodError(f"{len(set(names))} campaigns are marked", f"mark 2 to {MOST_COMPARED} of them")
        return _comparison(self._store, names, self._project)


def _campaign(store: Store, name: str, project: Path) -> Page:
    """Raises UntrodError for one that is not there."""
    story = read_story(store, name, project)
    row = story.row
    told = campaign_parts(story, panel_of(story), live=True)
    parts = {key: part("div", key, html) for key, html in told.items()}
    heading = tag("h2", f"{row.engine} ", code(one_line(row.target)), id=row.id)
    title = f"{count(row.findings, 'finding')}: {row.engine} {one_line(row.target, 80)}"
    return Page(title, main(heading, parts.values(), _commands(row.id)), parts)


def _comparison(store: Store, names: Sequence[str], project: Path) -> Page:
    """A campaign twice is there once. Raises UntrodError for one that is not there."""
    stories = [read_story(store, name, project) for name in dict.fromkeys(names)]
    told = [(story, panel_of(story)) for story in stories]
    shown = comparison(told, lambda story: f"/campaign/{story.row.id}")
    parts = {"comparison": part("div", "comparison", shown)}
    return Page(f"untrod: {count(len(told), 'campaign')}", main(parts.values()), parts)


def _commands(name: str) -> Html:
    """Starting and stopping is left to the terminal: a page that could do it would have to be guarded."""
    lines = [
        ("go on with it", f"untrod campaigns resume {name}"),
        ("its inputs and findings as JSON", f"untrod campaigns export {name}"),
        ("this page as a file", f"untrod report {name}"),
    ]
    rows = [(tag("dt", words), tag("dd", code(command))) for words, command in lines]
    return tag("section", tag("h3", "In a terminal"), tag("dl", rows, class_="facts"))


def _number(text: str) -> int:
    return max(1, int(text)) if text.isdecimal() and len(text) < 9 else 1
