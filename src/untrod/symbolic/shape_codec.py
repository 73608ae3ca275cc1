"""Shapes as JSON: how they are stored with a campaign and reach its workers."""

from __future__ import annotations

import ast
from typing import Any

from untrod.core.vocabulary import Json
from untrod.symbolic.shapes import Arguments, Bool, Bytes, Char, Const, Dict, Int, List, Shape, Text, Tuple


def encode(shape: Shape) -> Json:
    """A list that begins with the kind of shape. Raises ValueError for a constant that is no literal."""
    match shape:
        case Int(low, high):
            return ["int", low, high]
        case Bool():
            return ["bool"]
        case Char(alphabet, low, high):
            return ["char", alphabet, low, high]
        case Text(size, alphabet):
            return ["text", size, alphabet]
        case Bytes(size):
            return ["bytes", size]
        case List(element, size):
            return ["list", encode(element), size]
        case Tuple(parts):
            return ["tuple", *map(encode, parts)]
        case Dict(keys, element):
            return ["dict", _literal(keys), encode(element)]
        case Const(value):
            return ["const", _literal(value)]
        case Arguments(parts):
            return ["arguments", *map(encode, parts)]


def decode(body: Json) -> Shape:
    """Raises ValueError on anything `encode` did not make."""
    match body:
        case ["int", (int() | None) as low, (int() | None) as high]:
            return Int(low, high)
        case ["bool"]:
            return Bool()
        case ["char", (str() | None) as alphabet, int(low), int(high)]:
            return Char(alphabet, low, high)
        case ["text", int(size), (str() | None) as alphabet]:
            return Text(size, alphabet)
        case ["bytes", int(size)]:
            return Bytes(size)
        case ["list", element, int(size)]:
            return List(decode(element), size)
        case ["tuple", *parts]:
            return Tuple(tuple(map(decode, parts)))
        case ["dict", str(keys), element]:
            return Dict(_value(keys), decode(element))
        case ["const", str(text)]:
            return Const(_value(text))
        case ["arguments", *parts]:
            return Arguments(tuple(map(decode, parts)))
    raise ValueError(f"not an encoded shape: {str(body)[:80]}")


def _literal(value: Any) -> str:
    text = repr(value)
    try:
        if ast.literal_eval(text) == value:
            return text
    except (ValueError, SyntaxError, TypeError):
        pass
    raise ValueError(f"only literals can be constants of a shape, not {text[:80]}")


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError) as error:
        raise ValueError(f"not a literal: {text[:80]}") from error
