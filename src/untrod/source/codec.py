"""Expression trees as JSON: how a value's source leaves the worker that made it."""

from __future__ import annotations

from untrod.core.vocabulary import Json
from untrod.source.nodes import Atom, Call, Display, Node, Pairs, Ref, Text


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
    """Raises ValueError on anything `encode` did not make."""
    try:
        return _decode(body)
    except (TypeError, IndexError, KeyError, AttributeError) as error:
        raise ValueError(f"not an encoded node: {error}") from error


def _decode(body: Json) -> Node:
    match body:
        case ["atom", str(text)]:
            return Atom(text)
        case ["bytes", str(digits)]:
            return Text(bytes.fromhex(digits))
        case ["text", str(value)]:
            return Text(value)
        case ["ref", str(module), str(qualname)]:
            return Ref(module, qualname)
        case ["call", function, arguments, named]:
            callee = _decode(function)
            if not isinstance(callee, Atom | Ref):
                raise ValueError("only names can be called")
            keywords = tuple((str(name), _decode(value)) for name, value in named)
            return Call(callee, tuple(map(_decode, arguments)), keywords)
        case ["display", "[" | "(" | "{" as bracket, items]:
            return Display(bracket, tuple(map(_decode, items)))
        case ["pairs", pairs]:
            return Pairs(tuple((_decode(key), _decode(value)) for key, value in pairs))
    raise ValueError(f"not an encoded node: {str(body)[:80]}")
