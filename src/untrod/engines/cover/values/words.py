"""The constants that the code under test compares with: a dictionary, as fuzzers call it."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from untrod.engines.cover.docstrings import documented_values

LONGEST = 60
MOST = 2_000
_PATTERNS = frozenset({"compile", "match", "fullmatch", "search", "sub", "split", "findall", "finditer"})


@dataclass
class Words:
    """In the order of the source, each once."""

    ints: list[int] = field(default_factory=list)
    floats: list[float] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    octets: list[bytes] = field(default_factory=list)
    patterns: list[tuple[str, int]] = field(default_factory=list)
    """Regular expressions and their flags."""
    matching: list[str] = field(default_factory=list)
    """Texts that match them; filled by `matching.py`."""
    examples: list[str] = field(default_factory=list)
    """Texts of the examples in docstrings, whole."""

    def add(self, value: Any) -> None:
        kind = type(value)
        if kind is str and 0 < len(value) <= LONGEST:
            _put(self.texts, value)
        elif kind is bytes and 0 < len(value) <= LONGEST:
            _put(self.octets, value)
        elif kind is int:
            _put(self.ints, value)
        elif kind is float:
            _put(self.floats, value)


def words_of(modules: Iterable[ModuleType], sources: Iterable[str]) -> Words:
    """From the literals in the sources, of docstrings only the examples, and from what the tables of the
    modules and of their classes hold."""
    words = Words()
    for source in sources:
        _read(ast.parse(source), words)
    for module in modules:
        for name, value in list(vars(module).items()):
            if not name.startswith("__"):
                _look_into(value, words, 2)
            if isinstance(value, type) and value.__module__ == module.__name__:
                for part, held in list(vars(value).items()):
                    if not part.startswith("__"):
                        _look_into(held, words, 1)
    return words


def words_of_function(function: Callable[..., Any]) -> Words:
    """From the literals in its body, and the examples in its docstring; none where there is no source."""
    words = Words()
    try:
        _read(ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))), words)
    except (OSError, TypeError, SyntaxError, ValueError):
        pass
    return words


def _read(tree: ast.Module, words: Words) -> None:
    skipped = set(_skipped(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in skipped:
            words.add(node.value)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            if isinstance(node.operand, ast.Constant) and type(node.operand.value) in (int, float):
                words.add(-node.operand.value)  # type: ignore[operator]
        elif isinstance(node, ast.Call) and node.args:
            _read_pattern(node, words)
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for value in documented_values(ast.get_docstring(node) or ""):
                words.add(value)
                if isinstance(value, str) and value:
                    _put(words.examples, value)


def _read_pattern(node: ast.Call, words: Words) -> None:
    first, callee = node.args[0], node.func
    if (
        isinstance(callee, ast.Attribute)
        and callee.attr in _PATTERNS
        and isinstance(callee.value, ast.Name)
        and callee.value.id == "re"
        and isinstance(first, ast.Constant)
        and isinstance(first.value, str)
    ):
        _put(words.patterns, (first.value, 0))


def _skipped(tree: ast.Module) -> Iterable[int]:
    """Docstrings and the parts of f-strings are for people to read; annotations are types."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield id(node.value)
        elif isinstance(node, ast.JoinedStr):
            yield from (id(part) for part in node.values)
        elif isinstance(node, ast.Raise):
            yield from (id(part) for part in ast.walk(node))
        elif isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            yield from (id(part) for part in ast.walk(node.annotation))


def _look_into(value: Any, words: Words, depth: int) -> None:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            _put(words.patterns, (value.pattern, value.flags))
        return
    words.add(value)
    if depth and isinstance(value, dict | list | tuple | set | frozenset) and len(value) <= MOST:
        parts = [*value, *value.values()] if isinstance(value, dict) else list(value)
        if isinstance(value, set | frozenset):
            parts.sort(key=repr)  # the order of a set of strings is that of the process
        for part in parts:
            _look_into(part, words, depth - 1)


def _put(known: list[Any], value: Any) -> None:
    if len(known) < MOST and value not in known:
        known.append(value)
