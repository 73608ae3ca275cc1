"""What every kind of program has: a graph, goals, inputs to draw, and a mask of goals for each run.

    world = RobustFillWorld(parse(text))
    mask = world.run(world.inputs.draw(random))
    share(world, mask)                           # of the goals that count, how many this run reached

A *goal* is something that a run may reach, numbered from 0 as in the graph. Masks are ints with a bit for
each goal, so that the joint coverage of several runs is their `|`. Goals that no input can reach do not
count: `world.counted` is the mask of those that do, and each kind of program says how that is decided.

The graph is for neural networks: nodes with words on them, edges with types. The syntax tree is its skeleton.
Every edge has its reverse with a type of its own, so that messages can tell which way they go. The words of a
node (its kind, its arguments) are of a vocabulary that is fixed for each language: the same word has the same
number in every program, and in every version of the weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any, Protocol, TypeVar

from untrod.core.errors import UntrodError

CHILD, PARENT, NEXT, PREVIOUS, FLOW, FLOW_BACK, SAME, SAME_BACK = range(8)
EDGE_TYPES = ("child", "parent", "next", "previous", "flow", "flow-back", "same", "same-back")
"""Down and up the syntax tree; along siblings; where control can go next; the same word used again."""


@dataclass(frozen=True, slots=True)
class ProgramGraph:
    """`words[v]` are the numbers of the words on node v; `goals[g]` is the node that goal g belongs to.

    A coverage mask says which goals are covered, as an int with bit g for goal g. Several goals may share a
    node, and most nodes have none: they are there for what they say.
    """

    words: tuple[tuple[int, ...], ...]
    edges: tuple[tuple[int, int, int], ...]  # from, to, type
    goals: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.words)


class Vocabulary:
    """Words by number. Number 0 is padding."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = ("", *dict.fromkeys(words))
        self._numbers = {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, word: str) -> int:
        try:
            return self._numbers[word]
        except KeyError:
            raise UntrodError(
                f"the vocabulary has no word {word!r}", "weights know no more than it has"
            ) from None


class GraphBuilder:
    """Nodes in the order in which they are added; each edge together with its reverse."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._words: list[tuple[int, ...]] = []
        self._edges: list[tuple[int, int, int]] = []
        self._goals: list[int] = []

    def node(self, words: Sequence[str], parent: int | None = None) -> int:
        number = len(self._words)
        self._words.append(tuple(self._vocabulary[word] for word in words))
        if parent is not None:
            self.edge(parent, number, CHILD)
        return number

    def goal(self, node: int) -> None:
        """The next goal belongs to `node`."""
        self._goals.append(node)

    def edge(self, source: int, to: int, kind: int) -> None:
        """`kind` is one of the even types; its reverse is the odd one behind it."""
        self._edges.append((source, to, kind))
        self._edges.append((to, source, kind + 1))

    def chain(self, nodes: Sequence[int]) -> None:
        """Siblings, in order."""
        for left, right in pairwise(nodes):
            self.edge(left, right, NEXT)

    def build(self) -> ProgramGraph:
        return ProgramGraph(tuple(self._words), tuple(self._edges), tuple(self._goals))


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
