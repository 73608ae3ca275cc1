"""Values of a wrong type, for code that looks: `if not isinstance(n, int): raise TypeError` is a branch, too.

They are drawn for parameters whose name is tested for its type somewhere in the module, now and then. An
exception that such a value causes elsewhere is no bug of the code: `is_stray` tells these values apart.
"""

from __future__ import annotations

import ast
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any

from untrod.engines.cover.values.kinds import NOTHING, DrawContext, Kind
from untrod.source.evaluate import evaluate
from untrod.source.nodes import Atom, Call, Display, Node, Text

OFTEN = 0.04
_NONE = NOTHING.nodes
_TEXT: tuple[Node, ...] = (Text("x"),)
_ODD: tuple[Node, ...] = (
    *_NONE,
    Atom("True"),
    Atom("0"),
    Atom("1.5"),
    Text("x"),
    Text(b"x"),
    Display("[", (Atom("1"),)),
    Call(Atom("object")),
)


@dataclass(frozen=True, slots=True)
class Checked:
    """Mostly of that kind, else one of the `strays`."""

    kind: Kind
    strays: tuple[Node, ...]

    def draw(self, context: DrawContext) -> Node:
        return context.rng.choice(self.strays) if context.happens(OFTEN) else self.kind.draw(context)

    def mutate(self, node: Node, context: DrawContext) -> Node:
        return context.rng.choice(self.strays) if context.happens(OFTEN) else self.kind.mutate(node, context)


def with_strays(kind: Kind, hint: Any, name: str, function: Callable[..., Any]) -> Kind:
    """`name` is that of a parameter of `function`, and `hint` its type."""
    module = inspect.getmodule(inspect.unwrap(function))
    candidates = _checked(module).get(name, ()) if module is not None else ()
    strays = tuple(node for node in candidates if is_stray(node, hint))
    return Checked(kind, strays) if strays else kind


def is_stray(node: Node, hint: Any) -> bool:
    """Is it of another type? `True` for a number is one, to code that looks."""
    try:
        value = evaluate(node)
        return (value is True and hint is int) or not _fits(value, hint)
    except Exception:
        return False


def _fits(value: Any, hint: Any) -> bool:
    """Where a type says too little, everything fits."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, one) for one in typing.get_args(hint))
    if origin is typing.Annotated:
        return _fits(value, typing.get_args(hint)[0])
    if origin is typing.Literal:
        return value in typing.get_args(hint)
    kind = origin or hint
    if hint is None or kind is type(None):
        return value is None
    if kind is float:
        return isinstance(value, int | float)
    return not isinstance(kind, type) or isinstance(value, kind)


@lru_cache(maxsize=64)
def _checked(module: ModuleType) -> Mapping[str, tuple[Node, ...]]:
    """The names whose type is looked at in the module, and what to try there."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError, ValueError):
        return {}
    found: dict[str, tuple[Node, ...]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "type" | "callable"), args=[ast.Name(id=name), *_]):
                found[name] = _ODD
            case ast.Compare(left=ast.Name(id=name), ops=[ast.In() | ast.NotIn()]):
                found.setdefault(name, _TEXT)
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot()], comparators=[other]):
                if isinstance(other, ast.Constant) and other.value is None:
                    found[name] = tuple(dict.fromkeys((*found.get(name, ()), *_NONE)))
    return found
