"""The shape of a function's arguments at size N, from its annotations or from a factory that a person wrote.

`N` is the length of every list, str, bytes, `tuple[T, ...]` and dict in the signature, at every level: at
N = 4 a `list[list[int]]` has 16 leaves. A parameter with a default keeps it. Whatever this is too simple for
(two lists of unequal length, bounded ints, a fixed pattern) is said by a factory: `factory(n)` returns a
shape, or a tuple of shapes for several arguments.
"""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing
from collections.abc import Callable
from typing import Any

from untrod.core.errors import UntrodError
from untrod.symbolic.shapes import (
    Arguments,
    Bool,
    Bytes,
    Const,
    Dict,
    Int,
    List,
    Shape,
    Text,
    Tuple,
    arguments,
)

_LISTS = (
    list,
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Collection,
    collections.abc.Iterable,
)
_DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


def shape_of(
    function: Callable[..., Any], size: int, factory: Callable[[int], Any] | None = None
) -> Arguments:
    """The arguments of `function` at size `size`. Raises UntrodError, saying how to give a factory."""
    if size < 0:
        raise UntrodError(f"a size of {size} makes no sense", "sizes are 0 or more")
    if factory is None:
        return _from_annotations(function, size)
    try:
        made = factory(size)
    except Exception as error:
        name = getattr(factory, "__qualname__", repr(factory))
        raise UntrodError(
            f"the shape factory {name}({size}) failed: {type(error).__name__}: {error}",
            "it is called with the size and returns shapes from untrod.symbolic.shapes",
        ) from error
    return arguments(made)


def _from_annotations(function: Callable[..., Any], size: int) -> Arguments:
    name = getattr(function, "__name__", repr(function))
    try:
        parameters = inspect.signature(function).parameters.values()
        hints = typing.get_type_hints(function)
    except (TypeError, ValueError, NameError) as error:
        raise UntrodError(f"the signature of {name} cannot be read: {error}", _HINT) from error
    shapes = []
    for parameter in parameters:
        if parameter.default is not parameter.empty or parameter.kind in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        ):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY:
            raise UntrodError(
                f"{name} needs the keyword {parameter.name}", "wrap it in a function without one"
            )
        if parameter.name not in hints and parameter.name == "self":
            raise UntrodError(
                f"{name} is a method and has no object",
                "name a function that makes the object and calls the method",
            )
        if parameter.name not in hints:
            raise UntrodError(f"the parameter {parameter.name} of {name} has no annotation", _HINT)
        shape = _shape(hints[parameter.name], size)
        if shape is None:
            kind = inspect.formatannotation(parameter.annotation)
            raise UntrodError(f"the parameter {parameter.name} of {name} is a {kind}: no shape known", _HINT)
        shapes.append(shape)
    if not shapes:
        raise UntrodError(
            f"{name} has no parameter to choose",
            "name a function that takes its input as arguments; for *arguments, give --shape FACTORY",
        )
    return Arguments(tuple(shapes))


_HINT = (
    "annotate it, for instance list[int] or str, or give --shape FACTORY: factory(n) returns shapes such as "
    "List(Int(), n) from untrod.symbolic.shapes"
)


def _shape(hint: Any, size: int) -> Shape | None:
    """None where the annotation says too little or too much."""
    simple: dict[Any, Shape] = {
        bool: Bool(),
        int: Int(),
        str: Text(size),
        bytes: Bytes(size),
        type(None): Const(None),
    }
    try:
        if hint in simple:
            return simple[hint]
    except TypeError:  # unhashable metadata inside Annotated
        pass
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _shape(inner[0], size)
    if origin in (typing.Union, types.UnionType):
        kinds = [kind for kind in inner if kind is not type(None)]
        return _shape(kinds[0], size) if len(kinds) == 1 else None
    if origin in _LISTS:
        element = _shape(inner[0], size)
        return None if element is None else List(element, size)
    if origin is tuple:
        parts = (inner[0],) * size if len(inner) == 2 and inner[1] is Ellipsis else inner
        shapes = [_shape(part, size) for part in parts]
        known = tuple(shape for shape in shapes if shape is not None)
        return Tuple(known) if len(known) == len(shapes) else None
    if origin in _DICTS and inner[0] in (str, int):
        element = _shape(inner[1], size)
        keys = tuple(range(size)) if inner[0] is int else tuple(f"k{number}" for number in range(size))
        return None if element is None else Dict(keys, element)
    return None
