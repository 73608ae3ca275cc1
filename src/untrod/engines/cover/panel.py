"""`cover`: branches over time, by whom they were found, what is left, and what became of symbolic states."""

from __future__ import annotations

from collections.abc import Callable

from untrod.core.vocabulary import Json
from untrod.output.html.chart import Chart, Points, Series
from untrod.output.html.markup import Html, code, join, table, tag
from untrod.output.html.panel import Panel, bars
from untrod.output.html.story import Story, Value, number

MOST_UNTAKEN = 200


def cover_panel(story: Story) -> Panel:
    extra = story.extra
    if not extra.get("branches"):
        return Panel("no input could be run")
    whole = 100 * extra["covered"] / extra["branches"]
    return Panel(
        result=f"{extra['covered']:,} of {extra['branches']:,} branches ({whole:.0f}%)",
        charts=(
            Chart(
                "Branches over runs", "runs", "branches", _branches(story.over_episodes, extra), story.flags()
            ),
            Chart("Branches over time", "seconds", "branches", _branches(story.over_time, extra)),
            Chart(
                "Symbolic execution: paths walked, and states dropped by the pruning",
                "seconds",
                "so far",
                (
                    Series("paths", story.over_time(_symbolic("paths"))),
                    Series("states dropped", story.over_time(_symbolic("dropped"))),
                    Series("infeasible", story.over_time(_symbolic("infeasible"))),
                ),
            ),
            Chart(
                "Live states at the most",
                "seconds",
                "states",
                (Series("live states", story.over_time(_symbolic("peak")), "step"),),
            ),
        ),
        sections=(*_arms(extra), *_untaken(extra)),
        measure="branches covered",
        measured=lambda at: at.extra.get("covered"),
    )


def _branches(over: Callable[[Value, float | None], Points], extra: dict[str, Json]) -> tuple[Series, ...]:
    """Importing the target has covered some before the first run."""
    imported, whole = number(extra.get("imported")), number(extra["branches"])
    return (
        Series("covered", over(lambda at: at.extra.get("covered"), imported), "step"),
        Series("all there are", over(lambda at: at.extra.get("branches"), whole)),
    )


def _symbolic(name: str) -> Value:
    return lambda at: (at.extra.get("symbolic") or {}).get(name)


def _arms(extra: dict[str, Json]) -> list[tuple[str, Html]]:
    """The bandit gives turns to those that pay."""
    gained = {name: count for name, count in extra.get("gained", {}).items() if number(count)}
    if not gained:
        return []
    rows = [
        (code(name), float(gained[name]), f"{gained[name]:,}")
        for name in sorted(gained, key=gained.__getitem__)
    ]
    told = tag("p", "Ways of proposing inputs, by how much each of them was the first to reach.")
    return [("What found it", join([told, bars(("way", "new jumps between lines"), rows[::-1])]))]


def _untaken(extra: dict[str, Json]) -> list[tuple[str, Html]]:
    left = extra.get("untaken", ())
    if not left:
        return []
    rows = [
        (code(f"{module}:{line}"), code(source.strip()), words, why)
        for module, line, _, source, words, why in left[:MOST_UNTAKEN]
    ]
    more = len(left) - len(rows)
    shown = [table(("where", "source", "what nobody did", "why"), rows)]
    return [
        ("Branches that nobody took", join([*shown, tag("p", f"and {more:,} more") if more > 0 else None]))
    ]
