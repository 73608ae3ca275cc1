"""How bad a finding is, and why that is believed.

note        only outside of what the function was written for: types, docstring, asserts and callers say so
low         an absurd number, a wrong step before, a lookup of the value that was given
medium      an edge of what is allowed (nothing, zero), or types that were not written down
high        plain arguments that have the annotated types; an operation inside the function failed
critical    the same, and it hangs or takes all the memory there is
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

Level = Literal["critical", "high", "medium", "low", "note"]
LEVELS: tuple[Level, ...] = get_args(Level)
NOTE: Level = "note"


class Judgement(NamedTuple):
    level: Level
    evidence: str
    is_misuse: bool = False
    """The arguments, or the class, are not what the function was written for."""

    @property
    def rank(self) -> int:
        """The lower, the worse."""
        return LEVELS.index(self.level)
