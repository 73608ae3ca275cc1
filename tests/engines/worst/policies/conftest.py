"""An executor without a solver: the feasible inputs are listed, and a condition is known on each of them.

A condition is the set of inputs for which it holds, so feasibility is exact, immediate and the same on every
machine. It serves for sizes at which all inputs can be listed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from untrod.engines.worst.protocol import Attempt, Field
from untrod.symbolic.protocol import Branch, Location, PathResult, PathStats, State, Status


@dataclass(frozen=True)
class Among:
    """A condition: true for these inputs, by number."""

    inputs: frozenset[int]

    @property
    def key(self) -> int:
        return hash(self.inputs)

    def ranges(self) -> None:
        return None

    def smt2(self) -> str:
        return str(sorted(self.inputs))


class Truth:
    def __init__(self, run: Run, values: list[bool]) -> None:
        self.run, self.values = run, values

    def __bool__(self) -> bool:
        return self.run.branch(frozenset(n for n, value in enumerate(self.values) if value))


class Number:
    """One leaf in all inputs at once."""

    def __init__(self, run: Run, values: list[Any]) -> None:
        self.run, self.values = run, values

    def _compare(self, other: Any, test: Callable[[Any, Any], bool]) -> Truth:
        others = other.values if isinstance(other, Number) else [other] * len(self.values)
        return Truth(self.run, [test(a, b) for a, b in zip(self.values, others, strict=True)])

    def __gt__(self, other: Any) -> Truth:
        return self._compare(other, lambda a, b: a > b)

    def __lt__(self, other: Any) -> Truth:
        return self._compare(other, lambda a, b: a < b)

    def __eq__(self, other: Any) -> Truth:  # type: ignore[override]
        return self._compare(other, lambda a, b: a == b)

    __hash__ = None  # type: ignore[assignment]


class Run:
    """One path."""

    def __init__(self, inputs: list[Any], prefix: Sequence[bool], policy: Any, most: int) -> None:
        self.inputs, self.prefix, self.policy, self.most = inputs, prefix, policy, most
        self.alive = frozenset(range(len(inputs)))
        self.branches: list[Branch] = []
        self.checks = 0

    def branch(self, holds: frozenset[int]) -> bool:
        caller = sys._getframe(2)
        location = Location(caller.f_code.co_qualname, caller.f_lineno, caller.f_lasti)
        depth, condition = len(self.branches), Among(holds)
        if depth == self.most:
            raise TooLong
        forced = depth < len(self.prefix)
        wanted = (
            self.prefix[depth] if forced else self.policy.decide(location, condition, tuple(self.branches))
        )
        self.checks += 1
        sides = {True: self.alive & holds, False: self.alive - holds}
        if forced and not sides[wanted]:
            raise Infeasible
        taken = wanted if sides[wanted] else not wanted
        other = "unsat" if taken is not wanted else "unchecked"
        branch = Branch(location, condition, wanted, taken, other)
        self.branches.append(branch)
        if not forced:
            self.policy.feedback(branch, taken is wanted)
        self.alive = sides[taken]
        return taken


class Infeasible(Exception):
    pass


class TooLong(Exception):
    pass


class Listing:
    """A symbolic executor for functions of one list."""

    name = "listing"
    capabilities = frozenset[str]()

    def __init__(self, function: Callable[[Any], Any], inputs: list[Any]) -> None:
        self.function, self.inputs = function, inputs

    def initial(self) -> State:
        return State(0, None)

    def advance(self, state: State, policy: Any, *, max_branches: int, deadline: float | None = None) -> Any:
        run = Run(self.inputs, state.path(), policy, max_branches)
        status: Status = "done"
        columns = [Number(run, list(column)) for column in zip(*self.inputs, strict=True)]
        try:
            self.function(columns)
        except Infeasible:
            return PathResult("infeasible", tuple(run.branches))
        except TooLong:
            status = "limit"
        example = list(self.inputs[min(run.alive)])
        return PathResult(status, tuple(run.branches), (), (example,), stats=PathStats(run.checks))

    def check(self, state: State) -> Any:
        raise NotImplementedError

    def solve(self, state: State) -> Any:
        raise NotImplementedError

    def release(self, ids: Any) -> None:
        pass


class OneList:
    def __init__(self, field: Field) -> None:
        self.field = field

    def flatten(self, inputs: tuple[Any, ...]) -> list[Any]:
        return list(inputs[0])

    def build(self, leaves: list[Any]) -> tuple[Any, ...]:
        return (list(leaves),)

    def fields(self) -> tuple[Field, ...]:
        return (self.field,)


class ListEnv:
    """One function of a list at one size; the cost is the number of branches."""

    family: Callable[[int], ListEnv]

    def __init__(self, function: Callable[[Any], Any], inputs: list[Any], field: Field) -> None:
        self.function, self.inputs = function, inputs
        self.size, self.encoding = field.length, OneList(field)
        self.executor: Any = Listing(function, inputs)
        self.best: Attempt | None = None
        self.walks = self.runs = 0

    def walk(self, policy: Any, start: State | None = None, most: int = 10_000) -> Attempt:
        self.walks += 1
        result = self.executor.advance(start or self.executor.initial(), policy, max_branches=most)
        if result.inputs is None:
            return Attempt(None, 0, result.status, result.branches, stats=result.stats)
        cut = result.status == "limit"
        cost = self.run(result.inputs).cost if cut else len(result.branches)
        return Attempt(result.inputs, cost, "done", result.branches, stats=result.stats, cut=cut)

    def run(self, inputs: tuple[Any, ...]) -> Attempt:
        self.runs += 1
        counter = Counting()
        self.function([counter.wrap(value) for value in inputs[0]])
        return Attempt((list(inputs[0]),), counter.count, "done")

    def at(self, size: int) -> ListEnv:
        return self.family(size)

    def random(self, rng: Random) -> tuple[Any, ...]:
        return (list(rng.choice(self.inputs)),)

    def worst(self) -> int:
        """By running all inputs."""
        return max(self.run((list(row),)).cost for row in self.inputs)


class Counting:
    """Counts the comparisons of a real run."""

    def __init__(self) -> None:
        self.count = 0

    def wrap(self, value: Any) -> Any:
        counter = self

        class Counted(int):
            def _asked(self, answer: bool) -> bool:
                counter.count += 1
                return answer

            def __gt__(self, other: int) -> bool:
                return self._asked(int(self) > int(other))

            def __lt__(self, other: int) -> bool:
                return self._asked(int(self) < int(other))

            def __eq__(self, other: object) -> bool:
                return self._asked(int(self) == int(other))  # type: ignore[call-overload]

            __hash__ = int.__hash__

        return Counted(value)


def insertion_sort(xs: list[Any]) -> None:
    for i in range(1, len(xs)):
        j = i
        while j > 0 and xs[j - 1] > xs[j]:
            xs[j - 1], xs[j] = xs[j], xs[j - 1]
            j -= 1


def contrary_sort(xs: list[Any]) -> None:
    """The same, but the costly side is False: a policy that knows nothing says True."""
    for i in range(1, len(xs)):
        for j in range(i, 0, -1):
            if xs[j - 1] < xs[j]:
                break
            xs[j - 1], xs[j] = xs[j], xs[j - 1]


def alternation(xs: list[Any]) -> None:
    """Costs the most when every value differs from the one before: True and False in turn."""
    seen = 0
    for x in xs:
        if x == 1:
            if seen != 1:
                for y in xs:
                    if y == 2:
                        return
            seen = 1
        else:
            if seen != 0:
                for y in xs:
                    if y == 3:
                        return
            seen = 0


def family(make: Callable[[int], ListEnv]) -> Callable[[int], ListEnv]:
    """Environments that know those of the other sizes."""

    def env(n: int) -> ListEnv:
        made = make(n)
        made.family = cache(env)
        return made

    return env


@pytest.fixture
def sorting() -> Callable[[int], ListEnv]:
    """Insertion sort of n values."""
    return family(lambda n: ListEnv(insertion_sort, list(permutations(range(n))), Field(int, n, 0, n - 1)))


@pytest.fixture
def contrary() -> Callable[[int], ListEnv]:
    """Insertion sort where False is the costly side."""
    return family(lambda n: ListEnv(contrary_sort, list(permutations(range(n))), Field(int, n, 0, n - 1)))


@pytest.fixture
def alternating() -> Callable[[int], ListEnv]:
    """A function whose worst case is no constant side."""
    return family(lambda n: ListEnv(alternation, list(product((0, 1), repeat=n)), Field(int, n, 0, 1)))


@pytest.fixture
def practise() -> Callable[..., None]:
    """The loop of `protocol.py`, up to the size that counts."""

    def practise(policy: Any, env: Callable[[int], ListEnv], size: int) -> None:
        for lesson in policy.lessons(size):
            policy.grow(lesson.size, lesson=True)
            for _ in range(lesson.steps):
                if policy.step(env(lesson.size)) is None:
                    break
        policy.grow(size)

    return practise
