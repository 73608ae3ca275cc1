"""Which panel belongs to which engine. Each is imported when needed: some bring half an engine along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from untrod.core.events import Progress
from untrod.core.vocabulary import Json
from untrod.output.html.panel import Panel
from untrod.output.html.story import Story


def panel_of(story: Story) -> Panel:
    """What a worker reported may lack anything, above all when it is from another version of untrod."""
    draw = _drawer(story.row.engine)
    if not story.row.episodes:
        return Panel("nothing was run")
    if draw is None:
        return Panel(f"{story.row.unique:,} unique")
    try:
        panel = draw(story)
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


def _drawer(engine: str) -> Callable[[Story], Panel] | None:
    if engine in ("inputs", "hypothesis"):
        from untrod.output.html.inputs_panel import inputs_panel

        return inputs_panel
    if engine in ("cover", "native"):
        from untrod.output.html.cover_panel import cover_panel

        return cover_panel
    if engine == "worst":
        from untrod.output.html.worst_panel import worst_panel

        return worst_panel
    if engine == "gui":
        from untrod.output.html.gui_panel import gui_panel

        return gui_panel
    return None
