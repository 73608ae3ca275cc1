"""What an expression such as `list[int] | None` means, without running it: names are looked up,
types take their parameters, nothing else is called.

For docstrings and the bodies of functions, which must not be executed only because they are read.
Besides, `checked_imports`: what a module imports for type checkers alone, and its annotations speak of.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import sys
import typing
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import resolve_name
from types import ModuleType
from typing import Any


class NotAType(Exception):
    """It is something else, or its names are not known."""


def resolve(expression: str | ast.expr, namespace: Mapping[str, Any]) -> Any:
    """What it stands for: mostly a type, or a tuple of types. Raises NotAType.

    Names are those of `namespace`, then of `typing` and Python's own.
    """
    try:
        node = ast.parse(expression, mode="eval").body if isinstance(expression, str) else expression
        return _value(node, namespace)
    except NotAType:
        raise
    except Exception as error:  # a type that does not take these parameters, or no Python at all
        raise NotAType(str(error)) from error


def _value(node: ast.expr, namespace: Mapping[str, Any]) -> Any:
    match node:
        case ast.Name(id=name):
            return _named(name, namespace)
        case ast.Attribute(value=owner, attr=name):
            return getattr(_value(owner, namespace), name)
        case ast.Constant(value=None):
            return None
        case ast.Constant(value=value) if value is ...:
            return value
        case ast.Tuple(elts=items):
            return tuple(_value(item, namespace) for item in items)
        case ast.List(elts=items):
            return [_value(item, namespace) for item in items]
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _type(_value(left, namespace)) | _type(_value(right, namespace))
        case ast.Subscript(value=owner, slice=inside):
            outer = _value(owner, namespace)
            if outer is typing.Literal:
                return outer[ast.literal_eval(inside)]
            return _type(outer)[_value(inside, namespace)]
    raise NotAType(ast.unparse(node))


def _named(name: str, namespace: Mapping[str, Any]) -> Any:
    for known in (namespace, vars(typing), vars(builtins)):
        if name in known:
            return known[name]
    raise NotAType(name)


def _type(value: Any) -> Any:
    """Of the operands: whatever else has a `|` or a `[]` of its own is left alone."""
    if value is None or isinstance(value, type) or typing.get_origin(value) is not None:
        return value
    if getattr(value, "__module__", None) in ("typing", "collections.abc"):
        return value
    raise NotAType(f"an object of {type(value).__name__}")


def checked_imports(module: str, names: Iterable[str]) -> dict[str, Any]:
    """Those of `names` that the module imports under `if TYPE_CHECKING:` and that can be had; no others are
    imported, for that may take long."""
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
