"""One engine on one target: what a hunt hands out turns to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lot:
    """A command line without its budget, and where in the project its target stands."""

    verb: str
    target: str
    why: str  # for a person: what makes this worth a try
    file: str = ""  # relative to the project; empty for what is no file
    lines: tuple[int, int] | None = None  # first and last; None: the whole file

    @property
    def name(self) -> str:
        return f"{self.verb} {self.target}"
