"""A grammar of JavaScript without its side conditions: as strategies, and rendered to source text.

A node is (kind, parts...), a block is a tuple of nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

NAMES = ("a", "b", "f")
LABELS = ("one", "two")
NUMBERS = ("0", "1", "07")
OPERATORS = ("+", "<", "===", "&&", "**")
SIMPLE = ("expression", "declare", "return", "break", "continue")
STATEMENTS = (*SIMPLE, "if", "while", "for", "function", "label", "try", "with")
ATOMS = ("name", "number")
EXPRESSIONS = (*ATOMS, "binary", "assign", "call", "delete", "arrow", "member", "increment")
MAX_DEPTH = 3


@st.composite
def expressions(draw: st.DrawFn, depth: int) -> Any:
    kind = draw(st.sampled_from(EXPRESSIONS if depth < MAX_DEPTH else ATOMS))
    inner = expressions(depth + 1)
    if kind == "name":
        return (kind, draw(st.sampled_from(NAMES)))
    if kind == "number":
        return (kind, draw(st.sampled_from(NUMBERS)))
    if kind == "binary":
        return (kind, draw(st.sampled_from(OPERATORS)), draw(inner), draw(inner))
    if kind in ("assign", "call"):
        return (kind, draw(inner), draw(inner))
    if kind == "arrow":
        return (kind, tuple(draw(st.lists(st.sampled_from(NAMES), max_size=2))), draw(inner))
    return (kind, draw(inner))


@st.composite
def statements(draw: st.DrawFn, depth: int) -> Any:
    kind = draw(st.sampled_from(STATEMENTS if depth < MAX_DEPTH else SIMPLE))
    expression = expressions(depth + 1)
    if kind in ("break", "continue"):
        return (kind, draw(st.none() | st.sampled_from(LABELS)))
    if kind == "expression":
        return (kind, draw(expression))
    if kind == "return":
        return (kind, draw(st.none() | expression))
    if kind == "declare":
        keyword = draw(st.sampled_from(("var", "let", "const")))
        return (kind, keyword, draw(st.sampled_from(NAMES)), draw(st.none() | expression))
    body = blocks(depth + 1)
    if kind in ("if", "while", "with", "for"):
        return (kind, draw(expression), draw(body))
    if kind == "function":
        return (kind, draw(st.sampled_from(NAMES)), draw(st.booleans()), draw(body))
    if kind == "label":
        return (kind, draw(st.sampled_from(LABELS)), draw(statements(depth + 1)))
    return (kind, draw(body), draw(st.none() | body), draw(st.none() | body))


def blocks(depth: int) -> st.SearchStrategy[Any]:
    return st.lists(statements(depth), max_size=2).map(tuple)


@st.composite
def programs(draw: st.DrawFn) -> Any:
    return ("program", draw(st.booleans()), tuple(draw(st.lists(statements(0), min_size=2, max_size=4))))


def render(node: Any) -> str:
    """The source text of a node; a tuple of nodes is a block."""
    if node is None:
        return ""
    if not node or isinstance(node[0], tuple):
        return "{" + " ".join(map(render, node)) + "}"
    kind, *rest = node
    if kind in ("name", "number"):
        return str(rest[0])
    if kind == "program":
        return _strictly(rest[0]) + "\n".join(map(render, rest[1]))
    if kind in _EXPRESSION_TEXT:
        return str(_EXPRESSION_TEXT[kind](*rest))
    return str(_STATEMENT_TEXT[kind](*rest))


def _strictly(strict: bool) -> str:
    return "'use strict'; " if strict else ""


_EXPRESSION_TEXT: dict[str, Any] = {
    "binary": lambda operator, left, right: f"({render(left)} {operator} {render(right)})",
    "assign": lambda place, value: f"({render(place)} = {render(value)})",
    "call": lambda function, argument: f"{render(function)}({render(argument)})",
    "delete": lambda place: f"(delete {render(place)})",
    "arrow": lambda names, body: f"(({', '.join(names)}) => {render(body)})",
    "member": lambda value: f"({render(value)}).b",
    "increment": lambda place: f"({render(place)}++)",
}
_STATEMENT_TEXT: dict[str, Any] = {
    "expression": lambda value: f"{render(value)};",
    "declare": lambda keyword, name, value: f"{keyword} {name}{f' = {render(value)}' if value else ''};",
    "return": lambda value: f"return {render(value)};",
    "break": lambda label: f"break {label or ''};",
    "continue": lambda label: f"continue {label or ''};",
    "if": lambda test, body: f"if ({render(test)}) {render(body)}",
    "while": lambda test, body: f"while ({render(test)}) {render(body)}",
    "with": lambda scope, body: f"with ({render(scope)}) {render(body)}",
    "for": lambda place, body: f"for ({render(place)} in a) {render(body)}",
    "function": lambda name, strict, body: f"function {name}() {{{_strictly(strict)}{render(body)[1:]}",
    "label": lambda label, body: f"{label}: {render(body)}",
    "try": lambda body, caught, finally_: (
        f"try {render(body)}"
        + (f" catch (e) {render(caught)}" if caught is not None else "")
        + (f" finally {render(finally_)}" if finally_ is not None else "")
    ),
}


def nodes(node: Any) -> Iterator[Any]:
    """Every statement and expression inside a node, itself included."""
    if not isinstance(node, tuple):
        return
    if node and isinstance(node[0], str) and node[0] not in NAMES:
        yield node
    for part in node:
        yield from nodes(part)


def admits(program: Any) -> bool:
    return 2 <= len(program[2]) <= 4 and all(_depth(statement) <= MAX_DEPTH + 1 for statement in program[2])


def _depth(node: Any) -> int:
    if not isinstance(node, tuple) or not node:
        return -1
    if isinstance(node[0], tuple):
        return max(map(_depth, node))
    return 1 + max((_depth(part) for part in node[1:] if node[0] != "arrow" or part is node[2]), default=-1)
