"""Arguments of a Python function as rows of numbers: from its annotations.

Every list, text and dict has the same size, 0 to `largest`: the first number of a row. The others choose each
leaf from a list of options: small and round integers and the ones that the source compares with, with their
neighbours; the characters of its constants and some of each sort.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from untrod.core.errors import UntrodError
from untrod.symbolic.annotations import shape_of
from untrod.symbolic.shapes import Arguments, Bool, Char, Int, Leaf, assemble, disassemble, leaves

LARGEST = 4
_INTEGERS = (0, 1, -1, 2, 3, 5, 10, 100, -100)
_CHARACTERS = "aZ0 _-.,"
_MOST = 64
"""Options of one leaf: the source's constants come first."""


class CallArguments:
    """Inputs are tuples of arguments."""

    def __init__(
        self,
        function: Callable[..., Any],
        tree: ast.AST,
        largest: int = LARGEST,
        factory: Callable[[int], Any] | None = None,
    ) -> None:
        self._shapes: list[Arguments] = [shape_of(function, size, factory) for size in range(largest + 1)]
        self._leaves: list[list[Leaf]] = [list(leaves(shape).values()) for shape in self._shapes]
        constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        self._integers = _near([each for each in constants if type(each) is int])
        texts = "".join(each for each in constants if isinstance(each, str))
        self._characters = "".join(dict.fromkeys(texts[:_MOST] + _CHARACTERS))[:_MOST]
        most = max(map(len, self._leaves))
        widest = [
            max(len(self.options(kinds[place])) for kinds in self._leaves if place < len(kinds))
            for place in range(most)
        ]
        self.sizes = (len(self._shapes), *widest)

    def options(self, leaf: Leaf) -> Sequence[Any]:
        match leaf:
            case Int(low, high):
                fitting = [each for each in self._integers if leaf.holds(each)]
                bounds = [each for each in (low, high) if each is not None]
                return list(dict.fromkeys([*fitting, *bounds]))
            case Bool():
                return (False, True)
            case Char(alphabet):
                return alphabet or [each for each in self._characters if leaf.holds(each)]

    def draw(self, random: Random) -> tuple[Any, ...]:
        size = random.randrange(len(self._shapes))
        return self._assembled(size, [random.choice(self.options(leaf)) for leaf in self._leaves[size]])

    def stray(self, random: Random) -> tuple[Any, ...]:
        return self.draw(random)

    def mutate(self, given: tuple[Any, ...], random: Random) -> tuple[Any, ...]:
        """One leaf otherwise, or, one time in five, all of it drawn anew."""
        size, values = self._taken_apart(given)
        if not values or random.random() < 0.2:
            return self.draw(random)
        place = random.randrange(len(values))
        values[place] = random.choice(self.options(self._leaves[size][place]))
        return self._assembled(size, values)

    def decode(self, row: Sequence[int]) -> tuple[Any, ...]:
        size = row[0]
        chosen = [self.options(leaf) for leaf in self._leaves[size]]
        values = [some[number % len(some)] for some, number in zip(chosen, row[1:], strict=False)]
        return self._assembled(size, values)

    def encode(self, given: tuple[Any, ...]) -> tuple[int, ...]:
        size, values = self._taken_apart(given)
        try:
            chosen = [list(self.options(leaf)).index(value) for leaf, value in self._pairs(size, values)]
        except ValueError:
            raise UntrodError(f"{given!r:.60} has a value that is no option", "see `options`") from None
        return (size, *chosen, *[0] * (len(self.sizes) - 1 - len(chosen)))

    def show(self, given: tuple[Any, ...]) -> str:
        return f"({', '.join(map(repr, given))})"

    def _pairs(self, size: int, values: list[Any]) -> list[tuple[Leaf, Any]]:
        return list(zip(self._leaves[size], values, strict=True))

    def _assembled(self, size: int, values: list[Any]) -> tuple[Any, ...]:
        made: tuple[Any, ...] = assemble(self._shapes[size], values)
        return made

    def _taken_apart(self, given: tuple[Any, ...]) -> tuple[int, list[Any]]:
        for size, shape in enumerate(self._shapes):
            try:
                return size, disassemble(shape, given)
            except ValueError:
                continue
        raise UntrodError(f"{given!r:.60} are no arguments of this function", "see its annotations")


def _near(constants: list[int]) -> list[int]:
    wanted = [near for each in constants for near in (each, each + 1, each - 1, -each)]
    return list(dict.fromkeys([*wanted[: _MOST - len(_INTEGERS)], *_INTEGERS]))
