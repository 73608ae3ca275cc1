"""Rewrites the code under test where Python would ask no proxy.

`c in "abc"`, `",".join(parts)`, `ord(c)`, `type(x) is int`: here C code looks at the arguments and finds no
str and no int. A proxy cannot help that; the source can. So the syntax tree of the module is read, those
operations are turned into calls of helpers.py, and while a path runs the functions' code objects are
exchanged for the rewritten ones. Lines stay as they are. A function whose source is not to be had, or does
not compile to what is loaded, runs as it is; operations on proxies then end as unsupported.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from untrod.core.reading import read_bytes
from untrod.symbolic.lean import helpers

_CONTAINS, _METHOD, _BUILTIN = "__untrod_contains__", "__untrod_method__", "__untrod_builtin__"
_NAMES = {_CONTAINS: helpers.contains, _METHOD: helpers.method, _BUILTIN: helpers.builtin}
_EVERYWHERE = frozenset({"ord", "chr"})  # also as values: map(ord, text)
_CALLED = frozenset({"int", "str", "type"})  # types are also used for isinstance and annotations: calls only
MOST_MODULES = 40


class Rewritten:
    """The rewritten functions that `function` may reach in its own package. `with` exchanges the code."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._pairs: list[tuple[FunctionType, CodeType, CodeType]] = []
        for module, functions in _reachable(function).items():
            codes = _rewritten_codes(module)
            for found in functions:
                loaded = found.__code__
                plain, changed = codes.get(_name(loaded), (loaded, loaded))
                if plain.co_code == loaded.co_code and plain != changed:
                    found.__globals__.update(_NAMES)
                    self._pairs.append((found, loaded, changed))

    def __enter__(self) -> None:
        for function, _, changed in self._pairs:
            function.__code__ = changed

    def __exit__(self, *exception: object) -> None:
        for function, loaded, _ in self._pairs:
            function.__code__ = loaded


class _Rewriter(ast.NodeTransformer):
    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In | ast.NotIn):
            return node
        asked = _call(_CONTAINS, node, node.left, node.comparators[0])
        if isinstance(node.ops[0], ast.In):
            return asked
        return ast.copy_location(ast.UnaryOp(ast.Not(), asked), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in helpers.METHODS:
            name = ast.copy_location(ast.Constant(function.attr), function)
            node.func = _call(_METHOD, function, function.value, name)
        elif isinstance(function, ast.Name) and function.id in _CALLED:
            node.func = _call(_BUILTIN, function, function)
        elif isinstance(function, ast.Name) and function.id == "map" and node.args:
            first = node.args[0]
            if isinstance(first, ast.Name) and first.id in _CALLED:
                node.args[0] = _call(_BUILTIN, first, first)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in _EVERYWHERE and isinstance(node.ctx, ast.Load):
            return _call(_BUILTIN, node, node)
        return node


def _call(name: str, place: ast.expr, *args: ast.expr) -> ast.Call:
    callee = ast.copy_location(ast.Name(name, ast.Load()), place)
    return ast.copy_location(ast.Call(callee, list(args), []), place)


@lru_cache(maxsize=MOST_MODULES)  # many executors for one module compile it once
def _rewritten_codes(module: ModuleType) -> dict[tuple[str, int], tuple[CodeType, CodeType]]:
    """By name and line: code as it is compiled from the source, and as it is rewritten."""
    path = getattr(module, "__file__", None) or ""
    try:
        source = read_bytes(path)
        plain = compile(source, path, "exec", dont_inherit=True)
        tree = _Rewriter().visit(ast.parse(source, path))
        changed = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return {}
    before, after = dict(_unique(plain)), dict(_unique(changed))
    return {name: (before[name], after[name]) for name in before.keys() & after.keys()}


def _name(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _unique(module: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    """All code objects within, but those (two lambdas on a line) that share name and line."""
    found: dict[tuple[str, int], list[CodeType]] = {}
    todo = [module]
    while todo:
        code = todo.pop()
        found.setdefault(_name(code), []).append(code)
        todo.extend(constant for constant in code.co_consts if isinstance(constant, CodeType))
    return ((name, codes[0]) for name, codes in found.items() if len(codes) == 1)


def _reachable(function: Callable[..., Any]) -> dict[ModuleType, list[FunctionType]]:
    """The functions of its module, and of those modules of its package that this one mentions, and so on."""
    own = getattr(function, "__module__", None) or ""
    top = own.split(".")[0]
    reached: dict[ModuleType, list[FunctionType]] = {}
    todo = [own]
    while todo and len(reached) < MOST_MODULES:
        module = sys.modules.get(todo.pop(0))
        if module is None or module in reached:
            continue
        functions = {id(found): found for found in _functions(vars(module), module.__name__, 0)}
        reached[module] = list(functions.values())
        for value in list(vars(module).values()):
            name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            if isinstance(name, str) and name.split(".")[0] == top:
                todo.append(name)
    target = getattr(function, "__func__", function)
    if isinstance(target, FunctionType) and own in sys.modules:
        known = reached.setdefault(sys.modules[own], [])
        if all(target is not found for found in known):
            known.append(target)
    return reached


def _functions(namespace: Any, module: str, depth: int) -> Iterator[FunctionType]:
    for value in list(namespace.values()):
        if isinstance(value, staticmethod | classmethod):
            value = value.__func__
        if isinstance(value, property):
            parts = (value.fget, value.fset, value.fdel)
            yield from (part for part in parts if isinstance(part, FunctionType))
        elif isinstance(value, type) and value.__module__ == module and depth < 3:
            yield from _functions(vars(value), module, depth + 1)
        else:
            for _ in range(8):  # through functools.wraps and functools.cache
                if isinstance(value, FunctionType) and value.__module__ == module:
                    yield value
                wrapped = getattr(value, "__wrapped__", None) if callable(value) else None
                if wrapped is None:
                    break
                value = wrapped
