"""The parameters of a callable, and the type of each: annotated, told by default or docstring, or guessed."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from untrod.engines.cover.docstrings import documented_types

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
    """`hint` is a type, or None where nothing is known. `rest`: `*args`, any number of them."""

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
    if hint is typing.Self and owner is not None:
        return owner, "annotation"
    if operand and owner is not None:  # what is it compared with, or added to? Mostly one of its own
        kinds = (owner, hint or object, *((object,) if anything else ()))
        return typing.Union[kinds], "annotation" if hint else "guess"  # noqa: UP007
    if hint is not None and hint is not Any and hint is not object and not isinstance(hint, str):
        return hint, "annotation"
    default = parameter.default
    if default is not parameter.empty and default is not None:
        return type(default), "default"
    if parameter.name in said and said[parameter.name] is not Any:
        known = said[parameter.name]
        return (typing.Optional[known] if default is None else known), "docstring"  # noqa: UP045
    return None, "guess"


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """Of a class, those of its constructor. One name that cannot be resolved must not hide the others."""
    plain = function.__init__ if isinstance(function, type) else inspect.unwrap(function)  # type: ignore[misc]
    if isinstance(function, type) and not hasattr(plain, "__code__"):
        plain = function.__new__
    plain = getattr(plain, "__func__", plain)
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
    try:
        return eval(hint, getattr(function, "__globals__", {}))
    except Exception:
        return None
