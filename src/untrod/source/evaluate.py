"""From an expression tree back to the value: fresh objects each time."""

from __future__ import annotations

import ast
import builtins
import importlib
from functools import lru_cache
from typing import Any

from untrod.source.nodes import Atom, Call, Display, Member, Node, Pairs, Ref, Text


def evaluate(node: Node) -> Any:
    """What the source would evaluate to. Raises what constructors raise, ValueError where it is no source.

    Trees are walked and not printed and compiled: an engine evaluates thousands of them each second.
    """
    match node:
        case Atom(text):
            return _atom(text)
        case Text(value):
            return value
        case Ref():
            return resolve(node)
        case Display("[", items):
            return [evaluate(item) for item in items]
        case Display("(", items):
            return tuple(evaluate(item) for item in items)
        case Display(_, items):
            return {evaluate(item) for item in items}
        case Pairs(pairs):
            return {evaluate(key): evaluate(value) for key, value in pairs}
        case Member(of, name):
            return getattr(evaluate(of), name)
        case Call(callee, arguments, keywords):
            function = _builtin(callee.text) if isinstance(callee, Atom) else evaluate(callee)
            return function(
                *(evaluate(argument) for argument in arguments),
                **{name: evaluate(value) for name, value in keywords},
            )


def resolve(ref: Ref) -> Any:
    """What the name stands for. Raises ImportError or AttributeError."""
    found: Any = importlib.import_module(ref.module)
    for part in ref.qualname.split("."):
        found = getattr(found, part)
    return found


@lru_cache(maxsize=4096)
def _atom(text: str) -> Any:
    """Numbers, True, False and None: all of them immutable, so that one object serves everybody."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, TypeError, ValueError) as error:
        raise ValueError(f"not a literal: {text[:80]}") from error


def _builtin(name: str) -> Any:
    found = getattr(builtins, name, None)
    if not isinstance(found, type):
        raise ValueError(f"not a built-in type: {name[:80]}")
    return found
