"""How a project calls its own functions: in its code, in its tests, in the examples of its docstrings.

What callers pass tells what a parameter without an annotation is for: where all of them pass a callable, a
number says nothing about the function. And an exception that callers handle is part of the interface.
"""

from __future__ import annotations

import ast
import builtins
import doctest
import importlib
import operator
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

MOST_FILES = 1_500
MOST_BYTES = 8_000_000
MOST_PARSED = 80
_SKIPPED = frozenset({"node_modules", "site-packages", "build", "dist", "__pycache__", "venv", "env"})
_OURS = "# Found by untrod"
OTHER = "other"
"""The kind of an argument that is no literal: anything may be behind it."""
_CONTAINERS = {
    ast.List: "list",
    ast.ListComp: "list",
    ast.Tuple: "tuple",
    ast.Dict: "dict",
    ast.DictComp: "dict",
}
_CONTAINERS |= {ast.Set: "set", ast.SetComp: "set", ast.Lambda: "callable", ast.JoinedStr: "str"}
_CONTAINERS |= {ast.GeneratorExp: "iterator"}
_NUMBERS = frozenset({"int", "float", "bool"})
_SEQUENCES = frozenset({"list", "tuple", "iterator", "range"})


@dataclass
class Calls:
    """`kinds`: what is passed, by number or name of the argument. `handled`: names of exceptions that callers
    handle."""

    count: int = 0
    kinds: dict[int | str, set[str]] = field(default_factory=dict)
    handled: set[str] = field(default_factory=set)

    def contradicts(self, place: int | str, value: Any) -> bool:
        """Does nobody pass a value of that kind? Where one caller passes a variable, nobody knows; but where
        all others pass callables, that is one, too."""
        seen = self.kinds.get(place, set())
        known = seen - {OTHER, "None"}
        if not known or (OTHER in seen and known != {"callable"}):
            return False
        return not _is_among(kind_of(value), seen)

    def confirms(self, place: int | str, value: Any) -> bool:
        return _is_among(kind_of(value), self.kinds.get(place, set()))

    def handles(self, error: BaseException) -> str:
        names = [
            kind.__name__ for kind in type(error).__mro__ if kind not in (Exception, BaseException, object)
        ]
        return next((name for name in names if name in self.handled), "")


def kind_of(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, str | bytes | bool | int | float | complex | list | tuple | dict | set | frozenset):
        return type(value).__name__
    return "callable" if callable(value) else type(value).__name__


def _is_among(kind: str, seen: set[str]) -> bool:
    if kind in seen or (kind in _NUMBERS and seen & _NUMBERS and kind != "bool"):
        return True
    return kind in _SEQUENCES and bool(seen & _SEQUENCES)


class Callers:
    """Of a project folder. `near`: files of the code under test, which are looked at first."""

    def __init__(self, project: Path, near: list[str]) -> None:
        self._project = project
        self._near = near
        self._trees: dict[str, ast.Module | None] = {}
        self._found: dict[str, Calls] = {}

    def of(self, name: str) -> Calls:
        """Of a function or a class, by the last part of its name."""
        if name not in self._found:
            self._found[name] = self._look_for(name)
        return self._found[name]

    def _look_for(self, name: str) -> Calls:
        calls, parsed = Calls(), 0
        wanted = f"{name}("
        for path, text in self._texts.items():
            if wanted not in text or parsed >= MOST_PARSED:
                continue
            parsed += 1
            if path not in self._trees:
                self._trees[path] = _parsed(text)
            tree = self._trees[path]
            if tree is not None:
                _collect(tree, name, calls)
        return calls

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        found: dict[str, str] = {}
        size = 0
        for path in self._files():
            try:
                text = Path(path).read_text(encoding="utf-8")
            except (OSError, ValueError):
                continue
            if text.startswith(_OURS):
                continue  # it pins what the code does, right or wrong
            size += len(text)
            if size > MOST_BYTES or len(found) >= MOST_FILES:
                break
            found[path] = text
        return found

    def _files(self) -> Iterator[str]:
        """Those of the code under test and beside it; then all of its package; then all the others."""
        near = list(dict.fromkeys(self._near))
        packages = list(dict.fromkeys(self._package(path) for path in near))
        seen: set[str] = set()
        for path in [*near, *(one for top in [*packages, self._project] for one in _sources(top))]:
            if path not in seen:
                seen.add(path)
                yield path

    def _package(self, path: str) -> Path:
        """The outermost folder with an `__init__.py` around the file, within the project."""
        folder = Path(path).parent
        while (folder.parent / "__init__.py").is_file() and folder.parent != self._project:
            folder = folder.parent
        return folder


def _sources(top: Path) -> Iterator[str]:
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(one for one in folders if one not in _SKIPPED and not one.startswith("."))
        yield from (os.path.join(folder, name) for name in sorted(files) if name.endswith(".py"))


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _collect(tree: ast.Module, name: str, calls: Calls) -> None:
    """From the code, and from the examples in its docstrings."""
    _Sites(name, calls, _names_in(tree)).visit(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node, clean=False) or ""
            if name in text and ">>>" in text:
                try:
                    examples = [
                        one.source for one in doctest.DocTestParser().get_examples(text) if not one.exc_msg
                    ]
                    tests = ast.parse("".join(examples))
                except (SyntaxError, ValueError):
                    continue
                names = {**_OPERATORS, **_names_in(tree), **_names_in(tests)}
                _Sites(name, calls, names).visit(tests)


def _names_in(tree: ast.Module) -> dict[str, str]:
    """What names are bound to, as far as it can be seen: functions and classes."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = "callable"
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if _is_callable(node.module, alias.name):
                    found[alias.asname or alias.name] = "callable"
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            found.update({one.id: "callable" for one in node.targets if isinstance(one, ast.Name)})
    return found


_KNOWN = ("operator", "math", "functools", "itertools", "collections", "string", "os.path", "json")


_OPERATORS = dict.fromkeys(operator.__all__, "callable")
"""What examples mention without importing it."""


def _is_callable(module: str, name: str) -> bool:
    return module in _KNOWN and callable(getattr(importlib.import_module(module), name, None))


class _Sites(ast.NodeVisitor):
    def __init__(self, name: str, calls: Calls, names: Mapping[str, str]) -> None:
        self._name = name
        self._calls = calls
        self._names = names
        self._handled: list[set[str]] = []
        self._refused = 0  # within `pytest.raises`

    def visit_Try(self, node: ast.Try) -> None:
        self._handled.append({name for one in node.handlers for name in _error_names(one.type)})
        for statement in node.body:
            self.visit(statement)
        self._handled.pop()
        for part in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(part)

    def visit_With(self, node: ast.With) -> None:
        """`with pytest.raises(KeyError):` says that it is meant, and that the arguments are not."""
        expected = [item.context_expr for item in node.items if _is_raises(item.context_expr)]
        names = {name for one in expected for inside in one.args[:1] for name in _error_names(inside)}  # type: ignore[attr-defined]
        self._handled.append(names)
        self._refused += bool(expected)
        self.generic_visit(node)
        self._refused -= bool(expected)
        self._handled.pop()

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        named = (
            called.id
            if isinstance(called, ast.Name)
            else called.attr
            if isinstance(called, ast.Attribute)
            else ""
        )
        if named == self._name:
            self._note(node)
        elif _is_raises(node) and len(node.args) > 1 and _last(node.args[1]) == self._name:
            self._calls.handled.update(_error_names(node.args[0]))
        self.generic_visit(node)

    def _note(self, node: ast.Call) -> None:
        self._calls.handled.update(*self._handled)
        if self._refused:
            return
        self._calls.count += 1
        for place, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                break
            self._calls.kinds.setdefault(place, set()).add(self._kind(argument))
        for keyword in node.keywords:
            if keyword.arg:
                self._calls.kinds.setdefault(keyword.arg, set()).add(self._kind(keyword.value))

    def _kind(self, node: ast.expr) -> str:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return self._kind(node.operand)
        if isinstance(node, ast.Constant):
            return "None" if node.value is None else type(node.value).__name__
        if isinstance(node, ast.Name):
            is_builtin = callable(getattr(builtins, node.id, None))
            return self._names.get(node.id, "callable" if is_builtin else OTHER)
        return _CONTAINERS.get(type(node), OTHER)


def _is_raises(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and _last(node.func) in ("raises", "assertRaises", "assertRaisesRegex")
        and bool(node.args)
    )


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _error_names(node: ast.expr | None) -> set[str]:
    parts = node.elts if isinstance(node, ast.Tuple) else [node] if node is not None else []
    return {name for part in parts if (name := _last(part))} - {"Exception", "BaseException"}
