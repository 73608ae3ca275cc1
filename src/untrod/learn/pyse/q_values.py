"""Q-values in a table, without torch: contexts of every length vote, the longer the louder.

A whole state has seldom been met before, and its last step alone says too little. So the targets are summed
up for every beginning of a state, along two chains: the steps before (the site; the site and the last step;
...) and the branch's own record (the site; how it went last; how that compares; how often in a row). Along a
chain, from the shortest context to the longest, each that has been met pulls the value towards its own mean,
the harder the more it has seen:

    q_k = (n_k mean_k + c q_{k-1}) / (n_k + c)

and the variance of the targets is carried along the same way. The two chains are then averaged, each with the
inverse of its variance: what a context explains well, it decides.

The table is exactly what the memory says at any time, so it needs no passes and no learning rate. Sums are
kept in whole tenths, so that they do not depend on the order of summation.
"""

from __future__ import annotations

from collections.abc import Sequence

from untrod.core.vocabulary import Json
from untrod.learn.pyse.branch_q import OWN, Key, Sample

_DOUBT = 100.0  # the variance of a state that was never met
_TENTHS = 10


class QValues:
    """The approximator for installations without torch."""

    name = "table"

    def __init__(self, inertia: float = 1.0) -> None:
        self.inertia = inertia
        self._contexts: dict[Key, list[int]] = {}
        """Context -> count, sum and sum of squares of the targets of False, then of True."""

    def values(self, key: Key) -> tuple[float, float]:
        by_steps, by_record = (self._along(chain) for chain in _chains(key))
        false, true = (
            (one / one_doubt + two / two_doubt) / (1.0 / one_doubt + 1.0 / two_doubt)
            for (one, one_doubt), (two, two_doubt) in zip(by_steps, by_record, strict=True)
        )
        return false, true

    def _along(self, chain: Sequence[Key]) -> tuple[tuple[float, float], tuple[float, float]]:
        """(Value, doubt) of False and of True."""
        inertia, contexts = self.inertia, self._contexts
        mean, doubt = [0.0, 0.0], [_DOUBT, _DOUBT]
        for place in chain:
            context = contexts.get(place)
            if context is None:
                break
            for side in (0, 1):
                count, total, squares = context[3 * side : 3 * side + 3]
                if count:
                    own = total / count / _TENTHS
                    spread = squares / count / _TENTHS**2 - own * own
                    mean[side] = (count * own + inertia * mean[side]) / (count + inertia)
                    doubt[side] = (count * spread + inertia * doubt[side]) / (count + inertia)
        return (mean[0], doubt[0] + 0.01), (mean[1], doubt[1] + 0.01)

    def note(self, key: Key, action: bool, target: float, moments: int) -> bool:
        tenths, at = round(target * _TENTHS), 3 * action
        contexts = self._contexts
        for chain in _chains(key):
            for place in chain:
                context = contexts.get(place)
                if context is None:
                    context = contexts[place] = [0, 0, 0, 0, 0, 0]
                context[at] += moments
                context[at + 1] += moments * tenths
                context[at + 2] += moments * tenths * tenths
                if not context[0] and not context[3]:
                    del contexts[place]
        return True

    def fit(self, samples: Sequence[Sample]) -> None:
        """Nothing to do: every change of the memory has been noted."""

    def state(self) -> Json:
        return None

    def load(self, state: Json) -> None:
        if state is not None:
            raise ValueError("a table has no state of its own")
        self._contexts = {}


def _chains(key: Key) -> tuple[list[Key], list[Key]]:
    """Contexts from short to long. The first number of those of the second chain is negative."""
    site, steps = key[0], key[OWN:]
    record = (-1 - site, *key[1:OWN])
    by_steps: list[Key] = [(site, *steps[:length]) for length in range(len(steps) + 1)]
    return by_steps, [record[:length] for length in range(1, OWN + 1)]
