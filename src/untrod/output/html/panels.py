"""What its engine has to say of a campaign, on its page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from untrod.core.events import Progress
from untrod.core.vocabulary import Json
from untrod.output.html.panel import Panel
from untrod.output.html.story import Story
from untrod.plugins import ENGINES


def panel_of(story: Story) -> Panel:
    """What a worker reported may lack anything, above all when it is from another version of untrod."""
    if not story.row.episodes:
        return Panel("nothing was run")
    if story.row.engine not in ENGINES:
        return Panel(f"{story.row.unique:,} unique")
    try:
        panel = ENGINES.find(story.row.engine).panel(story)
        panel.html()
    except _ODD as error:
        return Panel(f"what the campaign counted could not be drawn ({type(error).__name__})")
    return replace(panel, measured=_forgiving(panel.measured))


_ODD = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


def _forgiving(measured: Callable[[Progress], Json]) -> Callable[[Progress], Json]:
    """The same, and nothing where that cannot be told."""

    def forgiving(at: Progress) -> Json:
        try:
            return measured(at)
        except _ODD:
            return None

    return forgiving
