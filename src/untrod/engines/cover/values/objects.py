"""Objects, by calls of what makes them; and values that somebody else draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from keyword import iskeyword

from untrod.engines.cover.values.kinds import DEEPEST, Chance, Kind, pick
from untrod.source.nodes import Atom, Call, Node, Ref

OPTIONAL = 0.4
"""How often an argument is given that need not be."""
ALIKE = 0.2
"""How often an argument is like the one before it, if that is of the same kind."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A parameter to be filled. `rest`: any number of them; with `keyword`, under any names."""

    name: str
    kind: Kind
    required: bool = True
    keyword: bool = False
    rest: bool = False


Arguments = tuple[tuple[Node, ...], tuple[tuple[str, Node], ...]]


def draw_arguments(slots: tuple[Slot, ...], chance: Chance) -> Arguments:
    """Required ones by place, the others by name."""
    places: list[Node] = []
    names: list[tuple[str, Node]] = []
    for slot in slots:
        if slot.rest and slot.keyword:
            names += [(name, slot.kind.draw(chance)) for name in _any_names(slots, chance)]
        elif slot.rest:
            for _ in range(min(3, chance.size())):
                places.append(_drawn(slot, places[-1:], chance))
        elif slot.required and not slot.keyword:
            same = [node for other, node in zip(slots, places, strict=False) if other.kind == slot.kind]
            places.append(_drawn(slot, same[-1:], chance))
        elif slot.required or chance.happens(OPTIONAL if chance.room > 0 else 0.0):
            names.append((slot.name, slot.kind.draw(chance)))
    return tuple(places), tuple(names)


def _drawn(slot: Slot, before: list[Node], chance: Chance) -> Node:
    """`before`: an argument of the same kind. Two that are alike, chance alone would hardly ever give."""
    if before and chance.happens(ALIKE):
        return before[0] if chance.happens(0.3) else slot.kind.mutate(before[0], chance)
    return slot.kind.draw(chance)


def _any_names(slots: tuple[Slot, ...], chance: Chance) -> list[str]:
    """Of the texts in the code under test, a few that can be names of arguments."""
    taken = {slot.name for slot in slots}
    known = [word for word in chance.words.texts if word.isidentifier() and not iskeyword(word)]
    drawn = [chance.rng.choice(known) for _ in range(chance.rng.choice((0, 1, 1, 2)))] if known else []
    return [name for name in dict.fromkeys(drawn) if name not in taken]


def mutate_arguments(slots: tuple[Slot, ...], given: Arguments, chance: Chance) -> Arguments:
    """One argument changes, comes or goes."""
    places, names = list(given[0]), dict(given[1])
    if not slots:
        return given
    number = pick(chance, slots)
    slot = slots[number]
    if slot.rest and slot.keyword:
        extra = [name for name in names if all(name != other.name for other in slots)]
        if extra and chance.happens(0.6):
            name = extra[pick(chance, extra)]
            names[name] = slot.kind.mutate(names[name], chance)
        else:
            names |= {name: slot.kind.draw(chance) for name in _any_names(slots, chance)}
    elif slot.rest:
        first = sum(not s.rest and s.required and not s.keyword for s in slots)
        if len(places) > first and chance.happens(0.6):
            place = chance.rng.randrange(first, len(places))
            if chance.happens(0.3):
                del places[place]
            else:
                places[place] = slot.kind.mutate(places[place], chance)
        else:
            places.append(slot.kind.draw(chance))
    elif number < len(places) and slot.name not in names and not slot.keyword:
        places[number] = slot.kind.mutate(places[number], chance)
    elif slot.name in names and not slot.required and chance.happens(0.2):
        del names[slot.name]
    elif slot.name in names:
        names[slot.name] = slot.kind.mutate(names[slot.name], chance)
    else:
        names[slot.name] = slot.kind.draw(chance)
    return tuple(places), tuple(names.items())


@dataclass(eq=False)
class Made:
    """An object: one of the callables that make it, with arguments. `slots` are worked out when they are
    first needed, since a class may well take objects of itself."""

    callees: tuple[tuple[Ref | Atom, Callable[[], tuple[Slot, ...]]], ...]
    _known: dict[int, tuple[Slot, ...]] = field(default_factory=dict)

    def draw(self, chance: Chance) -> Node:
        if chance.room < -DEEPEST:
            return Atom("None")  # a class that needs one of itself: there is no first one
        number = pick(chance, self.callees) if chance.happens(0.5) else 0
        return self._call(number, chance)

    def mutate(self, node: Node, chance: Chance) -> Node:
        for number, (callee, _) in enumerate(self.callees):
            if isinstance(node, Call) and node.function == callee and not chance.happens(0.1):
                given = mutate_arguments(self._slots(number), (node.arguments, node.keywords), chance.inner)
                return Call(callee, *given)
        return self.draw(chance)

    def _call(self, number: int, chance: Chance) -> Node:
        return Call(self.callees[number][0], *draw_arguments(self._slots(number), chance.inner))

    def _slots(self, number: int) -> tuple[Slot, ...]:
        if number not in self._known:
            self._known[number] = self.callees[number][1]()
        return self._known[number]


@dataclass(eq=False)
class Pool:
    """Values that were drawn beforehand, when they are first needed."""

    fill: Callable[[], list[Node]]
    _nodes: list[Node] | None = None

    def draw(self, chance: Chance) -> Node:
        if self._nodes is None:
            self._nodes = self.fill() or [Atom("None")]
        return chance.rng.choice(self._nodes)

    def mutate(self, node: Node, chance: Chance) -> Node:
        return self.draw(chance)
