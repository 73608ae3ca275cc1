"""Objects, by calls of what makes them; and values from a pool that was drawn elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from keyword import iskeyword

from untrod.engines.cover.values.kinds import DEEPEST, DrawContext, Kind, pick
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


def draw_arguments(slots: tuple[Slot, ...], context: DrawContext) -> Arguments:
    """Required ones by place, the others by name."""
    places: list[Node] = []
    names: list[tuple[str, Node]] = []
    for slot in slots:
        if slot.rest and slot.keyword:
            names += [(name, slot.kind.draw(context)) for name in _any_names(slots, context)]
        elif slot.rest:
            for _ in range(min(3, context.size())):
                places.append(_drawn(slot, places[-1:], context))
        elif slot.required and not slot.keyword:
            same = [node for other, node in zip(slots, places, strict=False) if other.kind == slot.kind]
            places.append(_drawn(slot, same[-1:], context))
        elif slot.required or context.happens(OPTIONAL if context.room > 0 else 0.0):
            names.append((slot.name, slot.kind.draw(context)))
    return tuple(places), tuple(names)


def _drawn(slot: Slot, before: list[Node], context: DrawContext) -> Node:
    """`before`: an argument of the same kind. Two that are alike, chance alone would hardly ever give."""
    if before and context.happens(ALIKE):
        return before[0] if context.happens(0.3) else slot.kind.mutate(before[0], context)
    return slot.kind.draw(context)


def _any_names(slots: tuple[Slot, ...], context: DrawContext) -> list[str]:
    """Of the texts in the code under test, a few that can be names of arguments."""
    taken = {slot.name for slot in slots}
    known = [word for word in context.words.texts if word.isidentifier() and not iskeyword(word)]
    drawn = [context.rng.choice(known) for _ in range(context.rng.choice((0, 1, 1, 2)))] if known else []
    return [name for name in dict.fromkeys(drawn) if name not in taken]


def mutate_arguments(slots: tuple[Slot, ...], given: Arguments, context: DrawContext) -> Arguments:
    """One argument changes, comes or goes."""
    places, names = list(given[0]), dict(given[1])
    if not slots:
        return given
    number = pick(context, slots)
    slot = slots[number]
    if slot.rest and slot.keyword:
        extra = [name for name in names if all(name != other.name for other in slots)]
        if extra and context.happens(0.6):
            name = extra[pick(context, extra)]
            names[name] = slot.kind.mutate(names[name], context)
        else:
            names |= {name: slot.kind.draw(context) for name in _any_names(slots, context)}
    elif slot.rest:
        first = sum(not s.rest and s.required and not s.keyword for s in slots)
        if len(places) > first and context.happens(0.6):
            place = context.rng.randrange(first, len(places))
            if context.happens(0.3):
                del places[place]
            else:
                places[place] = slot.kind.mutate(places[place], context)
        else:
            places.append(slot.kind.draw(context))
    elif number < len(places) and slot.name not in names and not slot.keyword:
        places[number] = slot.kind.mutate(places[number], context)
    elif slot.name in names and not slot.required and context.happens(0.2):
        del names[slot.name]
    elif slot.name in names:
        names[slot.name] = slot.kind.mutate(names[slot.name], context)
    else:
        names[slot.name] = slot.kind.draw(context)
    return tuple(places), tuple(names.items())


@dataclass(eq=False)
class Made:
    """An object: one of the callables that make it, with arguments. `slots` are worked out when they are
    first needed, since a class may well take objects of itself."""

    callees: tuple[tuple[Ref | Atom, Callable[[], tuple[Slot, ...]]], ...]
    _known: dict[int, tuple[Slot, ...]] = field(default_factory=dict)

    def draw(self, context: DrawContext) -> Node:
        if context.room < -DEEPEST:
            return Atom("None")  # a class that needs one of itself: there is no first one
        number = pick(context, self.callees) if context.happens(0.5) else 0
        return self._call(number, context)

    def mutate(self, node: Node, context: DrawContext) -> Node:
        for number, (callee, _) in enumerate(self.callees):
            if isinstance(node, Call) and node.function == callee and not context.happens(0.1):
                given = mutate_arguments(self._slots(number), (node.arguments, node.keywords), context.inner)
                return Call(callee, *given)
        return self.draw(context)

    def _call(self, number: int, context: DrawContext) -> Node:
        return Call(self.callees[number][0], *draw_arguments(self._slots(number), context.inner))

    def _slots(self, number: int) -> tuple[Slot, ...]:
        if number not in self._known:
            self._known[number] = self.callees[number][1]()
        return self._known[number]


@dataclass(eq=False)
class Pool:
    """Values that were drawn beforehand, when they are first needed."""

    fill: Callable[[], list[Node]]
    _nodes: list[Node] | None = None

    def draw(self, context: DrawContext) -> Node:
        if self._nodes is None:
            self._nodes = self.fill() or [Atom("None")]
        return context.rng.choice(self._nodes)

    def mutate(self, node: Node, context: DrawContext) -> Node:
        return self.draw(context)
