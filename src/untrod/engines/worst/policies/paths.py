"""What every policy that hunts by symbolic paths keeps: the sites, and the tree of this size's paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from untrod.core.vocabulary import Json
from untrod.engines.worst.arena import Arena, Attempt
from untrod.symbolic.protocol import Branch, BranchPolicy, Condition, Location, State
from untrod.symbolic.sites import Sites
from untrod.symbolic.tree import INFEASIBLE, UNKNOWN, Diverged, PathTree

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
    """The tree, and walks that begin with decisions from it."""

    def __init__(self, max_nodes: int = 1_000_000) -> None:
        self.sites = Sites()
        self.tree = PathTree(max_nodes)
        self.diverged = 0

    def walk(self, arena: Arena, policy: BranchPolicy, prefix: Sequence[bool], by: str) -> Attempt:
        """A real run that begins with `prefix` and goes on as `policy` says. It is added to the tree."""
        attempt = self.run(arena, policy, prefix, by)
        self.add(attempt, prefix)
        return attempt

    def run(self, arena: Arena, policy: BranchPolicy, prefix: Sequence[bool], by: str) -> Attempt:
        """The same, but the tree is left alone."""
        return replace(arena.walk(policy, self._start(arena, prefix)), by=by)

    def add(self, attempt: Attempt, prefix: Sequence[bool] = ()) -> None:
        """What the attempt has shown: its path, and whether the end of `prefix` can be reached at all."""
        branches = attempt.branches
        if attempt.status != "infeasible" and len(branches) >= len(prefix):
            whole = attempt.status in _WHOLE
            try:
                self.tree.insert(self.sites.along(branches), branches, attempt.cost, whole=whole)
            except Diverged:
                self.diverged += 1
        if prefix:  # if the path went there, this changes nothing
            self.tree.close_at(prefix, INFEASIBLE if attempt.status == "infeasible" else UNKNOWN)

    def steps(self, attempt: Attempt) -> list[Step]:
        numbers = self.sites.along(attempt.branches)
        return [Step(site, b.taken) for site, b in zip(numbers, attempt.branches, strict=True)]

    def grow(self) -> None:
        """The paths of another size are other paths; the places are the same."""
        self.tree.clear()

    def _start(self, arena: Arena, prefix: Sequence[bool]) -> State | None:
        if not prefix:
            return None
        state = self.tree.start(prefix, self.sites)
        if state is None:
            self._recall(arena, prefix[:-1])
            state = self.tree.start(prefix, self.sites)
        return state

    def _recall(self, arena: Arena, path: Sequence[bool]) -> None:
        """After a restart the tree knows its decisions, but not their conditions: run along them once."""
        executor = arena.executor
        assert executor is not None
        answers = iter(path)
        guide = Guide(self.sites, lambda site: next(answers, True), lambda site, taken: None)
        result = executor.advance(executor.initial(), guide, max_branches=len(path) + 1)
        taken = [branch.taken for branch in result.branches]
        for node, branch in zip(self.tree.follow(taken), result.branches, strict=False):
            self.tree.conditions[node] = branch.condition

    def state(self) -> Json:
        return {"sites": self.sites.state(), "tree": self.tree.state(), "diverged": self.diverged}

    def load(self, state: Json) -> None:
        diverged = int(state["diverged"])
        self.tree.load(state["tree"])
        self.sites.load(state["sites"])
        self.diverged = diverged
