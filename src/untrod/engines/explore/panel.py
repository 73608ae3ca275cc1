"""`explore`: how much of a world was seen, step by step, and what of it was seen how often."""

from __future__ import annotations

from typing import cast

from untrod.core.text import count
from untrod.drivers.known import table_key
from untrod.engines.explore.counts import ExploreCounts
from untrod.engines.explore.delivery import MOST_SHOWN, tried, walked
from untrod.engines.explore.engine import ExploreConfig
from untrod.output.html.chart import Chart, Series
from untrod.output.html.markup import Html, code, table, tag
from untrod.output.html.panel import Panel, listed
from untrod.output.html.screen_graph import screen_graph
from untrod.output.html.story import Story


def explore_panel(story: Story) -> Panel:
    counted = cast(ExploreCounts, story.extra)
    if not counted.get("status"):
        return Panel("nothing was run")
    if story.config.get("kind") == "train":
        return _course(story, counted)
    config = ExploreConfig.from_json(story.config)
    if config.kind == "screens":
        return _screens(story, config, counted)
    if "walker" in counted:
        return _walk(story, config, counted)
    return _program(story, config, counted)


def _screens(story: Story, config: ExploreConfig, counted: ExploreCounts) -> Panel:
    visits = counted.get("visits") or {}
    steps = [*(counted.get("discovered") or []), counted["steps"]]
    points = [(float(step), min(float(seen), counted["screens"])) for seen, step in enumerate(steps, 1)]
    seen = Series("screens", points, "step")
    events = counted.get("events") or []
    rows = [(code(screen), str(times)) for screen, times in list(visits.items())[:MOST_SHOWN]]
    known = story.known(table_key(config.driver, config.target))
    return Panel(
        result=f"{count(counted['screens'], 'screen')} in {counted['steps']:,} steps",
        charts=(Chart("Screens seen", "steps", "seen so far", (seen,), story.flags()),),
        sections=(
            *screen_graph(story, known, visits),
            ("Screens in the order of their first visits", table(("screen", "visits"), rows)),
            *([("What happened by the way", listed(events[:MOST_SHOWN]))] if events else []),
        ),
        measure="screens seen",
        measured=lambda at: at.extra.get("screens"),
    )


def _walk(story: Story, config: ExploreConfig, counted: ExploreCounts) -> Panel:
    path = counted.get("path") or []
    if len(path) == counted["steps"] + 1:
        first = {node: step for step, node in reversed(list(enumerate(path)))}
        seen = [(float(step), float(known)) for known, step in enumerate(sorted(first.values()), 1)]
        seen.append((float(counted["steps"]), float(counted["visited"])))
    else:
        seen = story.over_episodes(lambda at: at.extra.get("visited"), 1.0)
    series = (
        Series("visited", seen, "step"),
        Series("there are", story.over_episodes(lambda at: at.extra.get("reachable"))),
    )
    shown = walked(config, counted) if counted.get("visits") else ()
    return Panel(
        result=f"{counted['visited']:,} of {counted['reachable']:,} visited, {counted['coverage']:.0%}",
        charts=(Chart("Visited", "steps", "seen so far", series),),
        sections=(
            ("Walker", tag("p", config.line)),
            *((each.title.capitalize(), _block(each.lines)) for each in shown),
        ),
        measure="coverage",
        measured=lambda at: at.extra.get("coverage"),
    )


def _program(story: Story, config: ExploreConfig, counted: ExploreCounts) -> Panel:
    inputs = counted.get("inputs") or []
    if len(inputs) == story.row.episodes:
        joint = [0.0, *(each["joint"] * counted["goals"] for each in inputs)]
        reached = [(float(number), found) for number, found in enumerate(joint)]
    else:
        reached = story.over_episodes(lambda at: at.extra.get("reached"), 0.0)
    series = (
        Series("reached", reached, "step"),
        Series("there are", story.over_episodes(lambda at: at.extra.get("goals"))),
    )
    shown = tried(counted) if counted.get("inputs") else ()
    return Panel(
        result=counted["status"],
        charts=(Chart("Goals reached", "inputs", "reached so far", series),),
        sections=(
            ("Explorer", tag("p", config.line)),
            *((each.title.capitalize(), _block(each.lines)) for each in shown if each.lines),
        ),
        measure="coverage",
        measured=lambda at: at.extra.get("coverage"),
    )


def _course(story: Story, counted: ExploreCounts) -> Panel:
    """Of `untrod train`."""
    found = Series("validation", story.over_episodes(lambda at: at.extra.get("validation")))
    best = Series("best", story.over_episodes(lambda at: at.extra.get("best")), "step")
    return Panel(
        result=counted["status"],
        charts=(Chart("Coverage of worlds kept for validation", "updates", "coverage", (found, best)),),
        measure="validation",
        measured=lambda at: at.extra.get("best"),
    )


def _block(lines: tuple[str, ...]) -> Html:
    return tag("pre", "\n".join(lines))
