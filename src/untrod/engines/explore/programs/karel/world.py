"""A Karel program as a world: goals are its branches.

*Blocks*, the paper's measure, count the blocks that are entered: of an if and a while the one inside, of an
if-else both, of a repeat the one inside. The body of `run` is always entered, and does not count.
*Outcomes* count both answers of every condition instead, also the one that leads to no block; this is what
is usually called branch coverage. One run tells both: they are two choices of goals that count.

A goal counts when it was reached in 100 random grids or in 100 more that the program was asked for
(`demand.py`). The sampled programs have no other goals.

The graph of a program is its syntax tree, and where control can go next.
"""

from __future__ import annotations

from functools import cached_property
from random import Random

from untrod.core.catalogue import nearest
from untrod.core.errors import UntrodError
from untrod.core.seeds import stream
from untrod.engines.explore.programs.karel.demand import Demand
from untrod.engines.explore.programs.karel.grids import Grid, Grids
from untrod.engines.explore.programs.karel.language import (
    ACTIONS,
    CONDITIONS,
    MOST_TIMES,
    Action,
    Block,
    Program,
    Repeat,
    Statement,
    While,
    branches,
    branches_of,
    lines,
    text,
)
from untrod.engines.explore.programs.karel.running import STEPS, Machine
from untrod.engines.explore.programs.world import FLOW, GraphBuilder, ProgramGraph, Vocabulary

_KINDS = ("run", "while", "if", "repeat", "not", "then", "else", "skip", "body", "leave", "again")
VOCABULARY = Vocabulary(
    [*_KINDS, *ACTIONS, *CONDITIONS, *(f"times {times}" for times in range(1, MOST_TIMES + 1))]
)


def graph(program: Program) -> ProgramGraph:
    return _Drawing(program).builder.build()


class _Drawing:
    """Each branch is a node between its statement and the first statement of its block, and has the goal.

    A branch without a block (an if that does not hold, a while that is left) is a leaf. Flow goes from a
    statement to its branches, into blocks, and from the last statement of a loop's body back to the loop.
    """

    def __init__(self, program: Program) -> None:
        self.builder = GraphBuilder(VOCABULARY)
        root = self.builder.node(["run"])
        self._block(program.body, root)

    def _block(self, block: Block, parent: int) -> int:
        """Returns its last statement."""
        nodes = [self._statement(each, parent) for each in block]
        self.builder.chain(nodes)
        for source, to in zip([parent, *nodes], nodes, strict=False):
            self.builder.edge(source, to, FLOW)
        return nodes[-1]

    def _statement(self, of: Statement, parent: int) -> int:
        node = self.builder.node(_words(of), parent)
        siblings = []
        for branch in branches_of(of):
            name = "again" if branch.kind == "repeat" else branch.kind
            child = self.builder.node([name], node)
            self.builder.goal(child)
            self.builder.edge(node, child, FLOW)
            siblings.append(child)
            if branch.block:
                last = self._block(branch.block, child)
                if isinstance(of, While | Repeat):
                    self.builder.edge(last, node, FLOW)
        self.builder.chain(siblings)
        return node


def _words(of: Statement) -> list[str]:
    if isinstance(of, Action):
        return [of.name]
    if isinstance(of, Repeat):
        return ["repeat", f"times {of.times}"]
    kind = "while" if isinstance(of, While) else "if"
    return [kind, of.condition.name, *["not"] * of.condition.negated]


MEASURES = ("blocks", "outcomes")
TRIES = 100


class KarelWorld:
    kind = "karel"

    def __init__(self, program: Program, measure: str = "blocks", steps: int = STEPS) -> None:
        if measure not in MEASURES:
            raise UntrodError(f"there is no measure {measure!r}", nearest(measure, MEASURES))
        self.program = program
        self.inputs = Grids()
        self.branches = branches(program)
        self.machine = Machine(program, steps)
        self.run = self.machine.mask
        self.wanted = 0
        for number, branch in enumerate(self.branches):
            chosen = branch.block is not None if measure == "blocks" else branch.kind != "repeat"
            self.wanted |= chosen << number
        if not self.wanted:
            hint = "give it an if, a while or, for blocks, a repeat"
            raise UntrodError("the program has no branches: there is nothing to cover", hint)
        self.counted = self._reached(self.wanted, stream(0, "karel", text(program), steps))
        if not self.counted:
            raise UntrodError("no grid was found that reaches any branch", "does the program crash early on?")

    def _reached(self, wanted: int, random: Random) -> int:
        seen = 0
        for _ in range(TRIES):
            seen |= self.run(self.inputs.draw(random))
            if not wanted & ~seen:
                return wanted
        for _ in range(TRIES):
            demand = Demand(self.program, random, lambda statement: random.random() < 0.5)
            seen |= self.run(demand.grid)
        return seen & wanted

    @cached_property
    def graph(self) -> ProgramGraph:
        return graph(self.program)

    def name(self, goal: int) -> str:
        for number, (line, goals) in enumerate(lines(self.program), 1):
            if goal in goals:
                way = {"leave": "left", "skip": "not taken"}.get(self.branches[goal].kind, "entered")
                return f"line {number}: {line.strip().strip('{} ')} {way}"
        raise IndexError(goal)

    def text(self, mask: int) -> str:
        """`+` before a line whose branches were all taken, `-` before one with a branch that was not, `?`
        before one with a branch that no grid is known to reach."""
        shown = []
        for number, (line, goals) in enumerate(lines(self.program), 1):
            due = [goal for goal in goals if self.counted >> goal & 1]
            mark = "?" if any(self.wanted >> goal & 1 for goal in goals) else " "
            if due:
                mark = "+" if all(mask >> goal & 1 for goal in due) else "-"
            shown.append(f"{mark} {number:3} {line}")
        return "\n".join(shown)

    def ending(self, given: Grid) -> str:
        """How a run on `given` ends, in a word."""
        return self.machine.run(given).end
