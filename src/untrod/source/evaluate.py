"""From an expression tree back to the value: fresh objects each time."""

from __future__ import annotations

import ast
import builtins
import importlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from untrod.source.nodes import Atom, Call, Display, Lambda, Member, Node, Pairs, Ref, Text


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
        case Lambda(parameters, body):
            if node.hands_back:
                place = node.names.index(body.text)  # type: ignore[union-attr]
                return _shell(parameters)(lambda *given: given[place])
            return _shell(parameters)(lambda *given: evaluate(body))
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


@lru_cache(maxsize=256)
def _shell(parameters: tuple[str, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Makes functions with that signature. The names were checked when the tree was made or decoded."""
    handed = ", ".join(parameter.lstrip("*") for parameter in parameters)
    source = f"lambda _untrod: lambda {', '.join(parameters)}: _untrod({handed})"
    return eval(source)  # type: ignore[no-any-return]


def _builtin(name: str) -> Any:
    found = getattr(builtins, name, None)
    if not isinstance(found, type):
        raise ValueError(f"not a built-in type: {name[:80]}")
    return found
