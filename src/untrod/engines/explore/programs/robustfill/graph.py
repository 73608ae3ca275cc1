"""A RobustFill program as a graph: expressions in a row, positions below them, equal regexes joined."""

from __future__ import annotations

from dataclasses import fields

from untrod.engines.explore.programs.graph import SAME, GraphBuilder, ProgramGraph, Vocabulary
from untrod.engines.explore.programs.robustfill.nodes import (
    BOUNDARIES,
    CASES,
    DELIMITERS,
    FURTHEST_OFFSET,
    HIGHEST_INDEX,
    TOKENS,
    Concat,
    ConstStr,
    Expression,
    Nest,
    Nesting,
    Offset,
    RegPos,
    SubStr,
)
from untrod.engines.explore.programs.robustfill.parsing import FUNCTIONS

VOCABULARY = Vocabulary(
    [
        *("Concat", "RegPos", "Offset", *FUNCTIONS),
        *(f"regex {regex}" for regex in (*TOKENS, *DELIMITERS)),
        *(f"new {delimiter}" for delimiter in DELIMITERS),
        *(f"case {case}" for case in CASES),
        *BOUNDARIES,
        *(f"index {index}" for index in range(-HIGHEST_INDEX, HIGHEST_INDEX + 1)),
        *(f"at {offset}" for offset in range(-FURTHEST_OFFSET, FURTHEST_OFFSET + 1)),
    ]
)
_KINDS = {
    "regex": "regex",
    "token": "regex",
    "old": "regex",
    "new": "new",
    "case": "case",
    "index": "index",
    "count": "index",
}
"""Which sort of word a field of a nesting is."""


def graph(program: Concat) -> ProgramGraph:
    return _Drawing(program).builder.build()


class _Drawing:
    def __init__(self, program: Concat) -> None:
        self.builder = GraphBuilder(VOCABULARY)
        self._users: dict[str, int] = {}  # the last node that names a regex
        root = self.builder.node(["Concat"])
        self.builder.chain([self._expression(each, root) for each in program.expressions])

    def _expression(self, of: Expression, parent: int) -> int:
        match of:
            case ConstStr():
                return self.builder.node(["ConstStr"], parent)
            case Nest(outer, inner):
                # Goals are numbered in the order of running, so the node of `outer`, which stands
                # above, gets the goal behind those of `inner`.
                top = self.builder.node(_words(outer), parent)
                self._expression(inner, top)
                return self._reached(top, outer)
            case SubStr(left, right):
                top = self.builder.node(["SubStr"], parent)
                self.builder.chain([self._position(each, top) for each in (left, right)])
                return self._reached(top, of)
            case _:
                return self._reached(self.builder.node(_words(of), parent), of)

    def _position(self, of: Offset | RegPos, parent: int) -> int:
        if isinstance(of, Offset):
            return self.builder.node(["Offset", f"at {of.at}"], parent)
        words = ["RegPos", f"regex {of.regex}", f"index {of.index}", of.boundary]
        return self._reached(self.builder.node(words, parent), of)

    def _reached(self, node: int, of: SubStr | RegPos | Nesting) -> int:
        """The next goal belongs to `node`; and `node` is joined to the last one that names its regex."""
        self.builder.goal(node)
        for field in fields(of):
            regex = getattr(of, field.name)
            if _KINDS.get(field.name) != "regex":
                continue
            if regex in self._users:
                self.builder.edge(self._users[regex], node, SAME)
            self._users[regex] = node
        return node


def _words(of: Nesting) -> list[str]:
    arguments = [f"{_KINDS[field.name]} {getattr(of, field.name)}" for field in fields(of)]
    return [type(of).__name__, *arguments]
