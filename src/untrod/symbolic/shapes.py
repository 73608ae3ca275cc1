"""What the arguments of a function look like at one size: which inputs there are, and how they are arranged.

A shape is a tree. Its leaves are the inputs to be chosen: an int, a bool, a character. Everything
above the leaves is fixed: how long the list is, which keys the dict has. So one flat list of leaf values,
together with the shape, is a complete input, whoever made it: a solver's model, a hill-climber or a person.

    shape = Arguments((List(Int(), 3), Text(2)))
    leaves(shape)                           # {"x0": Int(), "x1": Int(), "x2": Int(), "x3": Char(), ...}
    assemble(shape, [5, 3, 9, "a", "b"])    # ([5, 3, 9], "ab"): call function(*that)
    disassemble(shape, ([5, 3, 9], "ab"))   # [5, 3, 9, "a", "b"]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from typing import Any

from untrod.core.errors import UntrodError


@dataclass(frozen=True, slots=True)
class Int:
    """A leaf: any integer, or one between `low` and `high`, both included."""

    low: int | None = None
    high: int | None = None

    def holds(self, value: Any) -> bool:
        if type(value) is not int:
            return False
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)


@dataclass(frozen=True, slots=True)
class Bool:
    """A leaf: True or False."""

    def holds(self, value: Any) -> bool:
        return type(value) is bool


@dataclass(frozen=True, slots=True)
class Char:
    """A leaf: one character of `alphabet`, or of the code points `low` to `high` (printable ASCII)."""

    alphabet: str | None = None
    low: int = 32
    high: int = 126

    def __post_init__(self) -> None:
        if self.alphabet == "":
            raise UntrodError(
                "an alphabet of no characters", "give at least one, or None for printable ASCII"
            )

    def holds(self, value: Any) -> bool:
        if type(value) is not str or len(value) != 1:
            return False
        return value in self.alphabet if self.alphabet is not None else self.low <= ord(value) <= self.high


@dataclass(frozen=True, slots=True)
class Text:
    """A str of `size` characters, each a leaf."""

    size: int
    alphabet: str | None = None


@dataclass(frozen=True, slots=True)
class Bytes:
    """A bytes object of `size` bytes, each a leaf from 0 to 255."""

    size: int


@dataclass(frozen=True, slots=True)
class List:
    """A list of `size` elements of one shape."""

    element: Shape
    size: int


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple, each element with a shape of its own."""

    elements: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Dict:
    """A dict with these very keys, in this order, and values of one shape."""

    keys: tuple[Any, ...]
    element: Shape


@dataclass(frozen=True, slots=True)
class Const:
    """Always this value, or a copy of it: no leaf."""

    value: Any


@dataclass(frozen=True, slots=True)
class Arguments:
    """The positional arguments of a call. Assembled, a tuple."""

    shapes: tuple[Shape, ...]


Join = Callable[[Sequence[Any]], Any]
Leaf = Int | Bool | Char
Shape = Int | Bool | Char | Text | Bytes | List | Tuple | Dict | Const | Arguments
_BYTE = Int(0, 255)


def leaves(shape: Shape) -> dict[str, Leaf]:
    """The inputs in order, under their canonical names x0, x1, ... The names are the same on every path."""
    return {f"x{number}": leaf for number, leaf in enumerate(_leaves(shape))}


def assemble(shape: Shape, values: Iterable[Any], text: Join = "".join, octets: Join = bytes) -> Any:
    """The value with these leaves. An engine with symbolic leaves joins them by its own functions."""
    source = iter(values)
    built = _assemble(shape, source, text, octets)
    if next(source, _END) is not _END:
        raise ValueError("more values than the shape has leaves")
    return built


def disassemble(shape: Shape, value: Any) -> list[Any]:
    """The leaf values of `value`, in order. Raises ValueError where it does not have this shape."""
    return list(_disassemble(shape, value))


def arguments(given: Any) -> Arguments:
    """What a `--shape` factory returned, one shape or several in a tuple or list, as Arguments."""
    if isinstance(given, Arguments):
        return given
    shapes = tuple(given) if isinstance(given, tuple | list) else (given,)
    for shape in shapes:
        if not isinstance(shape, Shape) or isinstance(shape, Arguments):
            raise UntrodError(
                f"a shape factory returned {type(shape).__name__}, which is not a shape",
                "return List(Int(), n), Text(n), ... from untrod.symbolic.shapes, or a tuple of them",
            )
    return Arguments(shapes)


def graph(size: int, low: int = 0, high: int = 1000) -> List:
    """A weighted graph of `size` nodes, as its adjacency matrix `list[list[int]]`: a shape factory."""
    return List(List(Int(low, high), size), size)


_END = object()


def _leaves(shape: Shape) -> Iterator[Leaf]:
    match shape:
        case Int() | Bool() | Char():
            yield shape
        case Text(size, alphabet):
            yield from [Char(alphabet)] * size
        case Bytes(size):
            yield from [_BYTE] * size
        case List(element, size):
            yield from list(_leaves(element)) * size
        case Dict(keys, element):
            yield from list(_leaves(element)) * len(keys)
        case Tuple(parts) | Arguments(parts):
            for part in parts:
                yield from _leaves(part)


def _assemble(shape: Shape, source: Iterator[Any], text: Join, octets: Join) -> Any:
    match shape:
        case Int() | Bool() | Char():
            return _next(source)
        case Text(size, _):
            return text([_next(source) for _ in range(size)])
        case Bytes(size):
            return octets([_next(source) for _ in range(size)])
        case List(Int() | Bool() | Char(), size):  # the usual one, and the one that is long
            built = list(islice(source, size))
            return built if len(built) == size else _next(source)
        case List(element, size):
            return [_assemble(element, source, text, octets) for _ in range(size)]
        case Dict(keys, element):
            return {key: _assemble(element, source, text, octets) for key in keys}
        case Tuple(parts) | Arguments(parts):
            return tuple(_assemble(part, source, text, octets) for part in parts)
        case Const(value):
            return deepcopy(value)  # the function may change it


def _next(source: Iterator[Any]) -> Any:
    value = next(source, _END)
    if value is _END:
        raise ValueError("fewer values than the shape has leaves")
    return value


def _disassemble(shape: Shape, value: Any) -> Iterator[Any]:
    match shape:
        case Int() | Bool() | Char() if shape.holds(value):
            yield value
        case Text(size, alphabet) if type(value) is str and len(value) == size:
            for character in value:
                yield from _disassemble(Char(alphabet), character)
        case Bytes(size) if type(value) is bytes and len(value) == size:
            yield from value
        case List(Int() | Bool() | Char() as leaf, size) if type(value) is list and len(value) == size:
            wrong = next((part for part in value if not leaf.holds(part)), _END)
            if wrong is not _END:
                raise ValueError(f"{wrong!r:.80} does not have the shape {leaf!r:.80}")
            yield from value
        case List(element, size) if type(value) is list and len(value) == size:
            for part in value:
                yield from _disassemble(element, part)
        case Dict(keys, element) if type(value) is dict and tuple(value) == keys:
            for part in value.values():
                yield from _disassemble(element, part)
        case Tuple(parts) | Arguments(parts) if type(value) is tuple and len(value) == len(parts):
            for part, inner in zip(parts, value, strict=True):
                yield from _disassemble(part, inner)
        case Const(constant) if value == constant:
            pass
        case _:
            raise ValueError(f"{value!r:.80} does not have the shape {shape!r:.80}")
