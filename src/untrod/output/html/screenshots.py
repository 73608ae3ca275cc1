"""The pictures that were taken while a finding's steps were replayed, inside the page."""

from __future__ import annotations

import base64
from pathlib import Path

from untrod.core.reading import read_inside
from untrod.core.vocabulary import Finding, Json
from untrod.output.html.markup import Html, tag

MOST = 12
MOST_BYTES = 600_000
"""Of one picture: a page has to open at once."""
_PNG = b"\x89PNG\r\n\x1a\n"


def film(screens: Path, finding: Finding) -> Html:
    """One picture per step with what was done; empty when none were taken."""
    steps = finding.detail.get("steps")
    shots = [_shot(_read(screens, finding, number), _done(steps, number)) for number in range(MOST)]
    kept = [each for each in shots if each is not None]
    return (
        tag("div", kept, class_="shots", tabindex="0", role="group", aria_label="steps") if kept else Html("")
    )


def by_screen(screens: Path, finding: Finding, start: str) -> dict[str, str]:
    """The address of a picture for each screen that the finding's steps came to, by the screen's id."""
    steps = finding.detail.get("steps")
    names = [each.get("screen", "") for each in steps[: MOST - 1]] if isinstance(steps, list) else []
    shown = {name: _read(screens, finding, number) for number, name in enumerate([start, *names])}
    return {name: source for name, source in shown.items() if name and source}


def _shot(source: Html, done: str) -> Html | None:
    if not source:
        return None
    return tag("figure", tag("img", src=source, alt=f"screen after: {done}"), tag("figcaption", done))


def _read(screens: Path, finding: Finding, number: int) -> Html:
    """The picture as an address; empty when it is not there or not a picture."""
    try:
        data = read_inside(screens, f"{finding.id}/step-{number}.png", MOST_BYTES)
    except OSError:
        return Html("")
    if not data.startswith(_PNG):
        return Html("")
    return Html(f"data:image/png;base64,{base64.b64encode(data).decode()}")


def _done(steps: Json, number: int) -> str:
    if number == 0:
        return "0. the start"
    try:
        return f"{number}. {steps[number - 1]['action']}"
    except (LookupError, TypeError):
        return f"step {number}"
