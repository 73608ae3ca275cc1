"""What the learner of a shard thinks of the target's options, for people."""

from __future__ import annotations

from untrod.core.protocols import Learner
from untrod.core.vocabulary import Json
from untrod.learn.exonerate.learner import exonerate_of
from untrod.learn.exonerate.suspects import blamed_options

FIRST = 100
GROWTH = 1.5


class Opinion:
    """Looked up again when there are half as many episodes more: a large table takes its time to read."""

    def __init__(self, learner: Learner) -> None:
        self._exonerate = exonerate_of(learner)
        self._due: float = FIRST
        self._last: list[Json] = []

    def __call__(self, episodes: int) -> list[Json]:
        """The blamed options as JSON, the most often tried first; none from learners that blame none."""
        if self._exonerate is not None and episodes >= self._due:
            self._due = episodes * GROWTH
            self._last = [
                {
                    "site": each.site,
                    "option": each.option,
                    "options": each.options,
                    "after": list(map(str, each.after)),
                    "within": list(map(str, each.within)),
                    "tried": each.tried,
                }
                for each in blamed_options(self._exonerate.cells)
            ]
        return self._last
