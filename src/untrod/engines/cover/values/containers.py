"""Lists, tuples, sets and dicts; and how two values become one (`spliced`)."""

from __future__ import annotations

from dataclasses import dataclass

from untrod.engines.cover.values.kinds import DrawContext, Kind, pick
from untrod.source.nodes import Atom, Call, Display, Node, Pairs, Text

MOST_ITEMS = 200
LONGEST = 2_500
LONGEST_SPLICE = 500
_SIZES = (20, 100, 1_000, LONGEST)


@dataclass(frozen=True, slots=True)
class Items:
    """Any number of one kind: a list, or a tuple of one kind."""

    element: Kind
    bracket: str = "["

    def draw(self, context: DrawContext) -> Node:
        items = [self.element.draw(context.inner) for _ in range(context.size())]
        if len(items) > 1 and context.happens(0.2):
            items[-1] = items[0]  # chance rarely gives the same thing twice
        return Display(self.bracket, tuple(items))

    def mutate(self, node: Node, context: DrawContext) -> Node:
        if not isinstance(node, Display) or node.bracket != self.bracket or context.happens(0.1):
            return self.draw(context)
        return Display(self.bracket, tuple(_changed(list(node.items), self.element, context)))


@dataclass(frozen=True, slots=True)
class Long:
    """More numbers than anybody would write down, `list(range(2500))`: some code does something else then."""

    def draw(self, context: DrawContext) -> Node:
        sizes = [2 * word for word in context.words.ints if 10 <= word <= LONGEST]
        size = context.rng.choice(sizes) if sizes and context.happens(0.5) else context.rng.choice(_SIZES)
        size = size + context.rng.choice((0, 1, size))
        return Call(Atom("list"), (Call(Atom("range"), (Atom(str(context.within(size))),)),))

    def mutate(self, node: Node, context: DrawContext) -> Node:
        return self.draw(context)


@dataclass(frozen=True, slots=True)
class Unordered:
    """A set; `wrapper` is `frozenset` for one of those. Without items it is a call: `{}` is a dict."""

    element: Kind
    wrapper: str = "set"

    def draw(self, context: DrawContext) -> Node:
        return self._node([self.element.draw(context.inner) for _ in range(context.size())])

    def mutate(self, node: Node, context: DrawContext) -> Node:
        inside = node.arguments[0] if isinstance(node, Call) and node.arguments else node
        if not isinstance(inside, Display) or inside.bracket != "{" or context.happens(0.1):
            return self.draw(context)
        return self._node(_changed(list(inside.items), self.element, context))

    def _node(self, items: list[Node]) -> Node:
        if not items:
            return Call(Atom(self.wrapper))
        display = Display("{", tuple(dict.fromkeys(items)))
        return display if self.wrapper == "set" else Call(Atom(self.wrapper), (display,))


@dataclass(frozen=True, slots=True)
class Row:
    """A tuple, each place with a kind of its own."""

    kinds: tuple[Kind, ...]

    def draw(self, context: DrawContext) -> Node:
        return Display("(", tuple(kind.draw(context.inner) for kind in self.kinds))

    def mutate(self, node: Node, context: DrawContext) -> Node:
        fits = isinstance(node, Display) and node.bracket == "(" and len(node.items) == len(self.kinds)
        if not fits or not self.kinds:
            return self.draw(context)
        assert isinstance(node, Display)
        items, place = list(node.items), pick(context, self.kinds)
        items[place] = self.kinds[place].mutate(items[place], context.inner)
        return Display("(", tuple(items))


@dataclass(frozen=True, slots=True)
class Table:
    """A dict."""

    key: Kind
    value: Kind

    def draw(self, context: DrawContext) -> Node:
        return self._node([self._pair(context.inner) for _ in range(context.size())])

    def mutate(self, node: Node, context: DrawContext) -> Node:
        if not isinstance(node, Pairs) or context.happens(0.1):
            return self.draw(context)
        pairs, dice = list(node.items), context.rng.random()
        if not pairs or dice < 0.3:
            pairs.append(self._pair(context.inner))
        elif dice < 0.5:
            del pairs[pick(context, pairs)]
        else:
            place = pick(context, pairs)
            key, value = pairs[place]
            if context.happens(0.4):
                key = self.key.mutate(key, context.inner)
            else:
                value = self.value.mutate(value, context.inner)
            pairs[place] = key, value
        return self._node(pairs)

    def _pair(self, context: DrawContext) -> tuple[Node, Node]:
        return self.key.draw(context), self.value.draw(context)

    def _node(self, pairs: list[tuple[Node, Node]]) -> Node:
        return Pairs(tuple(dict(pairs).items())[:MOST_ITEMS])


def _changed(items: list[Node], element: Kind, context: DrawContext) -> list[Node]:
    """One item more, one less, one changed, or another order."""
    rng, dice = context.rng, context.rng.random()
    if not items or dice < 0.25:
        items.insert(rng.randint(0, len(items)), element.draw(context.inner))
    elif dice < 0.4:
        del items[pick(context, items)]
    elif dice < 0.8:
        place = pick(context, items)
        items[place] = element.mutate(items[place], context.inner)
    elif dice < 0.88:
        items[pick(context, items)] = items[pick(context, items)]
    elif dice < 0.94:
        rng.shuffle(items)
    else:
        items += items[: rng.randint(1, len(items))]
    return items[:MOST_ITEMS]


def spliced(own: Node, other: Node, context: DrawContext) -> Node:
    """Two values that found something, made one: the beginning of the one and the end of the other.

    `other` itself half of the time, and wherever the two have no parts that fit together.
    """
    if context.happens(0.5):
        return other
    match own, other:
        case Text(str(left)), Text(str(right)):
            between = context.rng.choice(("", "", "\n", " "))
            head, tail = _cut(len(left), context), _cut(len(right), context)
            return Text((left[:head] + between + right[len(right) - tail :])[:LONGEST_SPLICE])
        case Text(bytes(left)), Text(bytes(right)):
            head, tail = _cut(len(left), context), _cut(len(right), context)
            return Text((left[:head] + right[len(right) - tail :])[:LONGEST_SPLICE])
        case Display(bracket, left), Display(same, right) if bracket == same and bracket != "{":
            head, tail = _cut(len(left), context), _cut(len(right), context)
            return Display(bracket, (*left[:head], *right[len(right) - tail :])[:MOST_ITEMS])
        case Pairs(left), Pairs(right):
            return Pairs(tuple({**dict(left), **dict(right)}.items())[:MOST_ITEMS])
    return other


def _cut(size: int, context: DrawContext) -> int:
    """How much of it: all of it, often, since whole things are well-formed."""
    return size if context.happens(0.4) else context.rng.randint(0, size)
