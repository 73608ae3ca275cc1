"""Two values that found something, made one: the beginning of the one and the end of the other."""

from __future__ import annotations

from untrod.engines.cover.values.containers import MOST_ITEMS
from untrod.engines.cover.values.kinds import Chance
from untrod.source.nodes import Display, Node, Pairs, Text

LONGEST = 500


def spliced(own: Node, other: Node, chance: Chance) -> Node:
    """`other` itself half of the time, and wherever the two have no parts that fit together."""
    if chance.happens(0.5):
        return other
    match own, other:
        case Text(str(left)), Text(str(right)):
            between = chance.rng.choice(("", "", "\n", " "))
            head, tail = _cut(len(left), chance), _cut(len(right), chance)
            return Text((left[:head] + between + right[len(right) - tail :])[:LONGEST])
        case Text(bytes(left)), Text(bytes(right)):
            head, tail = _cut(len(left), chance), _cut(len(right), chance)
            return Text((left[:head] + right[len(right) - tail :])[:LONGEST])
        case Display(bracket, left), Display(same, right) if bracket == same and bracket != "{":
            head, tail = _cut(len(left), chance), _cut(len(right), chance)
            return Display(bracket, (*left[:head], *right[len(right) - tail :])[:MOST_ITEMS])
        case Pairs(left), Pairs(right):
            return Pairs(tuple({**dict(left), **dict(right)}.items())[:MOST_ITEMS])
    return other


def _cut(size: int, chance: Chance) -> int:
    """How much of it: all of it, often, since whole things are well-formed."""
    return size if chance.happens(0.4) else chance.rng.randint(0, size)
