"""`gui`: what was asked for and how far it came, the screens that were seen, and how they hang together."""

from __future__ import annotations

from untrod.core.text import count
from untrod.core.vocabulary import Finding, Json
from untrod.drivers.known import table_key
from untrod.engines.gui.engine import GuiConfig
from untrod.output.html.chart import Chart, Series
from untrod.output.html.finding_cards import anchor
from untrod.output.html.markup import Child, Html, code, table, tag
from untrod.output.html.panel import Panel
from untrod.output.html.screen_graph import screen_graph
from untrod.output.html.story import Story


def gui_panel(story: Story) -> Panel:
    extra = story.extra
    if not extra.get("of"):
        return Panel("nothing was run")
    verb = str(extra["verb"])
    return Panel(
        result=f"{extra['found']} of {count(extra['of'], 'specification')} {verb}",
        charts=(
            Chart(
                f"Specifications {verb}",
                "episodes",
                "specifications",
                (
                    Series(verb, story.over_episodes(lambda at: at.extra.get("found")), "step"),
                    Series("asked for", story.over_episodes(lambda at: at.extra.get("of"))),
                ),
                story.flags(),
            ),
            Chart(
                "Screens seen",
                "episodes",
                "seen so far",
                (
                    Series("states", story.over_episodes(lambda at: at.extra.get("states")), "step"),
                    Series("screens", story.over_episodes(lambda at: at.extra.get("screens")), "step"),
                ),
            ),
            Chart(
                "Steps over time",
                "seconds",
                "steps",
                (Series("steps", story.over_time(lambda at: at.extra.get("steps"))),),
            ),
        ),
        sections=(_specifications(story), *screen_graph(story, _known(story))),
        measure="screens seen",
        measured=lambda at: at.extra.get("screens"),
    )


def _known(story: Story) -> Json:
    config = GuiConfig.from_json(story.config)
    return story.known(table_key(config.driver, config.target))


def _specifications(story: Story) -> tuple[str, Html]:
    """Each with what became of it, and how far its formula came step by step."""
    config = GuiConfig.from_json(story.config)
    found = {finding.key: finding for finding in story.findings}
    rows = [
        (spec.title, code(spec.text), *_fate(found.get(spec.key), spec.violate, story))
        for spec in config.parsed()
    ]
    return "Specifications", table(("what", "formula", "came to", "the formula, step by step"), rows)


def _fate(finding: Finding | None, violate: bool, story: Story) -> tuple[Child, Child]:
    if finding is None:
        return ("not broken so far" if violate else "not shown so far"), ""
    steps = count(max(0, len(finding.trace.answers) - 1), "step")
    link = tag("a", f"{'broken' if violate else 'shown'} in {steps}", href=f"#{anchor(story.row, finding)}")
    return link, [tag("div", _reason(each)) for each in finding.detail.get("reasons", ())]


def _reason(body: Json) -> list[Child]:
    at, name, operator, value, holds = body
    atom = " ".join(str(part) for part in (name, operator, value) if part)
    return [
        f"after step {at}: " if at else "at the start: ",
        code(atom),
        " holds" if holds else " does not hold",
    ]
