"""Inputs for an entry: drawn from the types of its parameters, and changed a little."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from untrod.engines.cover.case import Input, Step, StepKind
from untrod.engines.cover.parameters import Parameter
from untrod.engines.cover.targets import Entry
from untrod.engines.cover.values.containers import spliced
from untrod.engines.cover.values.hints import slots_of
from untrod.engines.cover.values.hosts import host_of
from untrod.engines.cover.values.kinds import DrawContext, OneOf, literal, pick
from untrod.engines.cover.values.objects import Slot, draw_arguments, mutate_arguments
from untrod.engines.cover.values.shaped import Shaped
from untrod.engines.cover.values.stand_ins import Arguments
from untrod.engines.cover.values.strays import with_strays
from untrod.engines.cover.values.words import Words, words_of_function
from untrod.source.nodes import Atom, Call, Node, Ref, Text
from untrod.source.simpler import leaves, with_leaf

MOST_STEPS, MOST_CALLS = 24, 4
AVOIDANCE = 0.3
LARGE = "large numbers"
LARGEST = 100
"""What takes too long mostly does so because a number in it says how often something is done."""
RARE, RARER, LEAST = 0.03, 0.5, 0.2
"""How often large numbers then come: there, and how much less often, but at least how often, elsewhere."""


@dataclass(frozen=True, slots=True)
class _Act:
    """Something that a step may do."""

    name: str
    slots: tuple[Slot, ...]
    kind: StepKind = "call"
    shaped: Shaped | None = None
    near: Words = field(default_factory=Words)
    errors: tuple[Node, ...] = ()
    private: bool = False

    def draw(self, context: DrawContext) -> Step:
        context = replace(context, near=self.near)
        if self.errors:
            raised = (context.rng.choice(self.errors),) if context.happens(0.5) else ()
            return Step(self.name, raised, kind=self.kind)
        if self.shaped is not None:
            return Step(self.name, self.shaped.draw(context))
        return Step(self.name, *draw_arguments(self.slots, context), self.kind)

    @property
    def can_change(self) -> bool:
        return bool(self.slots or self.errors)

    def mutate(self, step: Step, context: DrawContext) -> Step:
        if self.errors:
            return self.draw(context)
        context = replace(context, near=self.near)
        if self.shaped is not None:
            return replace(step, arguments=self.shaped.mutate(step.arguments, context))
        arguments, keywords = mutate_arguments(self.slots, (step.arguments, step.keywords), context)
        return replace(step, arguments=arguments, keywords=keywords)


class Drawer:
    """Of one entry. A class is made first, then its methods are called in any order."""

    def __init__(self, entry: Entry, others: Sequence[Drawer] = ()) -> None:
        """`others`: those of the same module, which learn from one another what takes too long."""
        self.entry = entry
        self.is_private = entry.private
        self._others = others
        makers = [
            _Act(
                maker.name,
                _slots(maker.parameters, entry.target, _owner(entry)),
                shaped=maker.shaped,
                near=words_of_function(_maker(entry, maker.name)),
            )
            for maker in entry.makers
        ]
        self._makers = [act for maker, act in zip(entry.makers, makers, strict=True) if maker.kind != "host"]
        host = host_of(entry.target) if isinstance(entry.target, type) else None
        self._hosted = host.names if host is not None else frozenset()
        if host is not None and not any(act.shaped for act in makers):
            given = (Slot("members", host.members), Slot("above", host.above))
            self._makers.insert(0, replace(makers[0], slots=(*given, *makers[0].slots), kind="host"))
        acts = [
            _Act(
                method.name,
                _slots(method.parameters, method.function or entry.target, _owner(entry)),
                method.kind,
                method.shaped,
                words_of_function(method.function or entry.target),
                tuple(Call(Ref(error.__module__, error.__qualname__)) for error in method.errors),
                method.private,
            )
            for method in entry.methods
        ]
        self._methods = [act for act in acts if entry.private or not act.private]
        self._hidden = [act for act in acts if act not in self._methods]
        self._acts = {(act.name, act.kind): act for act in (*self._makers, *acts)}
        called = any(act.name == "__call__" for act in acts)
        # A context manager of `contextlib` is used once.
        self._most = MOST_STEPS if entry.is_class else MOST_CALLS if called else 2
        self.avoidance: dict[str, float] = {}
        """Of methods that had to be stopped, and of large numbers: how much rarer they have become."""

    def is_lacking(self, error: BaseException) -> bool:
        """Does it say that the object lacks what only a host could give it?"""
        return isinstance(error, AttributeError) and error.name in self._hosted

    def open(self, names: Collection[str]) -> None:
        """Methods, as `module:Class._method`, are called from now on."""
        opened = [act for act in self._hidden if f"{self.entry.name}.{act.name}" in names]
        self._methods += opened
        self._hidden = [act for act in self._hidden if act not in opened]

    def draw(self, context: DrawContext) -> Input:
        context = self._careful(context)
        number = pick(context, self._makers) if context.happens(0.4) else 0
        steps = [self._makers[number].draw(context)]
        if self._methods:
            steps += [self._method(context) for _ in range(context.rng.choice((0, 1, 1, 1, 2, 3, 5, 8)))]
            if not self.entry.is_class:  # first what makes a function, then that
                steps[1:] = sorted(steps[1:], key=lambda step: step.kind != "then")
        return Input(self.entry.name, tuple(steps[: self._most]))

    def mutate(self, given: Input, mates: Sequence[Input], context: DrawContext) -> Input:
        """One to three changes. `mates` are inputs of the same entry: their arguments and steps can be
        borrowed."""
        context = self._careful(context)
        steps = list(given.steps)
        for _ in range(context.rng.choice((1, 1, 1, 2, 3))):
            mate = mates[pick(context, mates)] if mates and context.happens(0.2) else None
            dice = context.rng.random()
            if mate is not None:
                steps = self._borrow(steps, mate, context)
            elif self._methods and (dice < 0.25 or (len(steps) == 1 and dice < 0.6)):
                steps.insert(context.rng.randint(1, len(steps)), self._method(context))
            elif len(steps) > 1 and dice < 0.35:
                del steps[context.rng.randrange(1, len(steps))]
            elif len(steps) > 1 and dice < 0.45:
                steps.append(steps[context.rng.randrange(1, len(steps))])
            else:
                self._change(steps, context)
        kept = steps[: self._most]
        steps = kept if context.largest is None else [_small(step, context) for step in kept]
        return replace(given, steps=tuple(steps))

    def stopped(self, given: Input) -> bool:
        """That costs as much as a thousand runs. A large number did it, if there is one; else the method."""
        if self.slowed(given):
            return True
        name = given.steps[-1].name
        if all(method.name != name for method in self._methods):
            return False
        self.avoidance[name] = AVOIDANCE * self.avoidance.get(name, 1.0)
        return True

    def slowed(self, given: Input) -> bool:
        if not any(_is_large(leaf) for step in given.steps for node in _nodes(step) for leaf in leaves(node)):
            return False
        for other in self._others:
            share = other.avoidance.get(LARGE, 1.0)
            other.avoidance[LARGE] = min(share, max(LEAST, RARER * share))
        self.avoidance[LARGE] = RARE
        return True

    def _careful(self, context: DrawContext) -> DrawContext:
        if LARGE not in self.avoidance or context.happens(self.avoidance[LARGE]):
            return context
        return replace(context, largest=LARGEST)

    def _method(self, context: DrawContext) -> Step:
        method = self._methods[pick(context, self._methods)]
        while method.name in self.avoidance and not context.happens(self.avoidance[method.name]):
            method = self._methods[pick(context, self._methods)]
        return method.draw(context)

    def _change(self, steps: list[Step], context: DrawContext) -> None:
        """Of a step that has arguments, one changes."""
        places = [place for place, step in enumerate(steps) if self._can_change(step)]
        if places:
            place = places[pick(context, places)]
            steps[place] = self._acts[steps[place].name, steps[place].kind].mutate(steps[place], context)

    def _borrow(self, steps: list[Step], mate: Input, context: DrawContext) -> list[Step]:
        if self._methods and context.happens(0.5):
            cut = context.rng.randint(1, len(steps))
            return [*steps[:cut], *mate.steps[1:]]
        place = pick(context, steps)
        own = steps[place]
        same = [step for step in mate.steps if (step.name, step.kind) == (own.name, own.kind)]
        if same:
            other = same[pick(context, same)]
            mixed = [
                spliced(node, other.arguments[number], context)
                if number < len(other.arguments) and context.happens(0.5)
                else node
                for number, node in enumerate(own.arguments)
            ]
            steps[place] = replace(own, arguments=tuple(mixed))
        return steps

    def _can_change(self, step: Step) -> bool:
        act = self._acts.get((step.name, step.kind))
        return act is not None and act.can_change


def _nodes(step: Step) -> tuple[Node, ...]:
    return (*step.arguments, *(node for _, node in step.keywords))


def _small(step: Step, context: DrawContext) -> Step:
    """Without large numbers: one that comes from an older input is as slow as one that is drawn."""
    large = {leaf for node in _nodes(step) for leaf in leaves(node) if _is_large(leaf)}
    for leaf in large:
        small = Atom(str(context.within(literal(leaf))))
        step = replace(
            step,
            arguments=tuple(with_leaf(node, leaf, small) for node in step.arguments),
            keywords=tuple((name, with_leaf(node, leaf, small)) for name, node in step.keywords),
        )
    return step


def _is_large(leaf: Atom | Text) -> bool:
    value = literal(leaf)
    return type(value) is int and abs(value) > LARGEST


def _slots(
    parameters: tuple[Parameter, ...], function: Callable[..., Any], owner: type | None = None
) -> tuple[Slot, ...]:
    made: Callable[..., Any] = function.__init__ if isinstance(function, type) else function  # type: ignore[misc]
    arguments = Arguments(made, owner)
    found = []
    for slot, parameter in zip(slots_of(parameters, arguments.kind), parameters, strict=True):
        if parameter.hint is not None:
            other = arguments.beside(parameter)
            kind = slot.kind if other is None else OneOf((slot.kind, slot.kind, other))
            slot = replace(slot, kind=with_strays(kind, parameter.hint, parameter.name, function))
        found.append(slot)
    return tuple(found)


def _owner(entry: Entry) -> type | None:
    return entry.target if isinstance(entry.target, type) else None


def _maker(entry: Entry, name: str) -> Callable[..., Any]:
    """The function; of a class, its constructor or the class method that makes one."""
    if not entry.is_class:
        return entry.target
    part = name.removeprefix(entry.attribute).lstrip(".") or "__init__"
    return getattr(entry.target, part)  # type: ignore[no-any-return]
