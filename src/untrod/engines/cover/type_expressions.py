"""What an expression such as `list[int] | None` means, without running it: names are looked up,
types take their parameters, nothing else is called.

For docstrings and the bodies of functions: nobody expects them to be executed because somebody reads them.
"""

from __future__ import annotations

import ast
import builtins
import typing
from collections.abc import Mapping
from typing import Any


class NotAType(Exception):
    """It is something else, or nobody knows its names."""


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
