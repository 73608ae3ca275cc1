"""What a module imports for type checkers alone, under `if TYPE_CHECKING:`. Its annotations speak of that."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import resolve_name
from types import ModuleType
from typing import Any


def checked_imports(module: str, names: Iterable[str]) -> dict[str, Any]:
    """Those of `names` that can be had; no others are imported, for that may take long."""
    loaded = sys.modules.get(module)
    known = _statements(loaded) if loaded is not None else {}
    found: dict[str, Any] = {}
    for name in names:
        if name in known:
            try:
                found[name] = _imported(*known[name])
            except Exception:  # it need not be installed: nobody runs that line
                continue
    return found


def _imported(source: str, attribute: str) -> Any:
    module = importlib.import_module(source)
    if attribute and not hasattr(module, attribute):
        return importlib.import_module(f"{source}.{attribute}")
    return getattr(module, attribute) if attribute else module


@cache
def _statements(module: ModuleType) -> dict[str, tuple[str, str]]:
    """By the name that it binds: the module, and what is taken from it, if it is not the module itself."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return {}
    return dict(_bound(tree, module.__package__ or ""))


def _bound(tree: ast.Module, package: str) -> Iterator[tuple[str, tuple[str, str]]]:
    for statement in _for_checkers(tree):
        match statement:
            case ast.Import(names=aliases):
                for alias in aliases:
                    whole = alias.name if alias.asname else alias.name.partition(".")[0]
                    yield alias.asname or whole, (whole, "")
            case ast.ImportFrom(module=source, names=aliases, level=level):
                whole = source or ""
                if level:
                    whole = resolve_name("." * level + whole, package)
                for alias in aliases:
                    yield alias.asname or alias.name, (whole, alias.name)


def _for_checkers(tree: ast.Module) -> Iterator[ast.stmt]:
    for statement in tree.body:
        match statement:
            case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"), body=body):
                yield from body
