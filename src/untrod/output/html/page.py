"""The page: one file that needs nothing else, and is allowed nothing else.

There is no script in it, and its Content-Security-Policy forbids scripts and every request, so that not even
a mistake in escaping could let the code under test run in the reader's browser.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import untrod
from untrod.core.text import count, duration, one_line
from untrod.output.html.comparison import comparison
from untrod.output.html.finding_cards import cards, definitions
from untrod.output.html.markup import Child, Html, code, join, tag, unfold
from untrod.output.html.panel import Panel, listed
from untrod.output.html.panels import panel_of
from untrod.output.html.scale import exact
from untrod.output.html.story import Story
from untrod.output.summary import Section, ending

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def render(stories: Sequence[Story], title: str, sections: Sequence[Section] = ()) -> str:
    """`sections` are what whoever ran the campaigns has to say, and come before each of them is told."""
    told = [(story, panel_of(story)) for story in stories]
    several = len(told) > 1
    body = [
        tag("a", "Skip to the report", href="#report", class_="skip"),
        tag("header", tag("h1", title), tag("p", _subtitle(stories), class_="soft"), _contents(stories)),
        tag(
            "main",
            comparison(told) if several else None,
            [_section(each) for each in sections],
            [_campaign(story, panel, several or bool(sections)) for story, panel in told],
            id="report",
        ),
        tag("footer", tag("p", f"Written by untrod {untrod.__version__}. This file needs no network.")),
    ]
    return document(title, body, tag("meta", http_equiv="Content-Security-Policy", content=POLICY))


def document(title: str, body: Child, *head: Child) -> str:
    """Any page of ours, in the same style."""
    first = tag(
        "head",
        tag("meta", charset="utf-8"),
        head,
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        Html(f"<style>{_style()}</style>"),
    )
    return f"<!doctype html>\n{tag('html', first, tag('body', body), lang='en')}\n"


def styled(body: Child) -> str:
    """A part of a page of ours, inside somebody else's: its style reaches nothing but itself."""
    style = _style().replace(":root", ":scope").replace("\nbody {", "\n:scope {")
    scoped = Html(f"<style>@scope (.untrod) {{\n{style}\n}}</style>")
    return str(tag("div", scoped, body, class_="untrod"))


def campaign_parts(story: Story, panel: Panel, *, live: bool = False) -> dict[str, Html]:
    """What there is to say of one campaign, in order; `live` if the reader sees it change."""
    found = count(len(story.findings), "finding").capitalize()
    return {
        "tiles": _tiles(story, panel),
        "findings": join([tag("h3", found) if story.findings else None, cards(story)]),
        "progress": join(panel.html()),
        "tests": join(_listing("Tests written", [test.path for test in story.tests])),
        "notes": join(_listing("Notes", list(story.notices))),
        "facts": _facts(story, live),
    }


def _campaign(story: Story, panel: Panel, named: bool) -> Html:
    row, parts = story.row, campaign_parts(story, panel)
    facts = parts.pop("facts")
    told = unfold("the campaign", facts) if named else join([tag("h3", "The campaign"), facts])
    heading = tag("h2", f"{row.engine} ", code(one_line(row.target)), id=row.id) if named else None
    return tag("section", heading, parts.values(), told)


def tiles(each: Iterable[tuple[str, str, str]]) -> Html:
    """Name, value, and what is to be added in small print."""
    return tag(
        "dl",
        [
            tag("div", tag("dt", name), tag("dd", value, tag("small", small) if small else None))
            for name, value, small in each
        ],
        class_="tiles",
    )


def _tiles(story: Story, panel: Panel) -> Html:
    row = story.row
    rate = f"{exact(round(row.episodes / row.wall, 1))} a second" if row.wall > 0 else ""
    return tiles(
        [
            ("came to", panel.result, ""),
            ("findings", f"{row.findings:,}", f"{count(len(story.tests), 'test file')} written"),
            ("episodes", f"{row.episodes:,}", rate),
            ("time", duration(row.wall), f"{duration(row.cpu)} of CPU"),
        ]
    )


def _facts(story: Story, live: bool) -> Html:
    row = story.row
    rows: list[tuple[str, Child]] = [
        ("id", code(row.id)),
        ("engine", row.engine),
        ("target", code(one_line(row.target, 400))),
        ("seed", str(row.seed)),
        ("budget", str(row.budget)),
        ("state", _state(story, live)),
        ("started", moment(row.created_at)),
        ("more", code(f"untrod campaigns show {row.id}")),
    ]
    return definitions(rows)


def _state(story: Story, live: bool) -> str:
    if story.row.status == "running":
        if story.running:
            return "running" if live else "running: this page is how it stood when it was written"
        return f"broken off; go on with: untrod campaigns resume {story.row.id}"
    return f"{story.row.status}, {ending(story.row.reason)}" if story.row.reason else story.row.status


def moment(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S %Z", time.localtime(at))


def _subtitle(stories: Sequence[Story]) -> str:
    first = min((story.row.created_at for story in stories), default=0.0)
    found = sum(story.row.findings for story in stories)
    said = [count(len(stories), "campaign")] if len(stories) > 1 else []
    return ", ".join([*said, count(found, "finding") if found else "nothing found", moment(first)])


def _contents(stories: Sequence[Story]) -> Html | None:
    if len(stories) < 2:
        return None
    names = Counter((story.row.engine, story.row.target) for story in stories)
    links = [("comparison", "All campaigns")]
    for row in (story.row for story in stories):
        again = f" ({row.id})" if names[row.engine, row.target] > 1 else ""
        links.append((row.id, f"{row.engine} {one_line(row.target, 60)}{again}"))
    items = [tag("li", tag("a", name, href=f"#{place}")) for place, name in links]
    return tag("nav", tag("ul", items), aria_label="campaigns")


def _section(section: Section) -> Html:
    lines = [one_line(line, 400) for line in section.lines]
    body = tag("pre", tag("code", "\n".join(lines)), tabindex="0") if section.table else listed(lines)
    return join([tag("h2", section.title), body]) if lines else Html("")


def _listing(title: str, lines: list[str]) -> Html | None:
    return join([tag("h3", title), listed(lines)]) if lines else None


@cache
def _style() -> str:
    return Path(__file__).with_name("style.css").read_text(encoding="utf-8")
