"""A Karel program as a graph: the syntax tree, and where control can go next."""

from __future__ import annotations

from untrod.engines.explore.programs.graph import FLOW, GraphBuilder, ProgramGraph, Vocabulary
from untrod.engines.explore.programs.karel.nodes import (
    ACTIONS,
    CONDITIONS,
    MOST_TIMES,
    Action,
    Block,
    Program,
    Repeat,
    Statement,
    While,
    branches_of,
)

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
