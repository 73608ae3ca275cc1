"""The parameters of a callable, and the type of each: annotated, told by default or docstring, or guessed."""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Callable, Iterator
from dataclasses import InitVar, dataclass, replace
from types import BuiltinFunctionType, FunctionType
from typing import Any, Literal

from untrod.engines.cover.docstrings import documented_types
from untrod.engines.cover.type_expressions import NotAType, checked_imports, resolve
from untrod.engines.cover.values.uses import tree_of

Source = Literal["annotation", "default", "docstring", "guess"]


COMPARISONS = frozenset(f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge"))
"""Python calls them with whatever stands on the other side; they are to say NotImplemented."""
OPERATORS = COMPARISONS | frozenset(
    f"__{name}__"
    for names in ("add sub mul truediv floordiv mod and or xor radd rsub iadd isub",)
    for name in names.split()
)
"""With one operand, and that is mostly of the same class."""


class Unreadable(Exception):
    """The signature cannot be had; says why."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """`hint` is a type, or None where nothing is known. `rest`: `*args`, any number of them; with `keyword`,
    `**kwargs`, under any name."""

    name: str
    hint: Any
    source: Source
    required: bool = True
    keyword: bool = False
    rest: bool = False

    @property
    def guessed(self) -> bool:
        return self.source == "guess"


def parameters_of(
    function: Callable[..., Any], owner: type | None = None, bound: bool = False
) -> tuple[Parameter, ...]:
    """Without `self`, which is dropped when `bound`. Raises Unreadable."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError) as error:
        raise Unreadable(f"its signature cannot be read: {error}") from error
    hints, said = _hints(function), documented_types(function)
    operand = bound and len(parameters) == 2 and function.__name__ in OPERATORS
    compares = operand and function.__name__ in COMPARISONS
    found = []
    for parameter in parameters[1:] if bound else parameters:
        if parameter.kind is parameter.VAR_KEYWORD:
            found += _keywords(parameter, hints, said, {one.name for one in parameters}, function)
            continue
        hint, source = _hint(parameter, hints, said, owner, operand, compares)
        found.append(
            Parameter(
                parameter.name,
                hint,
                source,
                required=parameter.default is parameter.empty,
                keyword=parameter.kind is parameter.KEYWORD_ONLY,
                rest=parameter.kind is parameter.VAR_POSITIONAL,
            )
        )
    return tuple(found)


def _keywords(
    parameter: inspect.Parameter,
    hints: dict[str, Any],
    said: dict[str, Any],
    taken: set[str],
    function: Callable[..., Any],
) -> list[Parameter]:
    """Of `**kwargs`: those that a TypedDict or the docstring names, that the code looks for, or that what it
    hands them on to takes; else any."""
    hint = hints.get(parameter.name)
    named: dict[str, Any] = {name: kind for name, kind in said.items() if name not in taken}
    source: Source = "docstring"
    if typing.get_origin(hint) is typing.Unpack:
        named, source = typing.get_type_hints(typing.get_args(hint)[0]), "annotation"
    if named:
        return [Parameter(name, kind, source, False, True) for name, kind in named.items()]
    handed = [one for one in handed_on(function) if one.name not in taken]
    if handed:
        return list({one.name: one for one in reversed(handed)}.values())[::-1]
    known = hint is not None and hint is not Any and hint is not object
    kind, source = (hint, "annotation") if known else (None, "guess")
    return [Parameter(parameter.name, kind, source, False, True, True)]


MOST_LINKS = 6
"""So many calls are followed that hand `**kwargs` on."""


def handed_on(function: Callable[..., Any]) -> list[Parameter]:
    """What the code looks for in its `**kwargs`, and what those take that it hands them on to."""
    owner, plain = _defined(function)
    tree = tree_of(plain) if isinstance(plain, FunctionType) else None
    if tree is None or tree.args.kwarg is None or plain in _FOLLOWED or len(_FOLLOWED) >= MOST_LINKS:
        return []
    _FOLLOWED.append(plain)
    try:
        return [one for one in _handed_on(tree, owner, plain) if one.name.isidentifier()]
    finally:
        _FOLLOWED.pop()


_FOLLOWED: list[FunctionType] = []


def _handed_on(
    tree: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, owner: type | None, plain: FunctionType
) -> Iterator[Parameter]:
    assert tree.args.kwarg is not None
    name = tree.args.kwarg.arg
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                ast.Attribute(ast.Name(of), "get" | "pop" | "setdefault"), [ast.Constant(str(key)), *rest]
            ):
                if of == name:
                    yield _looked_for(key, rest)
            case ast.Subscript(ast.Name(of), ast.Constant(str(key))) if of == name:
                yield _looked_for(key, [])
            case ast.Compare(ast.Constant(str(key)), [ast.In() | ast.NotIn()], [ast.Name(of)]) if of == name:
                yield _looked_for(key, [])
            case ast.Call(callee, given, named):
                if any(
                    one.arg is None and isinstance(one.value, ast.Name) and one.value.id == name
                    for one in named
                ):
                    taken = {one.arg for one in named}
                    yield from (
                        one for one in _takes(callee, len(given), owner, plain) if one.name not in taken
                    )


def _looked_for(key: str, default: list[ast.expr]) -> Parameter:
    value = default[0].value if default and isinstance(default[0], ast.Constant) else None
    if value is None:
        return Parameter(key, None, "guess", False, True)
    return Parameter(key, type(value), "default", False, True)


def _defined(function: Callable[..., Any]) -> tuple[type | None, Any]:
    """The class whose constructor it is, and the function itself."""
    if isinstance(function, type):
        owner = next((base for base in function.__mro__ if "__init__" in vars(base)), None)
        return owner, vars(owner)["__init__"] if owner is not None else None
    return None, inspect.unwrap(getattr(function, "__func__", function))


def _takes(callee: ast.expr, places: int, owner: type | None, function: FunctionType) -> list[Parameter]:
    """By name, what a call with so many arguments by place has still to be given."""
    found: Any
    match callee:
        case ast.Attribute(ast.Call(ast.Name("super")), "__init__") if owner is not None:
            found = next((base for base in owner.__mro__[1:] if "__init__" in vars(base)), None)
        case ast.Name(name):
            found = function.__globals__.get(name)
        case ast.Attribute(ast.Name(name), part):
            found = getattr(function.__globals__.get(name), part, None)
        case _:
            return []
    if not callable(found) or found is object or found is dict:
        return []
    try:
        parameters = parameters_of(found)
    except (Unreadable, RecursionError):
        return []
    named = [p for p in parameters[places:] if not p.rest]
    return [replace(p, keyword=True) for p in named]


def _hint(
    parameter: inspect.Parameter,
    hints: dict[str, Any],
    said: dict[str, Any],
    owner: type | None,
    operand: bool,
    anything: bool,
) -> tuple[Any, Source]:
    """`operand`: the other side of an operator. `anything`: of one that has to bear with anything."""
    hint = hints.get(parameter.name)
    hint = hint.type if isinstance(hint, InitVar) else hint
    if hint is typing.Self and owner is not None:
        return owner, "annotation"
    if operand and owner is not None:  # what is it compared with, or added to? Mostly one of its own
        kinds = (owner, hint or object, *((object,) if anything else ()))
        return typing.Union[kinds], "annotation" if hint else "guess"  # noqa: UP007
    if hint is not None and hint is not Any and hint is not object and not isinstance(hint, str):
        return hint, "annotation"
    default = parameter.default
    if default is not parameter.empty and default is not None:
        return _type_of(default), "default"
    if parameter.name in said and said[parameter.name] is not Any:
        known = said[parameter.name]
        return (typing.Optional[known] if default is None else known), "docstring"  # noqa: UP045
    return None, "guess"


def _type_of(default: Any) -> Any:
    """Of the parts as well, where all are of one type; of a tuple, of each."""
    if isinstance(default, FunctionType | BuiltinFunctionType | type):
        return Callable
    parts = list(map(_type_of, default)) if isinstance(default, list | set | frozenset | tuple) else []
    if parts and type(default) is tuple:
        return tuple[tuple(parts)]  # type: ignore[misc]
    if parts and all(part == parts[0] for part in parts) and type(default) in (list, set, frozenset):
        return type(default)[parts[0]]
    return type(default)


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """Of a class, those of its constructor. One name that cannot be resolved must not hide the others."""
    plain = function.__init__ if isinstance(function, type) else inspect.unwrap(function)  # type: ignore[misc]
    if isinstance(function, type) and not hasattr(plain, "__code__"):
        plain = function.__new__
    plain = getattr(plain, "__func__", plain)
    if isinstance(function, type) and issubclass(function, tuple) and hasattr(function, "_fields"):
        plain = function  # what makes a named tuple has annotations that cannot be read
    elif not isinstance(function, type) and not inspect.isroutine(plain) and callable(plain):
        plain = type(plain).__call__  # an object that can be called
    try:
        return typing.get_type_hints(plain)
    except Exception:
        return {
            name: resolved
            for name, hint in getattr(plain, "__annotations__", {}).items()
            if (resolved := _alone(hint, plain)) is not None
        }


def _alone(hint: Any, function: Callable[..., Any]) -> Any:
    if not isinstance(hint, str):
        return hint
    names = getattr(function, "__globals__", {})
    try:
        missing = {one.id for one in ast.walk(ast.parse(hint)) if isinstance(one, ast.Name)} - names.keys()
        names = {**names, **checked_imports(function.__module__, sorted(missing))}
        return eval(hint, names)
    except Exception:
        pass
    try:
        return resolve(hint, names)
    except NotAType:
        return None
