"""What there is to call: the entries of a function, a class or a module; what cannot be called, and why."""

from __future__ import annotations

import enum
import inspect
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from untrod.core.errors import UntrodError
from untrod.engines.cover.case import Input, Step, StepKind
from untrod.engines.cover.methods import Method, members_of, methods_of, statements_of
from untrod.engines.cover.parameters import Parameter, Unreadable, parameters_of
from untrod.engines.cover.values.shaped import Shaped
from untrod.engines.cover.values.strays import is_stray

MOST_METHODS = 200
_KNOWN = "name a public function or class of the target, or a method as Class.method"


@dataclass(frozen=True, slots=True)
class Maker:
    """A way to make an object of a class: the class itself, or a class method such as `Cart.parse`."""

    name: str
    parameters: tuple[Parameter, ...]
    shaped: Shaped | None = None
    kind: StepKind = "call"


@dataclass(frozen=True, slots=True)
class Entry:
    """`name` is `module:qualified name`. A function has one maker, which is itself, and no methods; one that
    makes a context manager has the `with` statement for a method."""

    name: str
    target: Callable[..., Any]
    makers: tuple[Maker, ...]
    methods: tuple[Method, ...] = ()

    @property
    def is_class(self) -> bool:
        return isinstance(self.target, type)

    @property
    def is_numeric(self) -> bool:
        """Is it a function of whole numbers and truth values alone? Then one template stands for all
        inputs."""
        if self.methods or self.is_class or len(self.makers) != 1:
            return False
        return all(
            p.required and not p.keyword and not p.rest and (p.hint is int or p.hint is bool)
            for p in self.makers[0].parameters
        )

    @property
    def attribute(self) -> str:
        return self.name.partition(":")[2]

    @property
    def guessed(self) -> tuple[str, ...]:
        """The parameters whose types nobody wrote down, as `method.parameter`."""
        groups = [(maker.name, maker.parameters) for maker in self.makers if not maker.shaped]
        groups += [(f"{self.attribute}.{m.name}", m.parameters) for m in self.methods if not m.shaped]
        return tuple(f"{name}.{p.name}" for name, parameters in groups for p in parameters if p.guessed)

    def excuses(self, steps: Sequence[Step]) -> bool:
        """Has one of the steps an argument whose type is not right, or not known?"""
        both: list[Maker | Method] = [*self.makers, *self.methods]
        parts = {(part.name, part.kind): part for part in both}
        named = ((step, parts.get((step.name, step.kind))) for step in steps)
        return any(part is not None and _is_odd(step, part) for step, part in named)

    @property
    def shapes(self) -> dict[str, Shaped]:
        """Those that a person gave, by the name of the step."""
        parts: list[Maker | Method] = [*self.makers, *self.methods]
        return {part.name: part.shaped for part in parts if part.shaped}

    def allows(self, given: Input) -> bool:
        """Do its arguments have the shapes that a person gave, where one did?"""
        shapes = self.shapes
        return all(
            shapes[step.name].holds(step.arguments) and not step.keywords
            for step in given.steps
            if step.name in shapes
        )

    def with_shape(self, name: str, factory: Callable[[int], Any]) -> Entry:
        """`name` is that of a maker, or of a method as `Class.method`. Raises KeyError for another one."""
        makers = tuple(
            replace(maker, shaped=Shaped(self.target, factory)) if maker.name == name else maker
            for maker in self.makers
        )
        methods = tuple(
            replace(method, shaped=Shaped(self.target, factory))
            if f"{self.attribute}.{method.name}" == name and method.kind == "call"
            else method
            for method in self.methods
        )
        if (makers, methods) == (self.makers, self.methods):
            raise KeyError(name)
        return replace(self, makers=makers, methods=methods)


def _is_odd(step: Step, part: Maker | Method) -> bool:
    if part.shaped is not None:
        return False
    places = [p for p in part.parameters if p.required and not p.keyword and not p.rest]
    given = dict(zip((p.name for p in places), step.arguments, strict=False)) | dict(step.keywords)
    return any(p.guessed or (p.name in given and is_stray(given[p.name], p.hint)) for p in part.parameters)


@dataclass(frozen=True, slots=True)
class Refused:
    """`name` is not called, because of `reason`."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name} is left out: {self.reason}"


@dataclass(frozen=True, slots=True)
class Survey:
    entries: tuple[Entry, ...]
    refused: tuple[Refused, ...]

    def guesses(self) -> list[str]:
        """For a person: which types were guessed, in a line, if any were."""
        guessed = [name for entry in self.entries for name in entry.guessed]
        if not guessed:
            return []
        if len(guessed) == 1:
            return [f"the type of {guessed[0]} was guessed from its use: it has none"]
        named = ", ".join(guessed[:3]) + (", ..." if len(guessed) > 3 else "")
        return [f"the types of {len(guessed)} parameters were guessed from their use: {named}"]

    def with_shape(self, name: str, factory: Callable[[int], Any]) -> Survey:
        """`name` is that of a function, a class or a method, or empty where there is but one function.

        Raises UntrodError when it names nothing.
        """
        only = self.entries[0] if len(self.entries) == 1 and not self.entries[0].is_class else None
        if not name and only is None:
            raise UntrodError("which function is the shape for?", "write --shape FUNCTION=FACTORY")
        name = name or only.attribute if only else name
        for place, entry in enumerate(self.entries):
            try:
                shaped = entry.with_shape(name, factory)
            except KeyError:
                continue
            return replace(self, entries=(*self.entries[:place], shaped, *self.entries[place + 1 :]))
        raise UntrodError(f"the shape is for {name}, which is not called here", _KNOWN)


def survey(module: ModuleType, attribute: str, target: Any) -> Survey:
    """`target` is what `attribute` of the module names; the module itself where that is empty.

    Raises UntrodError when nothing is left to call.
    """
    entries: list[Entry] = []
    refused: list[Refused] = []
    named = [(attribute, target)] if attribute else list(_public(module))
    for name, found in named:
        for item in _entries(module.__name__, name, found):
            entries.append(item) if isinstance(item, Entry) else refused.append(item)
    if not entries:
        what = f"{module.__name__}:{attribute}" if attribute else module.__name__
        if refused:
            raise UntrodError(f"nothing in {what} can be called: {refused[0]}", "name a function or a class")
        raise UntrodError(f"{what} has no public function or class of its own", "name one, or another module")
    return Survey(tuple(entries), tuple(refused))


def _public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The public functions and classes that are defined in the module, in the order of their definition.

    Of a package that only hands on what its modules define, those that it names in `__all__`.
    """
    names = [name for name in vars(module) if not name.startswith("_") or name == "__getattr__"]
    own = [(name, vars(module)[name]) for name in names if _is_defined_in(module, vars(module)[name])]
    if not own:
        listed = [name for name in getattr(module, "__all__", ()) if hasattr(module, name)]
        own = [(name, getattr(module, name)) for name in listed if callable(getattr(module, name))]
    seen: set[int] = set()
    for name, found in own:
        if id(found) not in seen:  # an alias
            seen.add(id(found))
            yield name, found


def _is_defined_in(module: ModuleType, found: Any) -> bool:
    return callable(found) and getattr(found, "__module__", None) == module.__name__ and _is_code(found)


def _is_code(found: Any) -> bool:
    """A function, whatever it is wrapped in, a class, or an object whose class is one that can be called."""
    if isinstance(found, type) or inspect.isroutine(found) or hasattr(found, "__wrapped__"):
        return True
    return hasattr(type(found).__call__, "__code__")


def _entries(module: str, name: str, found: Any) -> Iterator[Entry | Refused]:
    full = f"{module}:{name}"
    if not callable(found):
        yield Refused(full, f"it is {type(found).__name__}, which cannot be called")
    elif not isinstance(found, type):
        yield _function(full, name, found)
    else:
        if any(members_of(found)):  # else there is nothing of its own in it
            yield _class(full, name, found)
            yield from _without_object(full, name, found)
        for part, inner in vars(found).items():
            if (
                isinstance(inner, type)
                and inner.__qualname__ == f"{found.__qualname__}.{part}"
                and part[0] != "_"
            ):
                yield from _entries(module, f"{name}.{part}", inner)


def _function(full: str, name: str, found: Callable[..., Any]) -> Entry | Refused:
    try:
        return Entry(full, found, (Maker(name, parameters_of(found)),), tuple(statements_of(found)))
    except Unreadable as error:
        return Refused(full, str(error))


def _class(full: str, name: str, kind: type) -> Entry | Refused:
    reason = _cannot_be_made(kind)
    if reason:
        return Refused(full, reason)
    makers = []
    try:
        makers.append(Maker(name, _values_of(kind) or parameters_of(kind)))
    except Unreadable as error:
        reason = str(error)
    for part, function in _class_methods(kind):
        if _returns(function, kind):
            try:
                makers.append(Maker(f"{name}.{part}", parameters_of(getattr(kind, part), owner=kind)))
            except Unreadable:
                continue
    if not makers:
        return Refused(full, reason)
    return Entry(full, kind, tuple(makers), tuple(methods_of(kind))[:MOST_METHODS])


def _cannot_be_made(kind: type) -> str:
    if inspect.isabstract(kind):
        missing = ", ".join(sorted(getattr(kind, "__abstractmethods__", ())))
        return f"it is abstract: {missing} is missing"
    if getattr(kind, "_is_protocol", False):
        return "it is a protocol"
    if issubclass(kind, enum.Enum) and not _values_of(kind):
        return "it is an enum, whose members exist already"
    return ""


def _values_of(kind: type) -> tuple[Parameter, ...]:
    """Of an enum with plain values: which of them? Empty for anything else."""
    values = [member.value for member in kind] if issubclass(kind, enum.Enum) else []
    if not values or any(type(value) not in (int, str) for value in values):
        return ()
    return (Parameter("value", typing.Literal[tuple(values)], "annotation"),)


def _without_object(full: str, name: str, kind: type) -> Iterator[Entry | Refused]:
    """Static methods, and class methods that make something else: functions with a longer name."""
    for part, function in _class_methods(kind):
        if not _returns(function, kind):
            yield _function(f"{full}.{part}", f"{name}.{part}", getattr(kind, part))


def _class_methods(kind: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    for part, found in members_of(kind):
        if isinstance(found, staticmethod | classmethod) and not part.startswith("_"):
            yield part, found.__func__


def _returns(function: Callable[..., Any], kind: type) -> bool:
    try:
        hint = typing.get_type_hints(function).get("return")
    except Exception:
        return False
    return hint is kind or hint is typing.Self
