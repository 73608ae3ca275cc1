"""Does a value have the type that somebody wrote down? Where the type says too little, everything fits.

`True` is no number here, although Python takes it for one: nobody who writes `int` means it.
"""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

MOST_ITEMS = 50
_WRAPPERS = (typing.Annotated, typing.Final, typing.ClassVar, typing.Required, typing.NotRequired)
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


def fits(value: Any, hint: Any) -> bool:
    """Never raises, whatever the value does."""
    try:
        return _fits(value, hint)
    except Exception:
        return True


def _fits(value: Any, hint: Any) -> bool:
    if hint is None or hint is type(None):
        return value is None
    if isinstance(hint, typing.NewType):
        return _fits(value, hint.__supertype__)
    if isinstance(hint, typing.TypeVar):
        return _is_bound(value, hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in _WRAPPERS:
        return _fits(value, arguments[0])
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, one) for one in arguments)
    if origin is typing.Literal:
        return any(value == one and type(value) is type(one) for one in arguments)
    if origin is type:
        return isinstance(value, type) and (
            not isinstance(arguments[0], type) or issubclass(value, arguments[0])
        )
    if origin is collections.abc.Callable or hint is collections.abc.Callable:
        return callable(value) and _takes(value, arguments)
    if typing.is_typeddict(hint):
        return _has_keys(value, hint)
    if getattr(hint, "_is_protocol", False):
        return isinstance(hint, type) and all(hasattr(value, name) for name in _members(hint))
    kind = origin or hint
    if not isinstance(kind, type):
        return True
    if kind in (int, float, complex):
        wider = {int: int, float: int | float, complex: int | float | complex}[kind]
        return isinstance(value, wider) and not isinstance(value, bool)
    return isinstance(value, kind) and (not arguments or _holds(value, kind, arguments))


def one_constraint(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Of values and their types: `AnyStr` stands for one type in a call, not for another one each time."""
    by_variable: dict[Any, list[Any]] = {}
    for value, hint in pairs:
        if isinstance(hint, typing.TypeVar) and hint.__constraints__:
            by_variable.setdefault(hint, []).append(value)
    return all(
        any(all(fits(value, one) for value in values) for one in variable.__constraints__)
        for variable, values in by_variable.items()
    )


def _is_bound(value: Any, variable: typing.TypeVar) -> bool:
    if variable.__constraints__:
        return any(_fits(value, one) for one in variable.__constraints__)
    bound = variable.__bound__
    return bound is None or isinstance(bound, str | typing.ForwardRef) or _fits(value, bound)


def _takes(function: Any, arguments: tuple[Any, ...]) -> bool:
    """As many arguments as the type says?"""
    if not arguments or not isinstance(arguments[0], list):
        return True
    try:
        inspect.signature(function).bind(*arguments[0])
    except TypeError:
        return False
    except ValueError:
        pass  # a built-in that does not say
    return True


def _has_keys(value: Any, hint: Any) -> bool:
    if not isinstance(value, dict):
        return False
    hints = typing.get_type_hints(hint)
    return value.keys() >= hint.__required_keys__ and all(
        _fits(inside, hints[key]) for key, inside in value.items() if key in hints
    )


def _members(protocol: type) -> set[str]:
    names = {
        name
        for base in protocol.__mro__[:-1]
        if base not in (typing.Protocol, typing.Generic)
        for name in vars(base)
    }
    return {name for name in names if not name.startswith("_abc_")} - _every_protocol()


@lru_cache(maxsize=1)
def _every_protocol() -> frozenset[str]:
    """What a class has only because it is a protocol."""

    class Empty(typing.Protocol):
        pass

    more = {"__annotations__", "__orig_bases__", "__slots__", "_is_runtime_protocol"}
    return frozenset(vars(Empty)) | more


def _holds(value: Any, kind: type, arguments: tuple[Any, ...]) -> bool:
    if isinstance(value, tuple) and kind is tuple:
        if len(arguments) == 2 and arguments[1] is ...:
            return all(_fits(item, arguments[0]) for item in value[:MOST_ITEMS])
        return arguments == ((),) or (len(value) == len(arguments) and all(map(_fits, value, arguments)))
    if isinstance(value, dict) and kind in _MAPPINGS and len(arguments) == 2:
        return all(
            _fits(key, arguments[0]) and _fits(inside, arguments[1])
            for key, inside in islice(value.items(), MOST_ITEMS)
        )
    if isinstance(value, list | tuple | set | frozenset | dict) and len(arguments) == 1:
        return all(_fits(item, arguments[0]) for item in islice(value, MOST_ITEMS))
    return True
