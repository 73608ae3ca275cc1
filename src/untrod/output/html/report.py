"""From campaigns in the store to a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from untrod.output.files import write_atomically
from untrod.output.html.page import campaign_parts, render, styled
from untrod.output.html.panels import panel_of
from untrod.output.html.story import read_story
from untrod.output.summary import Section
from untrod.store import Store


def write_html(
    store: Store,
    campaign_ids: Sequence[str],
    path: Path,
    title: str,
    *,
    sections: Sequence[Section] = (),
    project: Path | None = None,
) -> None:
    """The whole report in one file, which is there whole or not at all.

    Campaigns are told in the order given; an id may be the start of one. `sections` come before each of them.
    Test files are looked up in `project`, the current folder if it is left out. Raises UntrodError for a
    campaign that is not there, OSError for a file that cannot be written.
    """
    stories = [read_story(store, each, project or Path.cwd()) for each in dict.fromkeys(campaign_ids)]
    write_atomically(path, render(stories, title, sections))


def fragment(store: Store, campaign_id: str, project: Path) -> str:
    """One campaign's part of the page, for a page of somebody else's: a notebook."""
    story = read_story(store, campaign_id, project)
    return styled(campaign_parts(story, panel_of(story)).values())
