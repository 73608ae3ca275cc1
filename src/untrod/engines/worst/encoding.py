"""The arguments of a call as a flat vector of leaves: what policies change, and what a trace keeps.

`symbolic.shapes` says what the arguments look like; here they become numbers and back. A trace holds integers
only (characters by code point, truth values as 0 and 1), because that is what a worker can still leave in
its beacon when it dies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from untrod.engines.worst.protocol import Field, Inputs
from untrod.symbolic.shapes import (
    Arguments,
    Bool,
    Bytes,
    Char,
    Dict,
    Int,
    Leaf,
    List,
    Shape,
    Text,
    Tuple,
    assemble,
    disassemble,
    leaves,
)


class InputEncoding:
    """The `LeafEncoding` of one shape. A character of an alphabet is a leaf by its index there."""

    def __init__(self, shape: Arguments) -> None:
        self.shape = shape
        self.leaves: tuple[Leaf, ...] = tuple(leaves(shape).values())
        self._fields = tuple(_fields(shape))
        self._reach = max(100, 10 * len(self.leaves))
        self._indexed = any(isinstance(leaf, Char) and leaf.alphabet is not None for leaf in self.leaves)

    def flatten(self, inputs: Inputs) -> list[Any]:
        """Raises ValueError when these are not arguments of this shape."""
        values = disassemble(self.shape, inputs)
        return list(map(_index, self.leaves, values)) if self._indexed else values

    def build(self, leaves: list[Any]) -> Inputs:
        built: Inputs = assemble(self.shape, map(_value, self.leaves, leaves) if self._indexed else leaves)
        return built

    def fields(self) -> tuple[Field, ...]:
        return self._fields

    def numbers(self, inputs: Inputs) -> list[int]:
        """The leaves as integers, for a trace."""
        return as_numbers(self.flatten(inputs))

    def from_numbers(self, numbers: Sequence[Any]) -> Inputs:
        """What a trace says; where it is too short or does not fit, the simplest value of the leaf."""
        known = [number if isinstance(number, int) else 0 for number in numbers[: len(self.leaves)]]
        known += [0] * (len(self.leaves) - len(known))
        return self.build([_fitting(leaf, number) for leaf, number in zip(self.leaves, known, strict=True)])

    def tidy(self, inputs: Inputs) -> Inputs:
        """The same order among the ints that have no bounds, in small numbers: easier to read."""
        free = [isinstance(leaf, Int) and leaf.low is None and leaf.high is None for leaf in self.leaves]
        leaves = list(zip(self.flatten(inputs), free, strict=True))
        values = sorted({value for value, loose in leaves if loose})
        rank = {value: number for number, value in enumerate(values)}
        return self.build([rank[value] if loose else value for value, loose in leaves])

    def random(self, rng: Random) -> Inputs:
        """Uniform within the bounds of a leaf; an int without any is drawn wide enough to be rarely equal."""
        return self.build([_random(leaf, rng, self._reach) for leaf in self.leaves])


def as_numbers(leaves: Sequence[Any]) -> list[int]:
    return [ord(leaf) if isinstance(leaf, str) else int(leaf) for leaf in leaves]


def _fields(shape: Shape) -> Iterator[Field]:
    """A list, text or dict of plain leaves is one field; what is nested deeper is a field per innermost."""
    match shape:
        case Int() | Bool() | Char():
            yield _field(shape, 1)
        case Text(size, alphabet):
            yield from [_field(Char(alphabet), size)] * (size > 0)
        case Bytes(size):
            yield from [_field(Int(0, 255), size)] * (size > 0)
        case List(Int() | Bool() | Char() as leaf, size):
            yield from [_field(leaf, size)] * (size > 0)
        case Dict(keys, Int() | Bool() | Char() as leaf):
            yield from [_field(leaf, len(keys))] * bool(keys)
        case List(element, size):
            yield from list(_fields(element)) * size
        case Dict(keys, element):
            yield from list(_fields(element)) * len(keys)
        case Tuple(parts) | Arguments(parts):
            for part in parts:
                yield from _fields(part)


def _field(leaf: Leaf, length: int) -> Field:
    match leaf:
        case Int(low, high):
            return Field(int, length, low, high)
        case Bool():
            return Field(bool, length, 0, 1)
        case Char(None, low, high):
            return Field(str, length, low, high)
        case Char(alphabet):
            assert alphabet is not None
            return Field(int, length, 0, len(alphabet) - 1)


def _index(leaf: Leaf, value: Any) -> Any:
    if isinstance(leaf, Char) and leaf.alphabet is not None:
        return leaf.alphabet.index(value)
    return value


def _value(leaf: Leaf, index: Any) -> Any:
    if isinstance(leaf, Char) and leaf.alphabet is not None:
        return leaf.alphabet[index]
    return index


def _fitting(leaf: Leaf, number: int) -> Any:
    """The leaf (or its index in an alphabet) nearest to `number`."""
    match leaf:
        case Int(low, high):
            number = number if low is None else max(low, number)
            return number if high is None else min(high, number)
        case Bool():
            return bool(number)
        case Char(None, low, high):
            return chr(min(high, max(low, number)))
        case Char(alphabet):
            assert alphabet is not None
            return min(len(alphabet) - 1, max(0, number))


def _random(leaf: Leaf, rng: Random, reach: int) -> Any:
    match leaf:
        case Int(low, high):
            if low is None:
                low = -reach if high is None else high - 2 * reach
            return rng.randint(low, low + 2 * reach if high is None else high)
        case Bool():
            return rng.random() < 0.5
        case Char(None, low, high):
            return chr(rng.randint(low, high))
        case Char(alphabet):
            assert alphabet is not None
            return rng.randrange(len(alphabet))
