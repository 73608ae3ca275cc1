"""What policies and the search owe each other.

An `Environment` is what a policy acts in: one function at one input size.

A policy never runs the function itself. It asks the environment, in one of two ways:

    env.walk(policy)     one symbolic path: the policy is asked at every branch; the inputs that the solver
                         gives are then run for real, and that run is what counts
    env.run(inputs)      one run on these inputs

Both come back as an `Attempt`. The policy signs it (`by`); the search notes the best of what `step` returned.

The loop, written once (`search.py` has it with budgets and patience):

    for size in sizes:
        for lesson in policy.lessons(size):              # practice at small sizes, most of it done only once
            policy.grow(lesson.size, lesson=True)
            for _ in range(lesson.steps):
                if policy.step(environment(lesson.size)) is None:
                    break
        policy.grow(size)
        while budget lasts:
            attempt = policy.step(environment(size))
            if attempt is None:
                break                                    # nothing left to try at this size

What a policy learned it carries from lesson to lesson and from size to size.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from untrod.core.vocabulary import Json
from untrod.symbolic.protocol import Branch, BranchPolicy, PathStats, State, Status, SymbolicExecutor

MAX_BRANCHES = 50_000
"""No path is longer."""
Inputs = tuple[Any, ...]
"""The positional arguments of one call."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at a costly input. `cost` is that of the real run, in units of the environment's cost model."""

    inputs: Inputs | None
    """None when the path gave no input: its start was infeasible, the solver gave up, the budget ended."""
    cost: int
    status: Status
    branches: tuple[Branch, ...] = ()
    """The symbolic path; empty for a concrete run."""
    pending: tuple[State, ...] = ()
    """The sides not taken, as the executor left them."""
    by: str = ""
    """The name of the policy."""
    error: str = ""
    """What the function raised, as `ValueError: too deep`; a finding, and the cost counts all the same."""
    stats: PathStats = field(default_factory=PathStats)
    micros: float = 0.0
    """About how long the real run took, by its cost: see `Cost.price`."""
    cut: bool = False
    """The path was broken off before its end: the input begins like it, and goes on by chance."""
    practice: bool = False
    """Made at a smaller size, to learn: it says nothing about the size that counts."""

    @property
    def counts(self) -> bool:
        """Is there an input, and did a real run of it cost something?"""
        return not self.practice and self.inputs is not None and self.status in ("done", "raised")

    @property
    def infeasible(self) -> int:
        """How often the policy wanted a side that does not exist."""
        return sum(branch.wanted is not branch.taken for branch in self.branches)

    @property
    def solver_calls(self) -> int:
        return self.stats.solver_calls


class LeafEncoding(Protocol):
    """The arguments as a flat vector of leaves: ints, bools and single characters, the same number each time.

    Policies that change inputs change leaves, and so never need to know what the arguments look like.
    """

    def flatten(self, inputs: Inputs) -> list[Any]:
        """The leaves of these arguments, in a fixed order."""
        ...

    def build(self, leaves: list[Any]) -> Inputs:
        """The arguments with these leaves: fresh objects each time."""
        ...

    def fields(self) -> tuple[Field, ...]:
        """The vector's parts in order: leaves of one kind that belong together, as a list's or a string's."""
        ...


@dataclass(frozen=True, slots=True)
class Field:
    """`length` leaves of one kind that stand side by side, and the values they may have."""

    kind: type
    """int, bool or str (one character)."""
    length: int
    low: int | None = None
    """Smallest value, of a character its code point; None: no bound."""
    high: int | None = None


class Environment(Protocol):
    """One function, one size. Built by the engine; policies get it at every step and must not keep it."""

    size: int
    best: Attempt | None
    """The costliest attempt at this size so far, whoever made it; the search sets it after each step."""

    @property
    def encoding(self) -> LeafEncoding: ...

    @property
    def executor(self) -> SymbolicExecutor | None:
        """None when the function cannot be run symbolically: policies that need paths are then exhausted."""
        ...

    def walk(self, policy: BranchPolicy, start: State | None = None, most: int = MAX_BRANCHES) -> Attempt:
        """One symbolic path from `start` (the beginning, if None), confirmed by a real run.

        A path with more than `most` branches is broken off there (`Attempt.cut`).
        Raises nothing the function raised. A path whose real run differs from what the executor predicted is
        an attempt all the same: its cost is that of the real run.
        """
        ...

    def run(self, inputs: Inputs) -> Attempt:
        """One real run on a copy of `inputs`."""
        ...

    def at(self, size: int) -> Environment:
        """The same function at another size, to practise."""
        ...

    def random(self, rng: Random) -> Inputs:
        """Arguments of this size drawn at random: what an average input looks like."""
        ...


@dataclass(frozen=True, slots=True)
class Lesson:
    """Practice: at most `steps` attempts at `size`, before the size that counts."""

    size: int
    steps: int


class SearchPolicy(Protocol):
    """Makes one attempt at a time and learns from it. Deterministic for its seed."""

    name: str

    @property
    def learning(self) -> bool:
        """Too early to conclude from its silence that there is nothing: part of it has yet to begin."""
        ...

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        """What to practise before `size`, smallest first; what was practised before is not listed again."""
        ...

    def grow(self, size: int, *, lesson: bool = False) -> None:
        """From now on environments have this size: forgets the paths of the last, keeps what they taught."""
        ...

    def step(self, env: Environment) -> Attempt | None:
        """Make one attempt. None: nothing is left to try at this size.

        An attempt without an input (see `Attempt.counts`) is normal: the solver gave up, a deadline passed.
        """
        ...

    def offer(self, attempt: Attempt) -> None:
        """Another policy made this attempt at the present size: take from it what is of use."""
        ...

    def state(self) -> Json:
        """Everything, random state included: `load(state())` goes on bit for bit."""
        ...

    def load(self, state: Json) -> None:
        """Raises ValueError, TypeError, LookupError or AttributeError when `state` is not one of its own."""
        ...
