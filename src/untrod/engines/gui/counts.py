"""What a `gui` campaign counts, for programs that read it."""

from __future__ import annotations

from typing import TypedDict


class GuiCounts(TypedDict, total=False):
    screens: int
    states: int
    """Screens with what is in them."""
    found: int
    of: int
    """Specifications that were shown or broken, and how many there are."""
    steps: int
    verb: str
    status: str
