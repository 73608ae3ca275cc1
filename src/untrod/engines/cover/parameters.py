"""The parameters of a callable, and the type of each: as annotated, as its default says, or guessed."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Source = Literal["annotation", "default", "guess"]


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
    hints = _hints(function)
    found = []
    for parameter in parameters[1:] if bound else parameters:
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        hint, source = _hint(parameter, hints, owner)
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


def _hint(parameter: inspect.Parameter, hints: dict[str, Any], owner: type | None) -> tuple[Any, Source]:
    hint = hints.get(parameter.name)
    if hint is typing.Self and owner is not None:
        return owner, "annotation"
    if hint is not None and hint is not Any and hint is not object and not isinstance(hint, str):
        return hint, "annotation"
    default = parameter.default
    if default is not parameter.empty and default is not None:
        return type(default), "default"
    if owner is not None and parameter.name in ("other", "rhs"):
        return owner, "guess"
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
