"""Choices in the test's own words: `country='us'` in `Order` instead of option 2 of a strategy.

A choice is named after what the test calls it: the argument of the test, the field of a class that is built,
the key of a dictionary, the variable of a `@composite` function that the draw is assigned to. Where nothing
has a name, the kind of strategy has to do.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Sequence
from functools import lru_cache
from inspect import signature
from types import CodeType
from typing import Any

from untrod.engines.inputs.backend.names import Names

_LONGEST = 40
_ELEMENT = -1

Site = tuple[Any, ...]


class Words:
    """`arguments` are those of the running test, in order."""

    def __init__(self, names: Names, arguments: Sequence[str]) -> None:
        self._names = names
        self._arguments = tuple(arguments)

    def choice(self, site: Site, value: Any, argument: int) -> str:
        """`scope='system'`"""
        return f"{self._what(site, argument)}={self._shown(site, value)}"

    def place(self, site: Site) -> str:
        """Where the choice is made: the class that is built, the `@composite` function; or nothing."""
        parent: Any = self._names.strategies.get(str(site[3]))
        if type(parent).__name__ == "BuildsStrategy":
            return str(getattr(parent.target, "__name__", ""))
        if type(parent).__name__ == "CompositeStrategy":
            return str(getattr(parent.definition, "__name__", ""))
        return ""

    def _what(self, site: Site, argument: int) -> str:
        kind, name, place, around = site
        outer = self._arguments[argument] if 0 <= argument < len(self._arguments) else ""
        if kind == "char":
            return f"{outer}[i]" if outer else "letter"
        if around == "" and outer:
            return outer
        if place == _ELEMENT:
            return f"{outer}[i]" if outer else "element"
        parent = self._names.strategies.get(str(around))
        if type(parent).__name__ == "TupleStrategy":
            return f"{outer}[...][{place}]"
        if word := self._part_of(parent, str(around), place):
            return word
        return f"{outer}[...]" if outer else str(name).partition("#")[0].partition("(")[0].lower()

    def _part_of(self, parent: Any, around: str, place: int) -> str:
        """What `parent` calls its part number `place`; or the draw at that offset."""
        kind = type(parent).__name__
        try:
            if kind == "BuildsStrategy":
                return str(_fields(parent)[place])
            if kind == "FixedDictStrategy":
                return repr(list(parent.mapping)[place])
            if (around, place) in self._names.calls:
                return _assigned(self._names.calls[around, place], place)
        except (AttributeError, IndexError, TypeError, ValueError):
            pass
        return ""

    def _shown(self, site: Site, value: Any) -> str:
        kind, name = site[0], site[1]
        if kind == "bool":
            return str(bool(value))
        elements = self._names.elements.get(str(name), ())
        if kind == "int" and isinstance(value, int) and 0 <= value < len(elements):
            return elements[value]
        text = repr(value)
        return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _fields(builds: Any) -> list[str]:
    names = list(signature(builds.target).parameters) if builds.args else []
    return [*names[: len(builds.args)], *builds.kwargs]


@lru_cache(maxsize=1024)
def _assigned(code: CodeType, offset: int) -> str:
    """The variable, argument or key that the call at `offset` is for."""
    position = list(code.co_positions())[offset // 2]
    path = _calls(code.co_filename).get(position)
    return "" if path is None else _name_of(path)


@lru_cache(maxsize=64)
def _calls(filename: str) -> dict[tuple[int | None, ...], list[ast.AST]]:
    """Every call in the file by its position, with the nodes around it, the innermost first."""
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found: dict[tuple[int | None, ...], list[ast.AST]] = {}

    def visit(node: ast.AST, around: list[ast.AST]) -> None:
        if isinstance(node, ast.Call):
            found[node.lineno, node.end_lineno, node.col_offset, node.end_col_offset] = [node, *around]
        for child in ast.iter_child_nodes(node):
            visit(child, [node, *around[:4]])

    visit(tree, [])
    return found


def _name_of(path: list[ast.AST]) -> str:
    node, several = path[0], ""
    for around in path[1:]:
        if isinstance(around, ast.keyword):
            return (around.arg or "") + several
        if isinstance(around, ast.NamedExpr):
            return around.target.id + several
        if isinstance(around, ast.Dict) and node in around.values:
            key = around.keys[around.values.index(node)]
            return repr(key.value) if isinstance(key, ast.Constant) else ""
        if isinstance(around, ast.Assign | ast.AnnAssign):
            target = around.targets[0] if isinstance(around, ast.Assign) else around.target
            return target.id + several if isinstance(target, ast.Name) else ""
        if not isinstance(around, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.List):
            return ""
        node, several = around, "[i]"
    return ""
