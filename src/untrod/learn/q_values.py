"""Q-values in a table, without torch: contexts of every length vote, the longer the louder.

A state's L steps of history are too many to have been met before, and its last one or two say too little.
So the mean of the targets is kept for every beginning of a state: the site alone, the site and the last step,
and so on. A value is read from the shortest context to the longest, and each that has been met pulls it
towards its own mean, the harder the more it has seen:

    q_k = (n_k mean_k + c q_{k-1}) / (n_k + c)

A pass replaces the tables: they are exactly what the memory says, and there is no learning rate to tune.
"""

from __future__ import annotations

from collections.abc import Sequence

from untrod.core.vocabulary import Json
from untrod.learn.branch_q import Key, Sample


class QValues:
    """The approximator for installations without torch."""

    name = "table"

    def __init__(self, inertia: float = 1.0) -> None:
        self.inertia = inertia
        self._contexts: dict[Key, list[float]] = {}
        """Context -> [count, sum of targets] for False, then for True."""

    def values(self, key: Key) -> tuple[float, float]:
        false = true = 0.0
        inertia, contexts = self.inertia, self._contexts
        for length in range(1, len(key) + 1):
            context = contexts.get(key[:length])
            if context is None:
                break
            falses, false_sum, trues, true_sum = context
            false = (false_sum + inertia * false) / (falses + inertia)
            true = (true_sum + inertia * true) / (trues + inertia)
        return false, true

    def fit(self, samples: Sequence[Sample]) -> None:
        contexts: dict[Key, list[float]] = {}
        for key, action, target, weight in samples:
            at = 2 if action else 0
            for length in range(1, len(key) + 1):
                context = contexts.get(key[:length])
                if context is None:
                    context = contexts[key[:length]] = [0.0, 0.0, 0.0, 0.0]
                context[at] += weight
                context[at + 1] += weight * target
        self._contexts = contexts

    def state(self) -> Json:
        return [[list(key), *context] for key, context in self._contexts.items()]

    def load(self, state: Json) -> None:
        contexts = {tuple(map(int, key)): [float(number) for number in numbers] for key, *numbers in state}
        if any(len(numbers) != 4 for numbers in contexts.values()):
            raise ValueError("a context without its four numbers")
        self._contexts = contexts
