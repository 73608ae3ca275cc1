"""Lists, tuples, sets and dicts."""

from __future__ import annotations

from dataclasses import dataclass

from untrod.engines.cover.values.kinds import Chance, Kind, pick
from untrod.source.nodes import Atom, Call, Display, Node, Pairs

MOST_ITEMS = 200
LONGEST = 2_500
_SIZES = (20, 100, 1_000, LONGEST)


@dataclass(frozen=True, slots=True)
class Items:
    """Any number of one kind: a list, or a tuple of one kind."""

    element: Kind
    bracket: str = "["

    def draw(self, chance: Chance) -> Node:
        items = [self.element.draw(chance.inner) for _ in range(chance.size())]
        if len(items) > 1 and chance.happens(0.2):
            items[-1] = items[0]  # chance rarely gives the same thing twice
        return Display(self.bracket, tuple(items))

    def mutate(self, node: Node, chance: Chance) -> Node:
        if not isinstance(node, Display) or node.bracket != self.bracket or chance.happens(0.1):
            return self.draw(chance)
        return Display(self.bracket, tuple(_changed(list(node.items), self.element, chance)))


@dataclass(frozen=True, slots=True)
class Long:
    """More numbers than anybody would write down, `list(range(2500))`: some code does something else then."""

    def draw(self, chance: Chance) -> Node:
        sizes = [2 * word for word in chance.words.ints if 10 <= word <= LONGEST]
        size = chance.rng.choice(sizes) if sizes and chance.happens(0.5) else chance.rng.choice(_SIZES)
        size = size + chance.rng.choice((0, 1, size))
        return Call(Atom("list"), (Call(Atom("range"), (Atom(str(chance.within(size))),)),))

    def mutate(self, node: Node, chance: Chance) -> Node:
        return self.draw(chance)


@dataclass(frozen=True, slots=True)
class Unordered:
    """A set; `wrapper` is `frozenset` for one of those. Without items it is a call: `{}` is a dict."""

    element: Kind
    wrapper: str = "set"

    def draw(self, chance: Chance) -> Node:
        return self._node([self.element.draw(chance.inner) for _ in range(chance.size())])

    def mutate(self, node: Node, chance: Chance) -> Node:
        inside = node.arguments[0] if isinstance(node, Call) and node.arguments else node
        if not isinstance(inside, Display) or inside.bracket != "{" or chance.happens(0.1):
            return self.draw(chance)
        return self._node(_changed(list(inside.items), self.element, chance))

    def _node(self, items: list[Node]) -> Node:
        if not items:
            return Call(Atom(self.wrapper))
        display = Display("{", tuple(dict.fromkeys(items)))
        return display if self.wrapper == "set" else Call(Atom(self.wrapper), (display,))


@dataclass(frozen=True, slots=True)
class Row:
    """A tuple, each place with a kind of its own."""

    kinds: tuple[Kind, ...]

    def draw(self, chance: Chance) -> Node:
        return Display("(", tuple(kind.draw(chance.inner) for kind in self.kinds))

    def mutate(self, node: Node, chance: Chance) -> Node:
        fits = isinstance(node, Display) and node.bracket == "(" and len(node.items) == len(self.kinds)
        if not fits or not self.kinds:
            return self.draw(chance)
        assert isinstance(node, Display)
        items, place = list(node.items), pick(chance, self.kinds)
        items[place] = self.kinds[place].mutate(items[place], chance.inner)
        return Display("(", tuple(items))


@dataclass(frozen=True, slots=True)
class Table:
    """A dict."""

    key: Kind
    value: Kind

    def draw(self, chance: Chance) -> Node:
        return self._node([self._pair(chance.inner) for _ in range(chance.size())])

    def mutate(self, node: Node, chance: Chance) -> Node:
        if not isinstance(node, Pairs) or chance.happens(0.1):
            return self.draw(chance)
        pairs, dice = list(node.items), chance.rng.random()
        if not pairs or dice < 0.3:
            pairs.append(self._pair(chance.inner))
        elif dice < 0.5:
            del pairs[pick(chance, pairs)]
        else:
            place = pick(chance, pairs)
            key, value = pairs[place]
            if chance.happens(0.4):
                key = self.key.mutate(key, chance.inner)
            else:
                value = self.value.mutate(value, chance.inner)
            pairs[place] = key, value
        return self._node(pairs)

    def _pair(self, chance: Chance) -> tuple[Node, Node]:
        return self.key.draw(chance), self.value.draw(chance)

    def _node(self, pairs: list[tuple[Node, Node]]) -> Node:
        return Pairs(tuple(dict(pairs).items())[:MOST_ITEMS])


def _changed(items: list[Node], element: Kind, chance: Chance) -> list[Node]:
    """One item more, one less, one changed, or another order."""
    rng, dice = chance.rng, chance.rng.random()
    if not items or dice < 0.25:
        items.insert(rng.randint(0, len(items)), element.draw(chance.inner))
    elif dice < 0.4:
        del items[pick(chance, items)]
    elif dice < 0.8:
        place = pick(chance, items)
        items[place] = element.mutate(items[place], chance.inner)
    elif dice < 0.88:
        items[pick(chance, items)] = items[pick(chance, items)]
    elif dice < 0.94:
        rng.shuffle(items)
    else:
        items += items[: rng.randint(1, len(items))]
    return items[:MOST_ITEMS]
