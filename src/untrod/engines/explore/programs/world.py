"""What every kind of program promises: a graph, goals, inputs to draw, and a mask for each run.

    world = RobustFillWorld(parse(text))
    mask = world.run(world.inputs.draw(random))
    share(world, mask)                           # of the goals that count, how many this run reached

A *goal* is something that a run may reach, numbered from 0 as in the graph. Masks are ints with a bit for
each goal, so that the joint coverage of several runs is their `|`. Goals that no input can reach do not
count: `world.counted` is the mask of those that do, and how that is decided is said by each kind of program.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol, TypeVar

from untrod.engines.explore.programs.graph import ProgramGraph

I = TypeVar("I")  # noqa: E741  (an input)


class Inputs(Protocol[I]):
    """The inputs of one kind of program, each also a row of numbers: what a decoder puts out step by step.

    `sizes[k]` is how many options step k has. `decode` accepts any row within these sizes and gives an
    input that can be run; `decode(encode(x)) == x`.
    """

    @property
    def sizes(self) -> tuple[int, ...]: ...

    def draw(self, random: Random) -> I:
        """The baseline's random input: not uniform over rows, but over what a person would call inputs."""
        ...

    def stray(self, random: Random) -> I:
        """A random input from further afield, for where `draw` has long brought nothing."""
        ...

    def mutate(self, given: I, random: Random) -> I:
        """A neighbour: what hill-climbing tries next."""
        ...

    def decode(self, row: Sequence[int]) -> I: ...

    def encode(self, given: I) -> tuple[int, ...]: ...

    def show(self, given: I) -> str:
        """For people."""
        ...


class ProgramWorld(Protocol):
    """One program. Inputs are `Any` here: an explorer takes them from `inputs` and hands them to `run`."""

    @property
    def graph(self) -> ProgramGraph: ...

    @property
    def inputs(self) -> Inputs[Any]: ...

    @property
    def wanted(self) -> int:
        """The mask of the goals of the measure, whether or not anything can reach them."""
        ...

    @property
    def counted(self) -> int:
        """Those of the wanted that count, since some input reaches them: never 0."""
        ...

    def run(self, given: Any) -> int:
        """Run once, from scratch; the mask of the goals reached. Deterministic, always ends."""
        ...

    def name(self, goal: int) -> str:
        """The goal in words, for people: which branch, which expression."""
        ...

    def text(self, mask: int) -> str:
        """The program as text, with a mark on what `mask` has reached and what it has not."""
        ...


def share(world: ProgramWorld, mask: int) -> float:
    """Coverage: of the goals that count, the share that `mask` has."""
    return (mask & world.counted).bit_count() / world.counted.bit_count()


def missing(world: ProgramWorld, mask: int) -> list[str]:
    """The goals that count and that `mask` lacks, in words."""
    return names(world, world.counted & ~mask)


def names(world: ProgramWorld, mask: int) -> list[str]:
    """The goals of `mask` in words."""
    return [world.name(goal) for goal in range(mask.bit_length()) if mask >> goal & 1]
