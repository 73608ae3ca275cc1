"""What every policy that hunts by symbolic paths keeps: the sites, and the tree of this size's paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class _Remembered:
    """Stands for a condition on a path that is known only by its decisions."""

    key: int = 0

    def core(self) -> tuple[str, str, int] | None:
        return None

    def smt2(self) -> str:
        return "true"


class Paths:
    """The tree, and walks that begin with decisions from it."""

    def __init__(self, max_nodes: int = 4_000_000) -> None:
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
        return replace(arena.walk(policy, self._start(prefix)), by=by)

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

    def _start(self, prefix: Sequence[bool]) -> State | None:
        """The state behind `prefix`: all of it but the last decision was seen, so it is feasible."""
        if not prefix:
            return None
        trail, condition = [], _Remembered()
        for node, taken in zip(self.tree.follow(prefix[:-1]), prefix, strict=True):
            location = self.sites.locations[self.tree.sites[node]]
            trail.append(Branch(location, condition, taken, taken))
        trail[-1] = replace(trail[-1], taken=not prefix[-1])
        return State(-1, None, tuple(trail), len(trail))

    def state(self) -> Json:
        return {"sites": self.sites.state(), "tree": self.tree.state(), "diverged": self.diverged}

    def load(self, state: Json) -> None:
        diverged = int(state["diverged"])
        self.tree.load(state["tree"])
        self.sites.load(state["sites"])
        self.diverged = diverged
