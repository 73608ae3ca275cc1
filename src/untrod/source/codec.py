"""Expression trees as JSON: how a value's source leaves the worker that made it."""

from __future__ import annotations

import builtins
import re

from untrod.core.shapes import Malformed
from untrod.core.vocabulary import Json
from untrod.source.names import is_dotted, is_name
from untrod.source.nodes import Atom, Call, Display, Lambda, Member, Node, Pairs, Ref, Text

MAX_DEPTH = 200
"""CPython's parser gives up there as well."""
_ATOM = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:e-?[0-9]+)?|None|True|False")
_LONGEST_ATOM = 400
"""Python reads no longer numbers than this, or with a limit of its own; we write them in hexadecimal."""
_HEX = re.compile(r"(?:[0-9a-f]{2})*")


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
        case Member(of, name):
            return ["member", encode(of), name]
        case Lambda(parameters, body):
            handed = isinstance(body, Atom) and node.hands_back
            said = ["parameter", body.text] if handed else encode(body)  # type: ignore[union-attr]
            return ["lambda", list(parameters), said]
        case Call(function, arguments, keywords):
            named = [[name, encode(value)] for name, value in keywords]
            return ["call", encode(function), [encode(argument) for argument in arguments], named]
        case Display(bracket, items):
            return ["display", bracket, [encode(item) for item in items]]
        case Pairs(pairs):
            return ["pairs", [[encode(key), encode(value)] for key, value in pairs]]
    raise TypeError(f"not a node: {node!r}")


def decode(body: Json) -> Node:
    """Raises Malformed on anything `encode` did not make.

    An atom is a number or a constant and a reference is a dotted name, so no worker writes code into a test.
    """
    return _decode(body, 0)


def _decode(body: Json, depth: int) -> Node:
    if depth > MAX_DEPTH:
        raise Malformed("a value is nested too deep")
    below = depth + 1
    match body:
        case ["atom", str(text)] if len(text) <= _LONGEST_ATOM and _ATOM.fullmatch(text):
            return Atom(text)
        case ["bytes", str(digits)] if _HEX.fullmatch(digits):
            return Text(bytes.fromhex(digits))
        case ["text", str(value)]:
            return Text(value)
        case ["ref", str(module), str(qualname)] if is_dotted(qualname):
            return Ref(module, qualname)
        case ["member", of, str(name)] if is_name(name):
            return Member(_decode(of, below), name)
        case ["lambda", list(parameters), said] if _are_parameters(parameters):
            match said:
                case ["parameter", str(name)] if name in Lambda(tuple(parameters), Atom("None")).names:
                    return Lambda(tuple(parameters), Atom(name))
            return Lambda(tuple(parameters), _decode(said, below))
        case ["call", function, list(arguments), list(named)]:
            return Call(_callee(function, below), _all(arguments, below), decode_keywords(named, below))
        case ["display", "[" | "(" | "{" as bracket, list(items)]:
            return Display(bracket, _all(items, below))
        case ["pairs", list(pairs)]:
            return Pairs(tuple(_pair(pair, below) for pair in pairs))
    raise Malformed("a value is not an encoded node")


def _are_parameters(parameters: list[Json]) -> bool:
    """Names, each once; one with a star and one with two may come last."""
    if not all(isinstance(one, str) and is_name(one.lstrip("*")) for one in parameters):
        return False
    stars = [len(one) - len(one.lstrip("*")) for one in parameters]
    starred = [count for count in stars if count]
    names = {one.lstrip("*") for one in parameters}
    return stars == sorted(stars) and starred in ([], [1], [2], [1, 2]) and len(names) == len(parameters)


def _callee(body: Json, depth: int) -> Atom | Ref | Member | Call:
    """A built-in type, something that can be imported, a method, or a class that is made on the spot."""
    match body:
        case ["atom", str(text)] if is_name(text) and isinstance(getattr(builtins, text, None), type):
            return Atom(text)
        case ["ref" | "member" | "call", *_]:
            found = _decode(body, depth)
            assert isinstance(found, Ref | Member | Call)
            return found
    raise Malformed("a value calls what is no name")


def decode_keywords(named: list[Json], depth: int = 0) -> tuple[tuple[str, Node], ...]:
    """Arguments with their names."""
    keywords = []
    for each in named:
        match each:
            case [str(name), value] if is_name(name):
                keywords.append((name, _decode(value, depth)))
            case _:
                raise Malformed("a value has an argument without a name")
    return tuple(keywords)


def _all(items: list[Json], depth: int) -> tuple[Node, ...]:
    return tuple(_decode(item, depth) for item in items)


def _pair(body: Json, depth: int) -> tuple[Node, Node]:
    match body:
        case [key, value]:
            return _decode(key, depth), _decode(value, depth)
    raise Malformed("a value has a pair that is none")
