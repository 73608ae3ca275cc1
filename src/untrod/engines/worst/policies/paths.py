"""What every policy that searches by symbolic paths keeps: the sites, and the tree of this size's paths.

At the end, the two policies that need nothing else: all paths, and random ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple, cast

from untrod.core.seeds import derive
from untrod.core.vocabulary import Json
from untrod.engines.worst.protocol import Attempt, Environment, Lesson
from untrod.learn.serialise import dump_random, load_random
from untrod.symbolic.protocol import Branch, BranchPolicy, Condition, Follower, Location, State
from untrod.symbolic.sites import Sites
from untrod.symbolic.tree import INFEASIBLE, UNKNOWN, Diverged, PathTree

KEPT = 8
_WHOLE = ("done", "raised", "ignored", "unsupported")


class Step(NamedTuple):
    """One branch of a path, as policies learn from it."""

    site: int
    taken: bool


class Guide(BranchPolicy):
    """Lets a rule that thinks in sites answer an executor.

    The rule is told every branch in order, those of a fixed beginning included, before it is asked.
    """

    def __init__(self, sites: Sites, want: Callable[[int], bool], push: Callable[[int, bool], None]) -> None:
        self._sites, self._want, self._push = sites, want, push
        self._told = 0

    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        number = self._sites.number
        while self._told < len(history):
            branch = history[self._told]
            self._push(number(branch.location), branch.taken)
            self._told += 1
        return self._want(number(location))

    def feedback(self, branch: Branch, feasible: bool) -> None:
        """Nothing to do: what became of the decision is in the history of the next."""


class Paths:
    """The tree of this size, and walks that begin with decisions from it.

    A search comes back to a size, so the trees of the last few sizes are kept.
    """

    def __init__(self, max_nodes: int = 300_000) -> None:
        self.sites = Sites()
        self.tree = PathTree(max_nodes)
        self.diverged = 0
        self._max_nodes = max_nodes
        self._size = 0
        self._others: dict[int, PathTree] = {}
        self._led = 0  # the cost of the last input that was followed at this size

    def grow(self, size: int) -> None:
        """The paths of another size are other paths; the places are the same."""
        if size == self._size:
            return
        self._others[self._size] = self.tree
        self.tree = self._others.pop(size) if size in self._others else PathTree(self._max_nodes)
        self._size, self._led = size, 0
        while len(self._others) > KEPT:
            del self._others[next(iter(self._others))]

    def walk(self, env: Environment, policy: BranchPolicy, prefix: Sequence[bool], by: str) -> Attempt:
        """A real run that begins with `prefix` and goes on as `policy` says. It is added to the tree."""
        attempt = self.run(env, policy, prefix, by)
        self.add(attempt, prefix)
        return attempt

    def run(self, env: Environment, policy: BranchPolicy, prefix: Sequence[bool], by: str) -> Attempt:
        """The same, but the path is not added."""
        engine = env.executor and env.executor.name
        attempt = replace(env.walk(policy, self._start(env, prefix)), by=by)
        if env.executor and env.executor.name != engine:
            self.tree.clear()  # another engine has taken over: it cannot go on from the states of the first
        return attempt

    def follower(self, env: Environment) -> BranchPolicy | None:
        """The path of the environment's best input, if none led to that and it beats all paths here."""
        best, executor = env.best, env.executor
        if best is None or best.inputs is None or best.branches or executor is None:
            return None
        if best.cost <= max(self.tree.bests[0], self._led) or "follow" not in executor.capabilities:
            return None
        self._led = best.cost
        return cast(Follower, executor).follow(best.inputs)

    def add(self, attempt: Attempt, prefix: Sequence[bool] = ()) -> None:
        """What the attempt has shown: its path, and whether the end of `prefix` can be reached at all."""
        branches = attempt.branches
        if attempt.status != "infeasible" and len(branches) >= len(prefix):
            whole = attempt.status in _WHOLE and not attempt.cut
            try:
                self.tree.insert(self.sites.along(branches), branches, attempt.cost, whole=whole)
            except Diverged:
                self.diverged += 1
        if prefix:  # if the path went there, this changes nothing
            self.tree.close_at(prefix, INFEASIBLE if attempt.status == "infeasible" else UNKNOWN)

    def steps(self, attempt: Attempt) -> list[Step]:
        numbers = self.sites.along(attempt.branches)
        return [Step(site, b.taken) for site, b in zip(numbers, attempt.branches, strict=True)]

    def _start(self, env: Environment, prefix: Sequence[bool]) -> State | None:
        if not prefix:
            return None
        state = self.tree.start(prefix, self.sites)
        if state is None:
            self._recall(env, prefix[:-1])
            state = self.tree.start(prefix, self.sites)
        return state

    def _recall(self, env: Environment, path: Sequence[bool]) -> None:
        """After a restart the tree knows its decisions, but not their conditions: run along them once."""
        executor = env.executor
        assert executor is not None
        answers = iter(path)
        guide = Guide(self.sites, lambda site: next(answers, True), lambda site, taken: None)
        result = executor.advance(executor.initial(), guide, max_branches=len(path) + 1)
        taken = [branch.taken for branch in result.branches]
        for node, branch in zip(self.tree.follow(taken), result.branches, strict=False):
            self.tree.conditions[node] = branch.condition

    def state(self) -> Json:
        trees = [[size, tree.state()] for size, tree in self._others.items()]
        return {
            "sites": self.sites.state(),
            "trees": [*trees, [self._size, self.tree.state()]],
            "counts": [self.diverged, self._led],
        }

    def load(self, state: Json) -> None:
        diverged, led = (int(count) for count in state["counts"])
        trees = {int(size): PathTree(self._max_nodes) for size, _ in state["trees"]}
        for size, saved in state["trees"]:
            trees[int(size)].load(saved)
        self.sites.load(state["sites"])
        self.diverged, self._led = diverged, led
        self._size, self.tree = trees.popitem()
        self._others = trees


class Exhaustive:
    """Takes True first; then the deepest side not taken yet. Exhausted when all have been."""

    name = "exhaustive"
    learning = False

    def __init__(self, seed: int) -> None:
        self.paths = Paths()

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        return ()

    def grow(self, size: int, *, lesson: bool = False) -> None:
        self.paths.grow(size)

    def step(self, env: Environment) -> Attempt | None:
        if env.executor is None:
            return None
        prefix = self.paths.tree.virtual_run(lambda node, site: True)
        if prefix is None:
            return None
        guide = Guide(self.paths.sites, lambda site: True, lambda site, taken: None)
        return self.paths.walk(env, guide, prefix, self.name)

    @property
    def complete(self) -> bool:
        """Were all paths run, and none broken off or left open by the solver?"""
        return self.paths.tree.exhausted and not self.paths.tree.unknown

    def offer(self, attempt: Attempt) -> None:
        """A path of somebody else need not be run again; but then it would not be run at all: ignored."""

    def state(self) -> Json:
        return self.paths.state()

    def load(self, state: Json) -> None:
        self.paths.load(state)


class RandomPaths:
    """Leaves the tree of seen paths at random, so that no path comes twice."""

    name = "random"
    learning = False

    def __init__(self, seed: int) -> None:
        self.paths = Paths()
        self._rng = Random(derive(seed, self.name))

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        return ()

    def grow(self, size: int, *, lesson: bool = False) -> None:
        self.paths.grow(size)

    def step(self, env: Environment) -> Attempt | None:
        if env.executor is None:
            return None
        prefix = self.paths.tree.virtual_run(lambda node, site: self._coin())
        if prefix is None:
            return None
        guide = Guide(self.paths.sites, lambda site: self._coin(), lambda site, taken: None)
        return self.paths.walk(env, guide, prefix, self.name)

    def _coin(self) -> bool:
        return self._rng.random() < 0.5

    def offer(self, attempt: Attempt) -> None:
        """Learns nothing from anybody."""

    def state(self) -> Json:
        return {"paths": self.paths.state(), "random": dump_random(self._rng)}

    def load(self, state: Json) -> None:
        self.paths.load(state["paths"])
        load_random(self._rng, state["random"])
