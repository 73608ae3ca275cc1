"""Walking where a known input goes."""

from __future__ import annotations

from collections.abc import Sequence

from untrod.symbolic.lean.candidate import Candidate
from untrod.symbolic.lean.terms import Term
from untrod.symbolic.protocol import Branch, Condition, Location


class Following:
    """A branch policy: the side that the candidate takes."""

    def __init__(self, candidate: Candidate) -> None:
        self._candidate = candidate

    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        # Another engine may have taken over in the middle of a path: its conditions cannot be told.
        return bool(self._candidate.evaluate(condition)) if isinstance(condition, Term) else True

    def feedback(self, branch: Branch, feasible: bool) -> None:
        """Nothing to learn."""
