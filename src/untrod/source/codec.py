"""Expression trees as JSON: how a value's source leaves the worker that made it."""

from __future__ import annotations

import builtins
import re

from untrod.core.vocabulary import Json
from untrod.source.names import dotted, name
from untrod.source.nodes import Atom, Call, Display, Node, Pairs, Ref, Text

_ATOM = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:e-?[0-9]+)?|None|True|False")


def encode(node: Node) -> Json:
    """A list whose first element names the kind of node."""
    match node:
        case Atom(text):
            return ["atom", text]
        case Text(bytes(value)):
            return ["bytes", value.hex()]
        case Text(str(value)):
            return ["text", value]
        case Ref(module, qualname):
            return ["ref", module, qualname]
        case Call(function, arguments, keywords):
            named = [[name, encode(value)] for name, value in keywords]
            return ["call", encode(function), [encode(argument) for argument in arguments], named]
        case Display(bracket, items):
            return ["display", bracket, [encode(item) for item in items]]
        case Pairs(pairs):
            return ["pairs", [[encode(key), encode(value)] for key, value in pairs]]
    raise TypeError(f"not a node: {node!r}")


def decode(body: Json) -> Node:
    """Raises ValueError on anything that is not the source of a value: the worker ran code of others."""
    try:
        return _decode(body)
    except (TypeError, IndexError, KeyError, AttributeError) as error:
        raise ValueError(f"not an encoded node: {error}") from error


def _decode(body: Json) -> Node:
    match body:
        case ["atom", str(text)] if _ATOM.fullmatch(text):
            return Atom(text)
        case ["bytes", str(digits)]:
            return Text(bytes.fromhex(digits))
        case ["text", str(value)]:
            return Text(value)
        case ["ref", str(module), str(qualname)]:
            return Ref(module, dotted(qualname))
        case ["call", function, arguments, named]:
            keywords = tuple((name(key), _decode(value)) for key, value in named)
            return Call(_callee(function), tuple(map(_decode, arguments)), keywords)
        case ["display", "[" | "(" | "{" as bracket, items]:
            return Display(bracket, tuple(map(_decode, items)))
        case ["pairs", pairs]:
            return Pairs(tuple((_decode(key), _decode(value)) for key, value in pairs))
    raise ValueError(f"not an encoded node: {str(body)[:80]}")


def _callee(body: Json) -> Atom | Ref:
    """A built-in type, or something that can be imported."""
    match body:
        case ["atom", str(text)] if isinstance(getattr(builtins, name(text), None), type):
            return Atom(text)
        case ["ref", *_]:
            found = _decode(body)
            assert isinstance(found, Ref)
            return found
    raise ValueError(f"not something to call: {str(body)[:80]}")
