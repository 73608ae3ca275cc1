"""Simpler variants of an expression, for making the values in a test small.

`simpler(node)` proposes; whoever asks knows what must be kept and tries them in order, the boldest first.
Every proposal weighs less than the node, so a search that only ever moves on to an accepted proposal ends.
Weights count characters, and among characters prefer those that a person would type without a thought.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from untrod.source.nodes import Atom, Call, Display, Lambda, Member, Node, Pairs, Ref, Text

_CONSTANTS = {"None": 0, "False": 0, "True": 1}
_PLAIN = "a", "0", " "
"""What a character is replaced with, the plainest first."""
_ONE_BY_ONE = 24  # longer texts and lists are cut in pieces only

Item = TypeVar("Item")


def weight(node: Node) -> int:
    """How much there is to read."""
    match node:
        case Atom(text):
            return _CONSTANTS.get(text, _number_weight(text))
        case Text(value):
            return 1 + sum(map(_character_weight, _characters(value)))
        case Ref() | Member():
            return 2
        case Lambda(_, body):
            return 2 + weight(body)
        case Call(Call() as made, arguments, keywords):
            return weight(made) + weight(Call(_PLACE, arguments, keywords))
        case Call(_, arguments, keywords):
            return 2 + sum(map(weight, arguments)) + sum(2 + weight(value) for _, value in keywords)
        case Display(_, items):
            return 1 + sum(1 + weight(item) for item in items)
        case Pairs(items):
            return 1 + sum(1 + weight(key) + weight(value) for key, value in items)


def simpler(node: Node) -> Iterator[Node]:
    """Each weighs less than `node`. In an order that depends on `node` alone, without repetitions."""
    seen = {node}
    for candidate in _proposals(node):
        if candidate not in seen and weight(candidate) < weight(node):
            seen.add(candidate)
            yield candidate


def leaves(node: Node) -> Iterator[Atom | Text]:
    """The plain values in `node`, in reading order."""
    match node:
        case Atom() | Text():
            yield node
        case Lambda(_, body):
            yield from () if node.hands_back else leaves(body)
        case Call(function, arguments, keywords):
            if isinstance(function, Call):
                yield from leaves(function)
            for inside in (
                *(arguments[1:] if _makes_class(node) else arguments),
                *(value for _, value in keywords),
            ):
                yield from leaves(inside)
        case Display(_, items):
            for item in items:
                yield from leaves(item)
        case Pairs(items):
            for key, value in items:
                yield from leaves(key)
                yield from leaves(value)


def with_leaf(node: Node, old: Atom | Text, new: Node) -> Node:
    """`node` with `new` wherever it has `old`."""

    def swap(inside: Node) -> Node:
        return with_leaf(inside, old, new)

    match node:
        case Call(function, arguments, keywords):
            named = tuple((name, swap(value)) for name, value in keywords)
            if _makes_class(node):
                return Call(function, (arguments[0], *map(swap, arguments[1:])), named)
            if isinstance(function, Call):
                inner = swap(function)
                function = inner if isinstance(inner, Call) else function
            return Call(function, tuple(map(swap, arguments)), named)
        case Lambda(parameters, body):
            return node if node.hands_back else Lambda(parameters, swap(body))
        case Display(bracket, items):
            return Display(bracket, tuple(map(swap, items)))
        case Pairs(items):
            return Pairs(tuple((swap(key), swap(value)) for key, value in items))
        case _:
            return new if node == old else node


def _proposals(node: Node) -> Iterator[Node]:
    match node:
        case Atom(text):
            yield from map(Atom, _simpler_atoms(text))
        case Text(value):
            yield from map(Text, _simpler_texts(value))
        case Lambda(parameters, body):
            for changed_body in simpler(body):
                yield Lambda(parameters, changed_body)
        case Call(_, (called, bases, members), ()) if _makes_class(node):
            for changed_members in simpler(members):
                yield replace(node, arguments=(called, bases, changed_members))
            count = len(bases.items) if isinstance(bases, Display) else 0
            for changed_bases in simpler(bases):
                if isinstance(changed_bases, Display) and len(changed_bases.items) == count:
                    yield replace(node, arguments=(called, changed_bases, members))
        case Call(function, arguments, keywords):
            for made in simpler(function) if isinstance(function, Call) else ():
                if isinstance(made, Call):
                    yield replace(node, function=made)
            for kept in _without(keywords):
                yield replace(node, keywords=kept)
            for changed in _one_changed(arguments, simpler):
                yield replace(node, arguments=changed)
            for changed_keywords in _one_changed(keywords, _simpler_second):
                yield replace(node, keywords=changed_keywords)
        case Display(bracket, items):
            for kept_items in (*_without(items), *_one_changed(items, simpler)):
                yield Display(bracket, kept_items)
        case Pairs(items):
            yield from map(Pairs, _without(items))
            yield from map(Pairs, _one_changed(items, _simpler_second))
            yield from map(Pairs, _one_changed(items, _simpler_first))


_PLACE = Atom("type")


def _makes_class(node: Call) -> bool:
    """Its name and its bases are not values."""
    return node.function == _PLACE and len(node.arguments) == 3


def _without(items: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    """Nothing, then halves and quarters cut out, then single items."""
    size = len(items)
    while size:
        if size > 1 or len(items) <= _ONE_BY_ONE:
            for start in range(0, len(items), size):
                yield items[:start] + items[start + size :]
        size //= 2


def _one_changed(
    items: tuple[Item, ...], change: Callable[[Item], Iterator[Item]]
) -> Iterator[tuple[Item, ...]]:
    for place, item in enumerate(items):
        for changed in change(item):
            yield (*items[:place], changed, *items[place + 1 :])


def _simpler_first(pair: tuple[Node, Node]) -> Iterator[tuple[Node, Node]]:
    return ((key, pair[1]) for key in simpler(pair[0]))


def _simpler_second(pair: tuple[Item, Node]) -> Iterator[tuple[Item, Node]]:
    return ((pair[0], value) for value in simpler(pair[1]))


def _simpler_atoms(text: str) -> Iterator[str]:
    if text == "True":
        yield "False"
        return
    number = _number(text)
    if isinstance(number, int):
        sign, digits = (1 if number > 0 else -1), str(abs(number))
        round_ones = [sign * int(digits[:kept].ljust(len(digits), "0")) for kept in range(1, len(digits))]
        smaller = [abs(number) // 10, 10 ** (len(digits) - 1), abs(number) // 2, abs(number) - 1]
        yield from map(str, (0, 1, -1, 2, -number, *(sign * one for one in smaller), *round_ones))
    elif number is not None:
        yield from map(repr, (0.0, 1.0, -1.0, abs(number)))
        if abs(number) < 1e15:  # also leaves out what is not finite
            yield from (repr(float(round(number))), repr(round(number, 1)))


def _simpler_texts(value: str | bytes) -> Iterator[str | bytes]:
    make = (lambda text: text.encode("latin-1")) if isinstance(value, bytes) else str
    characters = tuple(_characters(value))
    for kept in _without(characters):
        yield make("".join(kept))
    if len(characters) <= _ONE_BY_ONE:
        for place in range(len(characters)):
            for plain in _PLAIN:
                yield make("".join((*characters[:place], plain, *characters[place + 1 :])))


def _characters(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value


def _character_weight(character: str) -> int:
    """Four for the character itself, so that fewer are always better than plainer ones."""
    if character in _PLAIN:
        return 4 + _PLAIN.index(character)
    return 7 if character.isascii() and character.isprintable() else 9


def _number(text: str) -> int | float | None:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return None


def _number_weight(text: str) -> int:
    number = _number(text)
    if isinstance(number, int):
        digits = str(abs(number))
        return 30 * (len(digits) - 1) + 2 * sum(map(int, digits)) + (number < 0)
    if number is not None:
        return 25 + 2 * len(text)
    return 10 + len(text)
