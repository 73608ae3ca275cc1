"""A function of nested arguments of one shape, as a function of plain ints and bools.

CrossHair chooses sizes itself, from annotations. Where the sizes are given by a shape, it gets this function
instead: one parameter for each leaf, a character being its code, and the bounds of all leaves as a single
assumption.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from untrod.core.validity import assume
from untrod.symbolic.shapes import Arguments, Bool, Char, Int, Leaf, assemble, leaves


def flatten(function: Callable[..., Any], arguments: Arguments) -> Callable[..., Any]:
    """Calls `function` with the arguments that the leaves make. A real function: CrossHair takes no less."""
    named = leaves(arguments)

    def flat(*values: Any) -> Any:
        fits: Any = True
        for leaf, value in zip(named.values(), values, strict=True):
            fits = _bounds(leaf, value, fits)
        assume(fits)
        return function(*restore(arguments, values))

    kinds = {name: bool if isinstance(leaf, Bool) else int for name, leaf in named.items()}
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(name, kind, annotation=type_) for name, type_ in kinds.items()]
    flat.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    flat.__annotations__ = dict(kinds)
    return flat


def restore(arguments: Arguments, values: Sequence[Any]) -> tuple[Any, ...]:
    """The arguments with these leaves, characters being codes."""
    pairs = zip(leaves(arguments).values(), values, strict=True)
    real = [chr(value) if isinstance(leaf, Char) else value for leaf, value in pairs]
    return assemble(arguments, real)  # type: ignore[no-any-return]


def _bounds(leaf: Leaf, value: Any, fits: Any) -> Any:
    """By `&`, not `and`: one condition in the end, not a branch for each."""
    match leaf:
        case Int(low, high) | Char(None, low, high):
            fits = fits if low is None else (low <= value) & fits
            return fits if high is None else (value <= high) & fits
        case Char(alphabet):
            one: Any = False
            for character in alphabet or "":
                one = (value == ord(character)) | one
            return one & fits
    return fits
