"""`inputs` and Hypothesis tests: valid inputs never seen before, and what was learned of the others."""

from __future__ import annotations

from untrod.core.vocabulary import Json
from untrod.output.html.chart import Chart, Series
from untrod.output.html.markup import Child, Html, code, join, table, tag, value
from untrod.output.html.panel import Panel, stretches
from untrod.output.html.story import Story

MOST_VERDICTS = 15


def inputs_panel(story: Story) -> Panel:
    row = story.row
    share = f" ({100 * row.valid / row.episodes:.0f}% valid)" if row.episodes else ""
    return Panel(
        result=f"{row.unique:,} unique valid inputs{share}",
        charts=(
            Chart(
                "Unique valid inputs",
                "episodes",
                "inputs",
                (
                    Series("valid", story.over_episodes(lambda at: at.valid)),
                    Series("unique valid", story.over_episodes(lambda at: at.unique)),
                ),
                story.flags(),
            ),
            Chart(
                "What the policy has learned: how many of the inputs are valid",
                "episodes",
                "percent of the inputs",
                (
                    Series("valid", stretches(story, lambda at: at.valid)),
                    Series("unique valid", stretches(story, lambda at: at.unique)),
                ),
            ),
            Chart(
                "Unique valid inputs over time",
                "seconds",
                "inputs",
                (Series("unique valid", story.over_time(lambda at: at.unique)),),
            ),
        ),
        sections=(*_learned(story.extra), *_samples(story)),
        measure="unique valid inputs",
        measured=lambda at: at.unique,
    )


def _learned(extra: dict[str, Json]) -> list[tuple[str, Html]]:
    """The choices that were convicted: they are in rejected inputs, and in hardly any valid one."""
    rows: list[list[Child]] = []
    for test, verdicts in (extra.get("rejections") or {}).items():
        for each in verdicts[:MOST_VERDICTS]:
            what = _plain(each["choice"]) if each["choice"] else code(each["source"])
            got = f"{each['valid']:,} of {each['tried']:,}"
            where = code(f"{each['at']}: {each['source']}") if each["at"] else ""
            rows.append([what, got, where, code(test)])
    if not rows:
        return []
    heads = ("choice", "inputs that got through", "rejected by", "test")
    told = tag("p", "These choices were taken in rejected inputs, and the policy avoids them by now.")
    return [("What the policy has learned", join([told, table(heads, rows)]))]


def _plain(choice: str) -> Html:
    return code(choice.replace("`", ""))


def _samples(story: Story) -> list[tuple[str, Html]]:
    if not story.samples:
        return []
    return [("The most elaborate inputs", join([value(text) for text in story.samples]))]
