"""An input with holes where its scalars were: what symbolic execution works on.

The function that an executor runs takes the scalars, flat, and does what the input does: builds the arguments
around them, makes the object, calls the methods. So classes, dataclasses and nested containers need no shapes
of their own, and a solution is an input again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.execution import do_step, drive, is_suspect, make
from untrod.engines.cover.values.kinds import literal
from untrod.engines.cover.values.stand_ins import NAMESPACE
from untrod.source.evaluate import evaluate, resolve
from untrod.source.literals import express
from untrod.source.nodes import Atom, Call, Display, Lambda, Member, Node, Pairs, Ref, Text
from untrod.symbolic import shapes

LONGEST_TEXT = 40
MOST_LEAVES = 120
_PRINTABLE = "".join(map(chr, range(32, 127)))


@dataclass(frozen=True, slots=True)
class Hole:
    """The place of a leaf."""

    number: int


Holed = Hole | Node | tuple[Any, ...]
"""A node with holes: a hole, a node without any, or (node, its parts with holes)."""


class Template:
    """`key` is the same for inputs that differ in nothing but their leaves. Texts keep their length."""

    def __init__(self, given: Input) -> None:
        self.entry = given.entry
        self.world = given.world
        self._given = given
        self._leaves: list[Any] = []
        self._shapes: list[shapes.Shape] = []
        self._places: list[str] = []
        self._steps = [
            (
                step,
                [self._hole(node, f"{name}.{place}") for place, node in enumerate(step.arguments)],
                [(k, self._hole(v, f"{name}.{k}")) for k, v in step.keywords],
            )
            for name, step in _named(given.steps)
        ]

    @property
    def values(self) -> tuple[Any, ...]:
        """What is in the holes of the input that this was made from."""
        return tuple(self._leaves)

    @property
    def shape(self) -> shapes.Arguments:
        return shapes.Arguments(tuple(self._shapes))

    @property
    def is_empty(self) -> bool:
        """Is there nothing to choose?"""
        return not self._leaves

    @cached_property
    def key(self) -> tuple[Any, ...]:
        steps = tuple((step.name, step.kind, _skeleton(a), _skeleton(k)) for step, a, k in self._steps)
        return self.entry, steps, tuple(self._shapes), self.world

    @property
    def is_complete(self) -> bool:
        """Does it stand for every input of its entry? That is so when there is one call, of numbers alone."""
        plain = all(isinstance(shape, shapes.Int | shapes.Bool) for shape in self._shapes)
        ((_, arguments, keywords), *later) = self._steps
        return plain and not later and not keywords and all(isinstance(part, Hole) for part in arguments)

    def input(self, values: tuple[Any, ...]) -> Input:
        """With these in the holes."""
        nodes = [_node(value) for value in values]
        return Input(
            self.entry,
            tuple(
                Step(
                    step.name,
                    tuple(_filled(part, nodes) for part in arguments),
                    tuple((name, _filled(part, nodes)) for name, part in keywords),
                    step.kind,
                )
                for step, arguments, keywords in self._steps
            ),
            self.world,
        )

    def function(self, files: Collection[str]) -> Callable[..., Any]:
        """What an executor runs. `files` are those of the code under test."""
        module = self._given.module
        first = resolve(Ref(module, self._given.steps[0].name))

        def program(*leaves: Any) -> Any:
            made = result = None
            last = len(self._steps) - 1
            for place, (step, arguments, keywords) in enumerate(self._steps):
                try:
                    given = [_built(part, leaves) for part in arguments]
                    named = {name: _built(part, leaves) for name, part in keywords}
                    if place == 0:
                        result = made = make(first, step, given, named)
                    else:
                        result = do_step(made, step, given, named)
                        made = result if step.kind == "then" else made
                    result = drive(result)[0]
                except Exception as error:
                    if place in (0, last) or is_suspect(error, files, guessed=False):
                        raise
            return result

        program.__module__ = module  # where the lean engine looks for the code that it rewrites
        return program

    # -- names ------------------------------------------------------------------------------------

    def lvalue(self, variable: str) -> str:
        """Where one of the inputs that executors call x0, x1, ... is: `push.0`, `parse.text[3]`."""
        return self._lvalues[int(variable[1:])] if variable[1:].isdecimal() else variable

    @cached_property
    def _lvalues(self) -> list[str]:
        """A character of a text is an input of its own."""
        found: list[str] = []
        for place, shape in zip(self._places, self._shapes, strict=True):
            size = shape.size if isinstance(shape, shapes.Text) else None
            found += [place] if size is None else [f"{place}[{number}]" for number in range(size)]
        return found

    # -- making holes -----------------------------------------------------------------------------

    def _hole(self, node: Node, place: str) -> Holed:
        match node:
            case Atom():
                value = literal(node)
                if type(value) is int or type(value) is bool:
                    return self._leaf(value, shapes.Int() if type(value) is int else shapes.Bool(), place)
            case Text(str(value)) if 0 < len(value) <= LONGEST_TEXT:
                return self._leaf(value, shapes.Text(len(value), _alphabet(value)), place)
            case Display("[" | "(", items):
                return (node, *self._holes(items, place))
            case Pairs(pairs):  # keys stay as they are: hashing would make them concrete at once
                return (node, *self._holes([value for _, value in pairs], place))
            case Call(callee, arguments, keywords) if isinstance(callee, Ref) and _is_walkable(callee):
                return (node, *self._holes([*arguments, *(value for _, value in keywords)], place))
        return node

    def _holes(self, nodes: Sequence[Node], place: str) -> Iterator[Holed]:
        return (self._hole(node, f"{place}[{number}]") for number, node in enumerate(nodes))

    def _leaf(self, value: Any, shape: shapes.Shape, place: str) -> Holed:
        if len(self._leaves) >= MOST_LEAVES:
            return _node(value)
        self._leaves.append(value)
        self._shapes.append(shape)
        self._places.append(place)
        return Hole(len(self._leaves) - 1)


def _named(steps: Sequence[Step]) -> Iterator[tuple[str, Step]]:
    """The second call of `push` is `push-2`, whatever is called in between."""
    calls: Counter[str] = Counter()
    for step in steps:
        calls[step.name] += 1
        yield step.name if calls[step.name] == 1 else f"{step.name}-{calls[step.name]}", step


def _alphabet(text: str) -> str | None:
    """Printable ASCII, and what else is in the text."""
    odd = "".join(sorted(set(text) - set(_PRINTABLE)))
    return _PRINTABLE + odd if odd else None


def _is_walkable(ref: Ref) -> bool:
    """Is it made by code that symbolic values can walk through, or that only keeps them?"""
    if ref == NAMESPACE:
        return True
    try:
        found = resolve(ref)
    except (ImportError, AttributeError):
        return False
    entry = found.__init__ if isinstance(found, type) else found  # type: ignore[misc]
    return hasattr(entry, "__code__")


def _node(value: Any) -> Node:
    if isinstance(value, str):
        return Text(value)
    return express(value) or Atom("0")


def _parts(node: Node, parts: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    """Of a dict: its keys and the parts."""
    assert isinstance(node, Pairs)
    return zip((key for key, _ in node.items), parts, strict=True)


def _filled(part: Holed, nodes: list[Node]) -> Node:
    if isinstance(part, Hole):
        return nodes[part.number]
    if not isinstance(part, tuple):
        return part
    node, *inner = part
    filled = [_filled(one, nodes) for one in inner]
    match node:
        case Display(bracket, _):
            return Display(bracket, tuple(filled))
        case Pairs():
            return Pairs(tuple(_parts(node, tuple(filled))))
    assert isinstance(node, Call)
    count = len(node.arguments)
    names = [name for name, _ in node.keywords]
    return Call(node.function, tuple(filled[:count]), tuple(zip(names, filled[count:], strict=True)))


def _built(part: Holed, leaves: tuple[Any, ...]) -> Any:
    """The value, with whatever the executor put into the holes."""
    if isinstance(part, Hole):
        return leaves[part.number]
    if not isinstance(part, tuple):
        return evaluate(part)
    node, *inner = part
    built = [_built(one, leaves) for one in inner]
    match node:
        case Display(bracket, _):
            return built if bracket == "[" else tuple(built)
        case Pairs():
            return {evaluate(key): value for key, value in _parts(node, tuple(built))}
    assert isinstance(node, Call)
    assert isinstance(node.function, Ref)
    count = len(node.arguments)
    names = [name for name, _ in node.keywords]
    return resolve(node.function)(*built[:count], **dict(zip(names, built[count:], strict=True)))


def _skeleton(part: Any) -> Any:
    """What tells templates apart: what is in the holes does not."""
    if isinstance(part, Hole | Atom | Text | Ref | Member | Lambda | Call | Display | Pairs | str):
        return part
    if part and isinstance(part[0], Display | Pairs | Call):
        node, *inner = part
        match node:
            case Display(bracket, _):
                outside: Any = bracket
            case Pairs(pairs):
                outside = tuple(key for key, _ in pairs)
            case _:
                outside = node.function, tuple(name for name, _ in node.keywords)
        return (outside, *map(_skeleton, inner))
    return tuple(map(_skeleton, part))
