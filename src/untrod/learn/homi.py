"""Learned pruning: HOMI (Cha and Oh, ESEC/FSE 2020)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random

from untrod.core.vocabulary import Json
from untrod.learn.archive import Archive
from untrod.learn.promise import EXPLORE, METHODS, Promise
from untrod.learn.pruning import RoundPlan, RoundTest, Settings
from untrod.learn.serialise import dump_random, load_random
from untrod.learn.weight_vector import WeightVector


class Homi:
    """Drops the states that share the least with the paths of good tests.

    A state's score is the sum of the weights of its features. Which features count, and how much, is learned:
    the good tests are a small set of tests, of all rounds so far, with all the coverage. Their features are
    the features of the next round, and the weights under which they were made say where the next weights are
    drawn (`promise.py`). So it is with the share to drop and the length of a round.

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
        self.promise = Promise([], {}, self.settings)

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
        warm = self._rounds >= self.settings.warm_up
        method = self._rng.choice(METHODS) if warm else EXPLORE
        self._plan = RoundPlan(self._rounds, self.promise.draw_length(method, self._rng), method)
        self._rounds += 1
        return self._plan

    def prune(self, states: Mapping[int, Collection[str]]) -> list[int]:
        plan = self._running()
        if not self.promise.features:
            return []
        if len(self._drawn) < self.settings.vectors:
            self._vectors[self._next_vector] = self.promise.draw_vector(plan.method, self._rng)
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
        for test in tests:
            self._archive.add(test.branches, test.features, test.vector, plan.length)
        self._archive.settle()
        self._forget_vectors()
        self._plan = None
        self.promise = Promise(self._archive.good, self._vectors, self.settings)

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
        promise = Promise(archive.good, vectors, self.settings)
        plan = state["plan"] and RoundPlan(*state["plan"])
        load_random(self._rng, state["random"])
        self._archive, self._vectors, self._drawn, self.promise = archive, vectors, drawn, promise
        self._rounds, self._prunes, self._next_vector, self._plan = rounds, prunes, next_vector, plan
