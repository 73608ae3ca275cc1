"""What can be done with an object: methods, properties, and the statements that call methods of it."""

from __future__ import annotations

import ast
import builtins
import contextlib
import enum
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import CellType, CodeType, FunctionType
from typing import Any

from untrod.engines.cover.case import StepKind
from untrod.engines.cover.parameters import Parameter, Unreadable, parameters_of
from untrod.engines.cover.values.shaped import Shaped
from untrod.engines.cover.values.uses import tree_of

_OPERATORS = frozenset(
    f"__{name}__"
    for names in (
        "len bool contains getitem setitem delitem missing getattr iter next reversed call enter exit",
        "aiter anext aenter aexit await length_hint",
        "eq ne lt le gt ge hash str repr format bytes int float complex index round trunc floor ceil",
        "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and or xor neg pos abs invert",
        "radd rsub rmul rmatmul rtruediv rfloordiv rmod rpow rand ror rxor",
        "iadd isub imul itruediv ifloordiv imod ipow ior iand ixor",
        "copy deepcopy replace reduce getstate setstate",
        "get set delete set_name",
    )
    for name in names.split()
)
"""Methods that Python's syntax, `copy` and `pickle` call: as public as a method can be."""
MANAGED: dict[StepKind, tuple[str, str]] = {
    "with": ("__enter__", "__exit__"),
    "async with": ("__aenter__", "__aexit__"),
}


@dataclass(frozen=True, slots=True)
class Method:
    """Something to do with an object: call a method; read, set or delete a property; use it in a `with`.

    `function` is the code that this runs first. `errors` are what the body of a `with` may raise.
    """

    name: str
    parameters: tuple[Parameter, ...] = ()
    kind: StepKind = "call"
    shaped: Shaped | None = None
    function: Callable[..., Any] | None = None
    errors: tuple[type[BaseException], ...] = ()
    private: bool = False


def is_private(name: str) -> bool:
    """Is a part of it, as `Cart._total`, for the code itself?"""
    return any(part.startswith("_") and not part.endswith("__") for part in name.split("."))


def methods_of(kind: type) -> Iterator[Method]:
    """Private ones that the class itself, or a base in the same package, defines are among them."""
    members = dict(members_of(kind))
    managed = {way: pair for way, pair in MANAGED.items() if members.keys() >= set(pair)}
    for part, found in members.items():
        if isinstance(found, staticmethod | classmethod):
            continue
        if part.startswith("_") and part not in _OPERATORS:
            if is_private(part) and is_of_package(found, kind):
                yield from (replace(one, private=True) for one in _of_member(kind, part, found))
            continue
        way = next((way for way, pair in managed.items() if part in pair), None)
        if way is not None:
            entering, leaving = managed[way]
            if part == entering:
                yield Method(part, kind=way, function=found, errors=tuple(_errors(members[leaving])))
                yield Method(part, function=found)  # for what is done inside
        else:
            yield from _of_member(kind, part, found)


def _of_member(kind: type, part: str, found: Any) -> Iterator[Method]:
    if isinstance(found, property) or _is_descriptor(found):
        yield from _of_property(kind, part, found)
    elif type(found).__name__ == "cached_property":
        yield Method(part, kind="get", function=found.func)
    elif inspect.isroutine(found) or hasattr(found, "__wrapped__"):
        try:
            yield Method(part, parameters_of(found, owner=kind, bound=True), function=found)
        except Unreadable:
            return


def is_of_package(found: Any, kind: type) -> bool:
    """Private code of other people is none of ours."""
    plain = found.fget or found.fset or found.fdel if isinstance(found, property) else found
    home = getattr(inspect.unwrap(plain), "__module__", "") if callable(plain) else ""
    return bool(home) and home.partition(".")[0] == kind.__module__.partition(".")[0]


def statements_of(function: Callable[..., Any]) -> Iterator[Method]:
    """Of what a function makes: the `with` of one that `contextlib` has made a context manager of."""
    code, inner = getattr(function, "__code__", None), getattr(function, "__wrapped__", None)
    if code is None or inner is None or code.co_filename != contextlib.__file__:
        return
    way: StepKind = "async with" if inspect.isasyncgenfunction(inspect.unwrap(inner)) else "with"
    yield Method(MANAGED[way][0], kind=way, function=inner, errors=tuple(_errors(inner)))


def closures_of(function: Callable[..., Any]) -> Iterator[Method]:
    """Of a function that returns one of its own: calling that. One that returns another one in turn, as what
    makes a decorator does, comes first, and what it returns takes its place."""
    is_wrapped = hasattr(function, "__wrapped__")
    inner = _returned(function) if isinstance(function, FunctionType) and not is_wrapped else None
    if inner is None:
        return
    last = _returned(inner)
    for one in (inner, last):
        if one is not None:
            try:
                way: StepKind = "then" if one is inner and last is not None else "call"
                yield Method("__call__", parameters_of(one), way, function=one)
            except Unreadable:
                return


def _returned(function: FunctionType) -> FunctionType | None:
    """The inner function that it returns, maybe wrapped in something. It is never called."""
    tree = tree_of(function)
    if not isinstance(tree, ast.FunctionDef):
        return None
    inner = {one.name: one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) and one is not tree}
    returns = (
        one.value for one in _statements(tree.body) if isinstance(one, ast.Return) and one.value is not None
    )
    named = (one.id for value in returns for one in ast.walk(value) if isinstance(one, ast.Name))
    found = next((name for name in named if name in inner), None)
    codes = (one for one in function.__code__.co_consts if isinstance(one, CodeType))
    code = next((one for one in codes if one.co_name == found), None)
    if code is None or found is None:
        return None
    cells = tuple(CellType() for _ in code.co_freevars)
    defaults = (None,) * len(inner[found].args.defaults)
    made = FunctionType(code, function.__globals__, found, defaults, cells)
    made.__kwdefaults__ = {
        one.arg: None
        for one, default in zip(inner[found].args.kwonlyargs, inner[found].args.kw_defaults, strict=True)
        if default is not None
    }
    made.__module__ = function.__module__
    return made


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Without those of inner functions and classes."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for part in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, part, []))
        for handler in getattr(statement, "handlers", []):
            yield from _statements(handler.body)


def members_of(kind: type) -> Iterator[tuple[str, Any]]:
    """What the class and its bases define in Python, in the order of definition; the nearest one counts."""
    seen: set[str] = set()
    for base in kind.__mro__:
        if base.__module__ in ("builtins", "typing", "abc", "enum", "collections.abc"):
            continue
        for part, found in vars(base).items():
            if part not in seen and _has_source(found):
                seen.add(part)
                yield part, found


def _of_property(kind: type, part: str, found: Any) -> Iterator[Method]:
    if isinstance(found, property):
        read, write, delete = found.fget, found.fset, found.fdel
    else:
        read, write, delete = (getattr(type(found), f"__{what}__", None) for what in ("get", "set", "delete"))
    if read is not None:
        yield Method(part, kind="get", function=read)
    if write is not None:
        try:
            value = parameters_of(write, owner=kind, bound=True)[-1]
        except (Unreadable, IndexError):
            return
        returned = getattr(read, "__annotations__", {}).get("return")
        if value.guessed and isinstance(returned, type):
            value = replace(value, hint=returned, source="annotation")
        yield Method(part, (value,), "set", function=write)
    if delete is not None:
        yield Method(part, kind="del", function=delete)


def _is_descriptor(found: Any) -> bool:
    """One whose class is written in Python."""
    if type(found).__name__ == "cached_property":
        return False
    return any(hasattr(getattr(type(found), f"__{name}__", None), "__code__") for name in ("get", "set"))


def code_of(found: Any) -> CodeType | None:
    """Of a function, a method of whatever kind, or a property."""
    plain: Any = getattr(found, "__func__", found)
    if isinstance(found, property):
        plain = found.fget or found.fset or found.fdel
    plain = getattr(plain, "func", plain) if type(found).__name__ == "cached_property" else plain
    code = getattr(inspect.unwrap(plain), "__code__", None) if callable(plain) else None
    return code if isinstance(code, CodeType) else None


def _has_source(found: Any) -> bool:
    if not isinstance(found, property) and _is_descriptor(found) and not callable(found):
        return type(found).__module__ not in ("functools", "types", "enum")
    code = code_of(found)
    # Dataclasses make methods of their own, and enums copy some.
    return code is not None and not code.co_filename.startswith("<") and code.co_filename != enum.__file__


_USUAL = (ValueError, RuntimeError, OSError)


def _errors(function: Callable[..., Any]) -> Iterator[type[BaseException]]:
    """Those that its code names, and a few others; as far as they can be made without arguments."""
    plain = inspect.unwrap(function)
    code, names = getattr(plain, "__code__", None), getattr(plain, "__globals__", {})
    mentioned = code.co_names if isinstance(code, CodeType) else ()
    found: list[Any] = [names.get(name, getattr(builtins, name, None)) for name in mentioned]
    for error in dict.fromkeys([*_USUAL, *(one for one in found if _is_error(one))]):
        try:
            error()
        except Exception:  # it wants arguments, or is anybody's code
            continue
        yield error


def _is_error(found: Any) -> bool:
    return isinstance(found, type) and issubclass(found, BaseException)
