"""What there is to call: the entries of a function, a class or a module; what cannot be called, and why."""

from __future__ import annotations

import enum
import inspect
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import CodeType, ModuleType
from typing import Any

from untrod.core.errors import UntrodError
from untrod.engines.cover.case import Input, Step, StepKind
from untrod.engines.cover.methods import (
    Method,
    closures_of,
    code_of,
    is_of_package,
    is_private,
    members_of,
    methods_of,
    statements_of,
)
from untrod.engines.cover.parameters import Parameter, Unreadable, parameters_of
from untrod.engines.cover.values.shaped import Shaped
from untrod.engines.cover.values.strays import is_stray
from untrod.source.evaluate import resolve
from untrod.source.nodes import Call, Display, Node, Pairs, Ref

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
    makes a context manager has the `with` statement for a method. `private`: it is called when nothing public
    was seen to reach it, and not before that."""

    name: str
    target: Callable[..., Any]
    makers: tuple[Maker, ...]
    methods: tuple[Method, ...] = ()
    private: bool = False

    @property
    def hidden(self) -> dict[str, list[CodeType]]:
        """What is private of it, by name, and the code that running it enters."""
        if not self.private:
            private = (method for method in self.methods if method.private)
            return {f"{self.name}.{m.name}": [code] for m in private if (code := code_of(m.function))}
        made = vars(self.target).get("__init__") if self.is_class else self.target
        codes = [code_of(made), *(code_of(method.function) for method in self.methods)]
        return {self.name: [code for code in codes if code is not None]}

    def is_private_call(self, steps: Sequence[Step]) -> bool:
        """Did one of the steps call what is private? What it expects of its callers is not known."""
        private = {method.name for method in self.methods if method.private}
        return self.private or any(step.name in private for step in steps[1:])

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
        groups += [
            (f"{self.attribute}.{m.name}", m.parameters) for m in self.methods if not (m.shaped or m.private)
        ]
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
    if any(map(_has_guess, (*step.arguments, *dict(step.keywords).values()))):
        return True
    return any(p.guessed or (p.name in given and is_stray(given[p.name], p.hint)) for p in part.parameters)


def _has_guess(node: Node) -> bool:
    """Is an object in it that was made with arguments of types nobody wrote down?"""
    match node:
        case Call(function, arguments, keywords):
            inside = (*arguments, *(value for _, value in keywords))
            return (isinstance(function, Ref) and bool(inside) and _guesses(function)) or any(
                map(_has_guess, inside)
            )
        case Display(_, items):
            return any(map(_has_guess, items))
        case Pairs(pairs):
            return any(_has_guess(value) for _, value in pairs)
    return False


@lru_cache(maxsize=256)
def _guesses(ref: Ref) -> bool:
    try:
        found = resolve(ref)
        return isinstance(found, type) and any(p.guessed for p in parameters_of(found))
    except Exception:
        return False


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
        guessed = [name for entry in self.entries if not entry.private for name in entry.guessed]
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
    named = [(attribute, target)] if attribute else [*_public(module), *_private(module)]
    for name, found in named:
        for item in _entries(module.__name__, name, found):
            if isinstance(item, Refused):
                refused += [item] if attribute or not is_private(name) else []
            else:
                entries.append(replace(item, private=item.private or (not attribute and is_private(name))))
    entries = [entry for entry in entries if _has_code(entry, module)] or entries
    if not entries:
        what = f"{module.__name__}:{attribute}" if attribute else module.__name__
        if refused:
            raise UntrodError(f"nothing in {what} can be called: {refused[0]}", "name a function or a class")
        raise UntrodError(f"{what} has no function or class of its own", "name one, or another module")
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


def _private(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The others that are defined in the module."""
    seen = {id(found) for _, found in _public(module)}
    for name, found in list(vars(module).items()):
        if is_private(name) and _is_defined_in(module, found) and id(found) not in seen:
            seen.add(id(found))
            yield name, found


def _has_code(entry: Entry, module: ModuleType) -> bool:
    """Is any of it written in the module? What makes a named tuple or an enum is Python's own, and calling it
    takes no branch. Where nothing is, something that is handed on may be."""
    if not isinstance(entry.target, type):
        return True
    codes = (code_of(found) for _, found in members_of(entry.target))
    return any(code is not None and code.co_filename == module.__file__ for code in codes)


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
        methods = (*statements_of(found), *closures_of(found))
        return Entry(full, found, (Maker(name, parameters_of(found)),), methods)
    except Unreadable as error:
        return Refused(full, str(error))


def _class(full: str, name: str, kind: type) -> Entry | Refused:
    reason = _cannot_be_made(kind)
    if reason:
        return Refused(full, reason)
    makers = []
    way: StepKind = "host" if inspect.isabstract(kind) else "call"
    try:
        makers.append(Maker(name, _values_of(kind) or parameters_of(kind), kind=way))
    except Unreadable as error:
        reason = str(error)
    for part, function in _class_methods(kind):
        if _returns(function, kind) and not part.startswith("_"):
            try:
                makers.append(Maker(f"{name}.{part}", parameters_of(getattr(kind, part), owner=kind)))
            except Unreadable:
                continue
    if not makers:
        return Refused(full, reason)
    return Entry(full, kind, tuple(makers), tuple(methods_of(kind))[:MOST_METHODS])


def _cannot_be_made(kind: type) -> str:
    if inspect.isabstract(kind) and _is_empty(kind):
        missing = ", ".join(sorted(getattr(kind, "__abstractmethods__", ())))
        return f"it is abstract: {missing} is missing"
    if getattr(kind, "_is_protocol", False):
        return "it is a protocol"
    if issubclass(kind, enum.Enum) and not _values_of(kind):
        return "it is an enum, whose members exist already"
    return ""


def _is_empty(kind: type) -> bool:
    """Is there nothing in it besides what is abstract?"""
    missing: frozenset[str] = getattr(kind, "__abstractmethods__", frozenset())
    return all(part in missing for part, _ in members_of(kind))


def _values_of(kind: type) -> tuple[Parameter, ...]:
    """Of an enum with plain values: which of them? Empty for anything else."""
    values = [member.value for member in kind] if issubclass(kind, enum.Enum) else []
    if not values or any(type(value) not in (int, str) for value in values):
        return ()
    return (Parameter("value", typing.Literal[tuple(values)], "annotation"),)


def _without_object(full: str, name: str, kind: type) -> Iterator[Entry | Refused]:
    """Static methods, and class methods that make something else: functions with a longer name."""
    for part, function in _class_methods(kind):
        if is_private(part) and is_of_package(function, kind):
            made = _function(f"{full}.{part}", f"{name}.{part}", getattr(kind, part))
            if isinstance(made, Entry):
                yield replace(made, private=True)
        elif not is_private(part) and not _returns(function, kind):
            yield _function(f"{full}.{part}", f"{name}.{part}", getattr(kind, part))


def _class_methods(kind: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    for part, found in members_of(kind):
        if isinstance(found, staticmethod | classmethod) and not part.startswith("__"):
            yield part, found.__func__


def _returns(function: Callable[..., Any], kind: type) -> bool:
    try:
        hint = typing.get_type_hints(function).get("return")
    except Exception:
        return False
    return hint is kind or hint is typing.Self
