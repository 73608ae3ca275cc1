"""A Python function as a graph: its statements, its branches, and where control can go next.

A statement says what kind it is and which operators and calls it has, not its names: these mean nothing in
another function. Branches are nodes between a statement and its blocks, numbered as in `instrument.py`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from untrod.engines.explore.programs.graph import FLOW, GraphBuilder, ProgramGraph, Vocabulary

_STATEMENTS = (
    *(
        "FunctionDef",
        "ClassDef",
        "Return",
        "Delete",
        "Assign",
        "AugAssign",
        "AnnAssign",
        "For",
        "While",
        "If",
    ),
    *("With", "Match", "Raise", "Try", "Assert", "Import", "Global", "Expr", "Pass", "Break", "Continue"),
)
_EXPRESSIONS = (
    *("And", "Or", "Not", "USub", "Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow", "LShift", "RShift"),
    *("BitOr", "BitXor", "BitAnd", "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn"),
    *("Call", "Subscript", "Attribute", "Lambda", "ListComp", "IfExp"),
)
_BRANCHES = ("then", "else", "body", "done", "except", "case")
VOCABULARY = Vocabulary([*_STATEMENTS, *_EXPRESSIONS, *_BRANCHES, "other"])
MOST_WORDS = 4


def graph(tree: ast.FunctionDef) -> ProgramGraph:
    drawing = _Drawing()
    root = drawing.builder.node(["FunctionDef"])
    drawing.block(tree.body, root)
    return drawing.builder.build()


class _Drawing:
    def __init__(self) -> None:
        self.builder = GraphBuilder(VOCABULARY)

    def block(self, block: list[ast.stmt], parent: int) -> int:
        """Returns the last statement, or `parent` if there is none."""
        nodes = [self.statement(each, parent) for each in block]
        self.builder.chain(nodes)
        for source, to in zip([parent, *nodes], nodes, strict=False):
            self.builder.edge(source, to, FLOW)
        return nodes[-1] if nodes else parent

    def statement(self, of: ast.stmt, parent: int) -> int:
        node = self.builder.node(_words(of), parent)
        self._inside(of, node)
        return node

    def _inside(self, of: ast.AST, node: int) -> None:
        """What hangs below a statement, in the order in which probes are numbered."""
        match of:
            case ast.If(test, body, orelse):
                self._inside(test, node)
                self._branch("then", body, node)
                self._branch("else", orelse, node)
            case ast.For() | ast.While():
                self._inside(of.iter if isinstance(of, ast.For) else of.test, node)
                last = self._branch("body", of.body, node)
                self.builder.edge(last, node, FLOW)
                self._branch("done", of.orelse, node)
            case ast.IfExp(test, body, orelse):
                self._inside(test, node)
                for kind, side in (("then", body), ("else", orelse)):
                    self._inside(side, self._branch(kind, [], node))
            case ast.ExceptHandler(_, _, body):
                self._branch("except", body, node)
            case ast.match_case(_, guard, body):
                if guard is not None:
                    self._inside(guard, node)
                self._branch("case", body, node)
            case _:
                for _, field in ast.iter_fields(of):
                    parts = field if isinstance(field, list) else [field]
                    if parts and isinstance(parts[0], ast.stmt):
                        self.block(parts, node)
                        continue
                    for part in parts:
                        if isinstance(part, ast.AST):
                            self._inside(part, node)

    def _branch(self, kind: str, block: list[ast.stmt], parent: int) -> int:
        node = self.builder.node([kind], parent)
        self.builder.goal(node)
        self.builder.edge(parent, node, FLOW)
        return self.block(block, node) if block else node


def _words(of: ast.stmt) -> list[str]:
    kind = type(of).__name__
    words = dict.fromkeys([kind if kind in _STATEMENTS else "other", *_operators(of)])
    return list(words)[:MOST_WORDS]


def _operators(of: Any) -> Iterator[str]:
    """Of the statement itself, not of the statements inside."""
    for child in ast.iter_child_nodes(of):
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            continue
        name = type(child).__name__
        if name in _EXPRESSIONS:
            yield name
        yield from _operators(child)
