"""`inputs` and Hypothesis tests: valid inputs never seen before, and what was learned of the others."""

from __future__ import annotations

import re

from untrod.core.text import one_line
from untrod.engines.inputs.counts import BlamedOptionCount, InputsCounts, inputs_counts
from untrod.output.html.chart import Chart, Series
from untrod.output.html.markup import Child, Html, code, join, table, tag, value
from untrod.output.html.panel import Panel, stretches
from untrod.output.html.sources import lines_of
from untrod.output.html.story import Story

MOST_BLAMED = 15


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
                    Series("valid", story.over_episodes(lambda at: at.valid, 0.0)),
                    Series("unique valid", story.over_episodes(lambda at: at.unique, 0.0)),
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
                (Series("unique valid", story.over_time(lambda at: at.unique, 0.0)),),
            ),
        ),
        sections=(*_learned(story), *_samples(story)),
        measure="unique valid inputs",
        measured=lambda at: at.unique,
    )


def _learned(story: Story) -> list[tuple[str, Html]]:
    """The blamed choices of Hypothesis tests: many rejected inputs have them, hardly any valid one."""
    rows: list[list[Child]] = []
    counts = inputs_counts(story.extra)
    for test, blamed in counts.get("rejections", {}).items():
        for each in blamed[:MOST_BLAMED]:
            what = _choice(each["choice"]) if each["choice"] else code(each["source"])
            got = f"{each['valid']:,} of {each['tried']:,}"
            where = code(f"{each['at']}: {each['source']}") if each["at"] else ""
            rows.append([what, got, where, code(test)])
    if not rows:
        return _avoided(story, counts)
    heads = ("choice", "inputs that got through", "rejected by", "test")
    told = tag("p", "These choices were taken in rejected inputs, and the policy avoids them by now.")
    return [("What the policy has learned", join([told, table(heads, rows)]))]


def _avoided(story: Story, counts: InputsCounts) -> list[tuple[str, Html]]:
    """The options of a generator that are blamed: they have numbers, and no names."""
    rows: list[list[Child]] = [
        [code(each["site"]), code(_asked(story, each["site"])), _option(each), f"{each['tried']:,}"]
        for each in counts.get("convicted", ())
    ]
    if not rows:
        return []
    told = "No input with these choices was valid, and the policy avoids them. Options are numbered from 0."
    heads = ("function, line, column", "asks", "choice", "inputs tried")
    return [("What the policy has learned", join([tag("p", told), table(heads, rows)]))]


def _option(blamed: BlamedOptionCount) -> str:
    words = f"option {blamed['option']} of {blamed['options']}"
    if blamed["after"]:
        words += f", after {', '.join(blamed['after'])}"
    if blamed["within"]:
        words += f", within a call that answered {', '.join(blamed['within'])}"
    return words


def _asked(story: Story, site: str) -> str:
    """What stands in the generator's file at that line and column, if that is a call."""
    try:
        _, line, column = site.rsplit(":", 2)
        text = lines_of(story.config.get("generator"), story.project)[int(line) - 1]
        asked = text.encode()[int(column) :].decode()
    except (ValueError, LookupError):
        return ""
    return one_line(_call(asked), 60)


def _call(text: str) -> str:
    """`choose((1, 2))` of `choose((1, 2)) else None`; nothing when no call comes first."""
    if not re.match(r"\w+\(", text):
        return ""
    depth = 0
    for place, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char in ")]}" and depth == 0:
            return text[: place + 1]
    return text


def _choice(choice: str) -> Html:
    return code(choice.replace("`", ""))


def _samples(story: Story) -> list[tuple[str, Html]]:
    if not story.samples:
        return []
    return [("The most elaborate inputs", join([value(text) for text in story.samples]))]
