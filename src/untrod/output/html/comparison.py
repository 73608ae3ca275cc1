"""Several campaigns beside each other."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from untrod.core.text import duration, one_line
from untrod.core.vocabulary import Json
from untrod.output.html.chart import Chart, Series, draw
from untrod.output.html.finding_cards import anchor, finding_table
from untrod.output.html.markup import Child, Html, code, join, table, tag
from untrod.output.html.panel import Panel
from untrod.output.html.scale import exact
from untrod.output.html.story import Story

MOST_CURVES = 6
MOST_LISTED = 100

Told = Sequence[tuple[Story, Panel]]


def comparison(told: Told, page_of: Callable[[Story], str] = lambda story: "") -> Html:
    """A row for each campaign, curves of those that count the same, and all findings in one list.

    `page_of` is where a campaign is told of; without it, on the same page.
    """
    return join(
        [
            tag("h2", "All campaigns", id="comparison"),
            _rows(told, page_of),
            tag("div", _figures(told), class_="charts"),
            _findings([story for story, _ in told], page_of),
        ]
    )


def differences(stories: Sequence[Story]) -> list[str]:
    """What tells a campaign from the others on the same target: seed and settings that are not all the same,
    the shortest first."""
    settings = [_settings(story) for story in stories]
    peers = [
        [other for other, held in zip(settings, stories, strict=True) if _same(held, story)]
        for story in stories
    ]
    return [
        ", ".join(
            sorted(
                (
                    f"{key} {_short(value)}"
                    for key, value in own.items()
                    if any(other.get(key) != value for other in others)
                ),
                key=len,
            )
        )
        for own, others in zip(settings, peers, strict=True)
    ]


def _same(one: Story, other: Story) -> bool:
    return (one.row.engine, one.row.target) == (other.row.engine, other.row.target)


def _settings(story: Story) -> dict[str, Json]:
    asked = {key: value for key, value in story.config.items() if key != "session"}
    session = story.config.get("session")
    workers = session.get("workers", 1) if isinstance(session, dict) else 1
    return {"seed": story.row.seed, "workers": workers, "budget": str(story.row.budget), **asked}


def _short(value: Json) -> str:
    if value is None:
        return "none"
    if isinstance(value, dict) and value.get("attribute"):
        return one_line(str(value["attribute"]), 40)
    return one_line(value if isinstance(value, str) else json.dumps(value, default=str), 40)


def _rows(told: Told, page_of: Callable[[Story], str]) -> Html:
    own = differences([story for story, _ in told])
    columns: dict[str, list[Child]] = {
        "campaign": [
            tag("a", story.row.id, href=f"{page_of(story)}#{story.row.id}", class_="id") for story, _ in told
        ],
        "target": [code(one_line(story.row.target)) for story, _ in told],
        "what is different": [*own] if any(own) else [],
        "came to": [panel.result for _, panel in told],
        "findings": [f"{story.row.findings:,}" for story, _ in told],
        "episodes": [f"{story.row.episodes:,}" for story, _ in told],
        "per second": [exact(round(_rate(story), 1)) for story, _ in told],
        "time": [duration(story.row.wall) for story, _ in told],
        "CPU": [duration(story.row.cpu) for story, _ in told],
    }
    shown = {name: cells for name, cells in columns.items() if cells}
    return table(shown, zip(*shown.values(), strict=True))


def _rate(story: Story) -> float:
    return story.row.episodes / story.row.wall if story.row.wall > 0 else 0.0


def _figures(told: Told) -> list[Html]:
    groups: dict[tuple[str, str], list[tuple[Story, Panel]]] = {}
    for story, panel in told:
        if panel.measure:
            groups.setdefault((panel.measure, story.row.target), []).append((story, panel))
    figures = []
    for (measure, target), group in groups.items():
        if len(group) < 2:
            continue
        names = [
            f"{story.row.id} {own}".strip()
            for (story, _), own in zip(group, differences([story for story, _ in group]), strict=True)
        ]
        pairs = list(zip(names, group, strict=True))[:MOST_CURVES]
        title = f"{measure.capitalize()}: {one_line(target, 60)}"
        episodes = [Series(name, story.over_episodes(panel.measured)) for name, (story, panel) in pairs]
        times = [Series(name, story.over_time(panel.measured)) for name, (story, panel) in pairs]
        figures.append(draw(Chart(title, "episodes", measure, tuple(episodes))))
        figures.append(draw(Chart(f"{title}, over time", "seconds", measure, tuple(times))))
    return [each for each in figures if each]


def _findings(stories: Sequence[Story], page_of: Callable[[Story], str]) -> Html | None:
    pages = {story.row.id: page_of(story) for story in stories}
    found = finding_table(
        ((story.row, finding) for story in stories for finding in story.findings),
        lambda row, finding: f"{pages[row.id]}#{anchor(row, finding)}",
        MOST_LISTED,
    )
    return join([tag("h3", "All findings, the gravest first"), found]) if found else None
