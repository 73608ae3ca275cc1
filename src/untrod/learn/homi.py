"""HOMI: learned pruning of symbolic states (Cha and Oh, ESEC/FSE 2020).

One round of Algorithm 2, with its lines and the sections that say more:

    line 7    T      tests of symbolic execution for n' under P; every cycle `prune` drops states       3.1
    lines 8-9 D      all tests so far, each with the branches B that it covers when it is run
    line 10   goodD  the smallest part of D with all its coverage, by a greedy set cover                3.2.1
    line 11   F      core conditions on the paths of goodD, at most 200                                 3.2.2
    line 12   P_stgy, P_ratio, n'   learned from what the tests of goodD were made under                3.2.3
              theta, r              drawn from these: exploit, exploit in reverse, or explore           3.2.4

From top to bottom: `Homi` (the rounds), `Archive` (D and goodD), `PruningDistributions` (F, P_stgy, P_ratio,
P_time and how they are drawn from), `WeightVector` (theta and what it drops), `TruncatedNormal`. What is
around a round (`RoundPlan`, `RoundTest`, the settings) is in `pruning.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from random import Random
from statistics import NormalDist

from untrod.core.vocabulary import Json
from untrod.learn.pruning import RoundPlan, RoundTest, Settings, share
from untrod.learn.serialise import dump_random, load_random
from untrod.learn.set_cover import set_cover

EXPLOIT, REVERSE, EXPLORE = METHODS = ("exploit", "reverse", "explore")


class Homi:
    """Drops the states that share the least with the paths of good tests.

    A state's score is the sum of the weights of its features. Which features count, and how much, is learned:
    the good tests are a small set of tests, of all rounds so far, with all the coverage. Their features are
    the features of the next round, and the weights under which they were made say where the next weights are
    drawn (`PruningDistributions`). So it is with the share to drop and the length of a round.

    Before there are features, nothing is dropped: that is the first round. The first `warm_up` rounds only
    explore; then a round exploits, exploits in reverse or explores, with equal odds. Each prune has a weight
    vector and a ratio of its own. The paper draws all vectors of a round beforehand. They do not depend on
    what happens in it, so they are drawn when they are needed.
    """

    name = "homi"

    def __init__(self, seed: int, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._rng = Random(seed)
        self._rounds = 0
        self._plan: RoundPlan | None = None
        self._prunes = 0
        self._archive = Archive(self.settings.memory)
        self._vectors: dict[int, WeightVector] = {}
        self._next_vector = 0
        self._drawn: list[int] = []
        self.distributions = PruningDistributions([], {}, self.settings)

    @property
    def covered(self) -> int:
        """How many branches the tests of all rounds cover."""
        return self._archive.covered

    @property
    def serving(self) -> int | None:
        return self._drawn[(self._prunes - 1) % len(self._drawn)] if self._drawn else None

    # -- one round --------------------------------------------------------------------------------

    def begin_round(self) -> RoundPlan:
        self._forget_vectors()
        # "the first ten rounds only explore ... then the same probabilities for the three sampling methods"
        warm = self._rounds >= self.settings.warm_up
        method = self._rng.choice(METHODS) if warm else EXPLORE
        self._plan = RoundPlan(self._rounds, self.distributions.draw_length(method, self._rng), method)
        self._rounds += 1
        return self._plan

    def prune(self, states: Mapping[int, Collection[str]]) -> list[int]:
        plan = self._running()
        if not self.distributions.features:
            return []  # Prune(S, P) = {} if F = {}
        if len(self._drawn) < self.settings.vectors:
            self._vectors[self._next_vector] = self.distributions.draw_vector(plan.method, self._rng)
            self._drawn.append(self._next_vector)
            self._next_vector += 1
        self._prunes += 1
        assert self.serving is not None
        return self._vectors[self.serving].lowest(states, self._rng)

    def end_round(self, tests: Sequence[RoundTest]) -> None:
        plan = self._running()
        assert plan.length is not None
        unknown = {test.vector for test in tests} - {None, *self._drawn}
        if unknown:
            raise ValueError(f"tests of vectors {unknown}, which did not serve in this round")
        for test in tests:  # Algorithm 2, line 9: D <- D + (T, B)
            self._archive.add(test.branches, test.features, test.vector, plan.length)
        self._archive.settle()  # line 10
        self._forget_vectors()
        self._plan = None
        # lines 11 to 13
        self.distributions = PruningDistributions(self._archive.good, self._vectors, self.settings)

    def _running(self) -> RoundPlan:
        if self._plan is None:
            raise RuntimeError("no round has begun")
        return self._plan

    def _forget_vectors(self) -> None:
        """Those of the round, unless a test of the archive remembers them."""
        needed = self._archive.vectors
        self._vectors = {number: vector for number, vector in self._vectors.items() if number in needed}
        self._drawn, self._prunes = [], 0

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        names = dict.fromkeys(name for vector in self._vectors.values() for name in vector.features)
        place = {name: number for number, name in enumerate(names)}
        return {
            "random": dump_random(self._rng),
            "archive": self._archive.state(),
            "features": list(names),
            "vectors": [
                [number, [place[name] for name in vector.features], list(vector.weights), vector.ratio]
                for number, vector in self._vectors.items()
            ],
            "counts": [self._rounds, self._prunes, self._next_vector],
            "drawn": list(self._drawn),
            "plan": self._plan and [self._plan.number, self._plan.length, self._plan.method],
        }

    def load(self, state: Json) -> None:
        names = state["features"]
        vectors: dict[int, WeightVector] = {}
        for number, places, weights, ratio in state["vectors"]:
            if len(places) != len(weights) or not all(0 <= place < len(names) for place in places):
                raise ValueError("a weight vector whose features have no name")
            vectors[int(number)] = WeightVector(
                tuple(names[place] for place in places), tuple(weights), ratio
            )
        archive = Archive(self.settings.memory)
        archive.load(state["archive"])
        rounds, prunes, next_vector = (int(count) for count in state["counts"])
        drawn = [int(number) for number in state["drawn"]]
        if not vectors.keys() >= {*drawn, *archive.vectors}:
            raise ValueError("tests of weight vectors that are not there")
        distributions = PruningDistributions(archive.good, vectors, self.settings)
        plan = state["plan"] and RoundPlan(*state["plan"])
        load_random(self._rng, state["random"])
        self._archive, self._vectors, self._drawn, self.distributions = archive, vectors, drawn, distributions
        self._rounds, self._prunes, self._next_vector, self._plan = rounds, prunes, next_vector, plan


# -- collecting promising data (3.2.1) -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """A test, and how it came about: (F, theta, r) by the number of the `vector`, n as `length`."""

    branches: int
    """A bit for each branch."""
    features: tuple[str, ...]
    vector: int | None
    length: float


class Archive:
    """D and goodD of the paper: goodD is a small part of D that covers all that D covers.

    Of tests with the same branches the first one is kept: the greedy cover would never choose another. At
    most `capacity` tests are kept, the good ones first, then those with the most branches. Only beyond that
    size may the good tests differ from those of the paper, which forgets nothing.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._bits: dict[str, int] = {}
        self._entries: dict[int, Entry] = {}
        self.good: list[Entry] = []
        """The most valuable first."""

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def covered(self) -> int:
        """How many branches."""
        return len(self._bits)

    @property
    def vectors(self) -> set[int]:
        """The numbers of the weight vectors that some test here was made under."""
        return {entry.vector for entry in self._entries.values() if entry.vector is not None}

    def add(
        self, branches: Collection[str], features: Sequence[str], vector: int | None, length: float
    ) -> None:
        """`good` is out of date until `settle`."""
        for branch in sorted(branch for branch in set(branches) if branch not in self._bits):
            self._bits[branch] = len(self._bits)
        bits = 0
        for branch in branches:
            bits |= 1 << self._bits[branch]
        if bits and bits not in self._entries:
            self._entries[bits] = Entry(bits, tuple(features), vector, length)

    def settle(self) -> None:
        """Find the good tests, and forget what is too much."""
        entries = list(self._entries.values())
        self.good = [entries[position] for position in set_cover(list(self._entries))]
        if len(self._entries) > self._capacity:
            by_size = sorted(self._entries, key=int.bit_count, reverse=True)
            first = dict.fromkeys([*(entry.branches for entry in self.good), *by_size])
            keep = set(list(first)[: max(self._capacity, len(self.good))])
            self._entries = {bits: entry for bits, entry in self._entries.items() if bits in keep}

    def state(self) -> Json:
        names = dict.fromkeys(name for entry in self._entries.values() for name in entry.features)
        number = {name: place for place, name in enumerate(names)}
        return {
            "branches": list(self._bits),
            "features": list(names),
            "tests": [
                [f"{entry.branches:x}", [number[name] for name in entry.features], entry.vector, entry.length]
                for entry in self._entries.values()
            ],
        }

    def load(self, state: Json) -> None:
        names, branches = state["features"], state["branches"]
        entries: dict[int, Entry] = {}
        for digits, features, vector, length in state["tests"]:
            bits = int(digits, 16)
            if bits.bit_length() > len(branches) or not all(0 <= place < len(names) for place in features):
                raise ValueError("a test with branches or features that have no name")
            entries[bits] = Entry(bits, tuple(names[place] for place in features), vector, length)
        self._bits = {branch: place for place, branch in enumerate(branches)}
        self._entries = entries
        self.settle()


# -- learning distributions, and sampling (3.2.2 to 3.2.4) ---------------------------------------------


class PruningDistributions:
    """P = (F, P_stgy, P_ratio) of the paper, and P_time, as learned from the good tests.

    - F: the features of the good tests, the most valuable test first, at most `Settings.features`.
    - P_stgy: for a feature of F, the weights it had when good tests were made, as a truncated normal.
    - P_ratio, P_time: how often each value made a good test.

    Three ways to draw. *Exploit* draws from these. *Reverse* does so too, and then takes weights far away
    from those drawn, to reach what the good tests do not. *Explore* is uniform in everything.
    """

    def __init__(
        self, good: Sequence[Entry], vectors: Mapping[int, WeightVector], settings: Settings
    ) -> None:
        self._settings = settings
        # newF: the core conditions in the path conditions of goodD (3.2.2)
        names = dict.fromkeys(name for entry in good for name in entry.features)
        self.features = tuple(names)[: settings.features]
        # W_i: the weights that feature i had in the vectors that made good tests. p_i = N(mu(W_i),
        # sigma(W_i), -1, 1) where there are any, U(-1, 1) elsewhere (3.2.3)
        made_by = [vectors[entry.vector] for entry in good if entry.vector is not None]
        weights: dict[str, list[float]] = {name: [] for name in self.features}
        for vector in made_by:
            for name, weight in zip(vector.features, vector.weights, strict=True):
                if name in weights:
                    weights[name].append(weight)
        self.learned = {name: TruncatedNormal.fit(values) for name, values in weights.items() if values}
        # P_ratio(r), P_time(n') ~ how many good tests were made with them (3.2.3)
        self.ratios = Counter(vector.ratio for vector in made_by)
        self.lengths = Counter(entry.length for entry in good)

    def draw_length(self, method: str, rng: Random) -> float:
        return _draw(self._settings.lengths, self.lengths, method, rng)

    def draw_vector(self, method: str, rng: Random) -> WeightVector:
        weights = tuple(self._draw_weight(name, method, rng) for name in self.features)
        return WeightVector(self.features, weights, _draw(self._settings.ratios, self.ratios, method, rng))

    def _draw_weight(self, name: str, method: str, rng: Random) -> float:
        known = None if method == EXPLORE else self.learned.get(name)
        weight = known.draw(rng) if known else rng.uniform(LOW, HIGH)  # theta_i ~ p_i
        return self._opposite(weight, rng) if method == REVERSE else weight

    def _opposite(self, weight: float, rng: Random) -> float:
        """theta'_i = argmax over u in U of |u - theta_i|, U being 100 uniform draws."""
        draws = [rng.uniform(LOW, HIGH) for _ in range(self._settings.opposites)]
        return max(draws, key=lambda draw: abs(draw - weight))


def _draw(values: Sequence[float], counts: Mapping[float, int], method: str, rng: Random) -> float:
    weights = [counts.get(value, 0) for value in values]
    if method == EXPLORE or not any(weights):
        return rng.choice(values)
    return rng.choices(values, weights)[0]


# -- scoring and pruning (3.1) -------------------------------------------------------------------------

GRAIN = 1 << 40
"""Scores are sums of integers, in units of 1 / GRAIN. Sums of floats depend on the order of their terms, the
order of a set of strings on the process: the same states would be ranked differently from run to run."""


@dataclass(frozen=True, slots=True)
class WeightVector:
    """theta over `features`, and the share `ratio` of the states that it drops."""

    features: tuple[str, ...]
    weights: tuple[float, ...]
    ratio: float

    def scores(self, features_of_states: Iterable[Collection[str]]) -> list[int]:
        """score(s) = feat(s) . theta, times GRAIN; feat_i(s) = 1 iff s has feature i."""
        weights = zip(self.features, self.weights, strict=True)
        weight_of = _OrZero((feature, round(weight * GRAIN)) for feature, weight in weights).__getitem__
        return [sum(map(weight_of, features)) for features in features_of_states]

    def lowest(self, states: Mapping[int, Collection[str]], rng: Random) -> list[int]:
        """Prune(S, P) = the |S| r states with the smallest sum of scores, lowest first. Chance decides
        between equals: the order of the ids is their age, and nothing says that old states are worth less.
        """
        order = sorted(states)
        rng.shuffle(order)
        score_of = dict(zip(order, self.scores(map(states.__getitem__, order)), strict=True))
        order.sort(key=score_of.__getitem__)
        return order[: share(len(order), self.ratio)]


class _OrZero(dict[str, int]):
    """What is no feature weighs nothing."""

    def __missing__(self, key: str) -> int:
        return 0


# -- the normal distribution, cut off at -1 and 1 ------------------------------------------------------

LOW, HIGH = -1.0, 1.0
UNKNOWN_DEVIATION = 1.0
"""For values that do not differ: one value says where, not how sure. The paper is silent, HOMI takes 1."""

_SMALLEST, _LARGEST = 2.0**-1074, 1.0 - 2.0**-53


class TruncatedNormal:
    """Drawn by inversion: one random number for each value, so that streams stay in step."""

    __slots__ = ("_above", "_below", "_normal", "deviation", "mean")

    def __init__(self, mean: float, deviation: float) -> None:
        if not LOW <= mean <= HIGH or deviation <= 0.0:
            raise ValueError(f"mean {mean} and deviation {deviation} do not fit into [-1, 1]")
        self.mean, self.deviation = mean, deviation
        self._normal = NormalDist(mean, deviation)
        self._below, self._above = self._normal.cdf(LOW), self._normal.cdf(HIGH)

    @classmethod
    def fit(cls, values: Sequence[float]) -> TruncatedNormal:
        """With the mean and the deviation (of the population, as in the paper) of `values`."""
        mean = min(max(fsum(values) / len(values), LOW), HIGH)
        if min(values) == max(values):
            return cls(mean, UNKNOWN_DEVIATION)
        return cls(mean, sqrt(fsum((value - mean) ** 2 for value in values) / len(values)))

    def draw(self, rng: Random) -> float:
        share = self._below + rng.random() * (self._above - self._below)
        # Rounding may give 0 or 1, whose quantiles are infinite.
        value = self._normal.inv_cdf(min(max(share, _SMALLEST), _LARGEST))
        return min(max(value, LOW), HIGH)
