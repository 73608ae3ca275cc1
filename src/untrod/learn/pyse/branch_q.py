"""PySE: Q-learning of branch decisions (Koo, Saumya, Kulkarni, Bagchi, 2019; the slides name no more).

A *state* is the branch where execution stands together with the last L branches and what was done there:

    s_t = (site_t, (site, action)_{t-1}, ..., (site, action)_{t-L})          "State representation"
    pi(s) = True if Q(s, True) >= Q(s, False), else False                    "Branching policy"

Q comes from an approximator: a small network (`q_network.py`, the paper's) or a table (`q_values.py`, ours).
One iteration of Algorithm 1 is a symbolic path under the epsilon-greedy policy, whose *new* experiences go
into a bounded memory (lines 1 to 11), and one pass over that in random order (lines 12 to 16). The memory and
the pass are here. Walking the path, and the Unique Path Finder that forces its beginning, need an executor
and the tree of observed paths: they are in `engines/worst/policies/pyse.py`.

Two numbers are added to the paper's state, because L branches cannot count: how many times in a row this very
branch has gone the same way, and whether that is less than, equal to or more than the last time. "Match nine
characters, miss the tenth" is then a matter of one number, and "as often as last time" holds at every size.

**What differs from the paper, and why.** The paper's target is r + max_a' Q(s', a'), with r = 1 for a
feasible side and r = P = -20 for the other. Different moments of a run look the same when only L branches are
remembered: a loop's state is its own successor, its value feeds on itself, and the better side drowns in the
sum (a tabular learner got 65 of insertion sort's 190 branches at N = 20). But with the tree of
observed paths at hand there is no need to bootstrap: what the best known continuation of a side brought *is*
r + max Q at that moment, with nothing mixed in. So the target of a side is its regret, how far its best known
continuation stays behind that of the better side:

    target(s, a) = -log2(1 + best through either side - best through a)      0 for the better side
    target(s, a) = P = -20                                                  for an infeasible side

The logarithm makes a step on a path of 30 and on one of 5,000 comparable, and P is the floor of both. Only
differences enter a decision, so nothing is lost, and what was learned at a small N holds at a large one.

An experience is (s, a, target), and it is new when no moment so far said the same. Many moments that say the
same are one entry with that weight, so a loop that turns 5,000 times does not flush the memory.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from random import Random
from typing import Protocol

from untrod.core.seeds import derive
from untrod.core.vocabulary import Json
from untrod.learn.serialise import dump_random, load_random

Key = tuple[int, ...]
"""A state: the site; how it went last (0: never, 1: False, 2: True); how that run compares with the last one
(0: shorter, 1: as long, 2: longer); its length; then the steps before as 2 * site + action, latest first."""
OWN = 4
"""So many numbers of a key are about the site itself; the rest are steps."""
LONGEST_RUN = 1023
Sample = tuple[Key, bool, float, int]
"""State, action, target, weight."""


class Approximator(Protocol):
    """Q(s, .): from samples to values of states that need not have been met."""

    name: str

    def values(self, key: Key) -> tuple[float, float]:
        """Q(s, False) and Q(s, True)."""
        ...

    def note(self, key: Key, action: bool, target: float, moments: int) -> bool:
        """The memory has changed by so many moments. True: Q has changed with it."""
        ...

    def fit(self, samples: Sequence[Sample]) -> None:
        """One pass over the memory, in this order."""
        ...

    def state(self) -> Json:
        """What does not follow from the memory."""
        ...

    def load(self, state: Json) -> None:
        """Raises ValueError, TypeError or LookupError when `state` is not one of its own."""
        ...


@dataclass(frozen=True, slots=True)
class Settings:
    history: int = 8
    """L. The paper does not say its own."""
    penalty: float = -20.0
    """P."""
    memory: int = 10_000
    """N_e."""
    fresh: float = 0.1
    """A pass is due when this share of the memory is new. Short paths would otherwise be all training."""
    passes: int = 20
    """At the end of pre-training at one size."""


class Cursor:
    """Where a run stands: turns the branches passed into states."""

    __slots__ = ("_own", "_steps")

    def __init__(self, history: int) -> None:
        self._steps: deque[int] = deque(maxlen=history)
        self._own: dict[int, list[int]] = {}
        """Site -> how it went last, how often in a row, and the length of the last run of each way."""

    def key(self, site: int) -> Key:
        own = self._own.get(site)
        if own is None:
            return (site, 0, 0, 0, *self._steps)
        way, run, *before = own
        last = before[way - 1]
        return (site, way, 0 if run < last else 1 + (run > last), min(run, LONGEST_RUN), *self._steps)

    def push(self, site: int, action: bool) -> None:
        own, way = self._own.get(site), 1 + action
        if own is None:
            self._own[site] = [way, 1, 0, 0]
        elif own[0] == way:
            own[1] += 1
        else:
            own[1 + own[0]] = own[1]
            own[0], own[1] = way, 1
        self._steps.appendleft(2 * site + action)


class BranchQ:
    """The Q-values of branch decisions, and the memory that they are learned from: see the module's text."""

    def __init__(self, seed: int, approximator: Approximator, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.approximator = approximator
        self._rng = Random(derive(seed, "branch-q"))
        self._memory: OrderedDict[tuple[Key, bool, float], int] = OrderedDict()
        self._fresh = 0
        self._known: dict[Key, tuple[float, float]] = {}

    def cursor(self) -> Cursor:
        return Cursor(self.settings.history)

    # -- deciding ---------------------------------------------------------------------------------

    def values(self, key: Key) -> tuple[float, float]:
        """Q(s, False) and Q(s, True). A path meets the same states over and over: each is worked out once."""
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self.approximator.values(key)
        return known

    def greedy(self, key: Key) -> bool:
        """pi(s), without epsilon."""
        false, true = self.values(key)
        return true >= false

    # -- learning ---------------------------------------------------------------------------------

    def targets(self, sides: Sequence[int | None], infeasible: Sequence[bool]) -> list[float | None]:
        """What the two sides of one branch teach: the best cost through each, None where no path has been."""
        top = max((best for best in sides if best is not None), default=0)
        return [
            self.settings.penalty
            if closed
            else None
            if best is None
            else max(self.settings.penalty, -round(log2(1 + top - best), 1) or 0.0)
            for best, closed in zip(sides, infeasible, strict=True)
        ]

    def remember(self, key: Key, action: bool, target: float, moments: int = 1) -> None:
        """Algorithm 1, lines 9 to 11: a new experience enters E, and the oldest leaves when |E| > N_e.

        So many more `moments` say so; a negative number takes back what has been superseded."""
        entry = (key, action, target)
        count = self._memory.get(entry, 0)
        moments = max(moments, -count)
        if not moments:
            return
        self._note(entry, moments)
        if not count:
            self._memory[entry] = moments
            if len(self._memory) > self.settings.memory:
                self._note(*self._memory.popitem(last=False), sign=-1)
        elif count + moments:
            self._memory[entry] = count + moments
            return
        else:
            del self._memory[entry]
        self._fresh += 1

    def _note(self, entry: tuple[Key, bool, float], moments: int, sign: int = 1) -> None:
        if self.approximator.note(*entry, sign * moments):
            self._known.clear()

    def learn(self) -> bool:
        """Algorithm 1, lines 12 to 16: one pass in random order, if there is enough new to learn from."""
        if not self._fresh or self._fresh < self.settings.fresh * len(self._memory):
            return False
        self._pass()
        return True

    def consolidate(self) -> None:
        """The end of pre-training at one size: several passes, so that what was seen last is known as well as
        the rest."""
        for _ in range(self.settings.passes if self._fresh else 0):
            self._pass()

    def _pass(self) -> None:
        samples = [(*entry, count) for entry, count in self._memory.items()]
        self._rng.shuffle(samples)
        self.approximator.fit(samples)
        self._known.clear()
        self._fresh = 0

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        memory = [[list(key), action, target, n] for (key, action, target), n in self._memory.items()]
        return {
            "random": dump_random(self._rng),
            "memory": memory,
            "fresh": self._fresh,
            "approximator": [self.approximator.name, self.approximator.state()],
        }

    def load(self, state: Json) -> None:
        name, values = state["approximator"]
        if name != self.approximator.name:
            raise ValueError(f"learned by {name}, and this is {self.approximator.name}")
        memory = OrderedDict(
            ((tuple(map(int, key)), bool(action), float(target)), int(count))
            for key, action, target, count in state["memory"]
        )
        fresh = int(state["fresh"])
        self.approximator.load(values)
        for entry, count in memory.items():
            self.approximator.note(*entry, count)
        load_random(self._rng, state["random"])
        self._memory, self._fresh = memory, fresh
        self._known.clear()
