"""The page of one campaign, and of several beside each other: the report's own parts, live."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from untrod.core.text import count, one_line
from untrod.output.dashboard.page import Page, main, part
from untrod.output.html.comparison import comparison
from untrod.output.html.markup import Html, code, tag
from untrod.output.html.page import campaign_parts
from untrod.output.html.panels import panel_of
from untrod.output.html.story import read_story
from untrod.store import Store


def campaign(store: Store, name: str, project: Path) -> Page:
    """Raises UntrodError for one that is not there."""
    story = read_story(store, name, project)
    row = story.row
    told = campaign_parts(story, panel_of(story), live=True)
    parts = {key: part("div", key, html) for key, html in told.items()}
    heading = tag("h2", f"{row.engine} ", code(one_line(row.target)), id=row.id)
    title = f"{count(row.findings, 'finding')}: {row.engine} {one_line(row.target, 80)}"
    return Page(title, main(heading, parts.values(), _commands(row.id)), parts)


def compared(store: Store, names: Sequence[str], project: Path) -> Page:
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
