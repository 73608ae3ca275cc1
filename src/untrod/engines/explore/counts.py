"""What an `explore` campaign counts, for programs that read it: by what was explored."""

from __future__ import annotations

from typing import Any, TypedDict


class ExploreCounts(TypedDict, total=False):
    status: str

    # a running app
    screens: int
    steps: int
    resets: int
    untried: int
    """Actions that are known and were not taken."""
    discovered: list[int]
    """For each screen the step that came to it first."""
    events: list[str]
    """What happened by the way: exceptions, error responses, dialogs."""
    files: dict[str, str]
    """What lies in the store's folder, by what it is."""

    # a maze, a recorded app
    walker: str
    visited: int
    reachable: int
    coverage: float
    path: list[str]
    """The first steps."""
    visits: dict[str, int]
    """How often each node or screen was visited, in the order of the first visits; the first ones."""

    # a program
    explorer: str
    reached: int
    goals: int
    inputs: list[dict[str, Any]]
    """The first ones: what each is, and what it reached."""
    program: str
    """Its text, with marks on what was reached."""
    missing: list[str]
    beyond: list[str]
    """Goals that do not count: no input is known to reach them."""
