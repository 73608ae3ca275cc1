"""Arguments as a person described them: `--shape` names a factory, which says what they look like at a size.

It is the factory of `worst`: called with a size, it returns a shape (`symbolic.shapes`), or a tuple of them.
All arguments of a call come from one size, so that a graph and a node of it fit together. Whatever else makes
inputs, a solver or a mutation, is held to the shapes too: `holds` says whether an input is one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from untrod.core.errors import UntrodError
from untrod.engines.cover.values.kinds import TRUTH, DrawContext, Integer, Kind, literal, pick
from untrod.source.evaluate import evaluate
from untrod.source.literals import express
from untrod.source.nodes import Node
from untrod.symbolic.annotations import shape_of
from untrod.symbolic.shapes import Arguments, Bool, Char, Int, Leaf, assemble, disassemble, leaves

SIZES = range(13)
"""As long as texts and lists that are drawn from types."""
ANOTHER_SIZE = 0.25


class Shaped:
    """The arguments of one function, at every size for which the factory has any."""

    def __init__(self, function: Callable[..., Any], factory: Callable[[int], Any]) -> None:
        """Raises UntrodError for a factory that has nothing to offer."""
        shapes: dict[int, Arguments] = {}
        trouble: UntrodError | None = None
        for size in SIZES:
            try:
                shapes[size] = _usable(shape_of(function, size, factory))
            except UntrodError as error:
                trouble = trouble or error
        if trouble is not None and not shapes:
            raise trouble
        self._shapes: Mapping[int, Arguments] = shapes

    def draw(self, context: DrawContext) -> tuple[Node, ...]:
        size = context.size()
        shape = self._shapes[min(self._shapes, key=lambda known: abs(known - size))]
        return _nodes(shape, [_draw(leaf, context) for leaf in leaves(shape).values()])

    def mutate(self, arguments: tuple[Node, ...], context: DrawContext) -> tuple[Node, ...]:
        """One leaf changes; or all of them, and the size."""
        found = self._leaves(arguments)
        if found is None or not found[1] or context.happens(ANOTHER_SIZE):
            return self.draw(context)
        shape, values = found
        place = pick(context, values)
        leaf = list(leaves(shape).values())[place]
        values[place] = _draw(leaf, context, values[place])
        return _nodes(shape, values)

    def holds(self, arguments: tuple[Node, ...]) -> bool:
        return self._leaves(arguments) is not None

    def _leaves(self, arguments: tuple[Node, ...]) -> tuple[Arguments, list[Any]] | None:
        try:
            value = tuple(map(evaluate, arguments))
        except Exception:  # from elsewhere: it may name what does not exist
            return None
        for shape in self._shapes.values():
            try:
                return shape, disassemble(shape, value)
            except ValueError:
                continue
        return None


def _usable(shape: Arguments) -> Arguments:
    for leaf in leaves(shape).values():
        if isinstance(leaf, Int) and None not in (leaf.low, leaf.high) and leaf.low > leaf.high:  # type: ignore[operator]
            raise UntrodError(f"there is no integer from {leaf.low} to {leaf.high}", "mend the shape factory")
    _nodes(shape, [_least(leaf) for leaf in leaves(shape).values()])
    return shape


def _nodes(shape: Arguments, values: list[Any]) -> tuple[Node, ...]:
    nodes = []
    for value in assemble(shape, values):
        node = express(value)
        if node is None:
            raise UntrodError(
                f"a shape has the constant {value!r:.60}, which cannot be written into a test",
                "use constants of built-in types",
            )
        nodes.append(node)
    return tuple(nodes)


def _draw(leaf: Leaf, context: DrawContext, like: Any = None) -> Any:
    match leaf:
        case Bool():
            return literal(TRUTH.draw(context))
        case Char(alphabet, low, high):
            return context.rng.choice(alphabet) if alphabet else chr(context.rng.randint(low, high))
    kind: Kind = Integer(leaf.low, leaf.high)
    if like is None:
        return evaluate(kind.draw(context))
    node = express(like)
    assert node is not None
    return evaluate(kind.mutate(node, context))


def _least(leaf: Leaf) -> Any:
    match leaf:
        case Bool():
            return False
        case Char(alphabet, low, _):
            return alphabet[0] if alphabet else chr(low)
    return leaf.low if leaf.low is not None else 0
