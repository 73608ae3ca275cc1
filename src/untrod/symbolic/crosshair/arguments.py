"""The symbolic arguments of a function, from its annotations or from a shape."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

import z3  # type: ignore[import-untyped]
from crosshair.core import _SIMPLE_PROXIES, proxy_for_type
from crosshair.fnutil import resolve_signature
from crosshair.libimpl.builtinslib import LazyIntSymbolicStr, SymbolicBool, SymbolicBytes, SymbolicInt
from crosshair.tracers import ResumedTracing
from crosshair.type_repo import get_subclass_map

from untrod.core.errors import UntrodError
from untrod.symbolic.crosshair.space import DecidingSpace
from untrod.symbolic.shapes import Arguments, Bool, Char, Leaf, assemble, leaves

_NAMES = 1 << 12  # how many names CrossHair may invent for each argument


class Maker(Protocol):
    def make(self, space: DecidingSpace) -> tuple[Any, ...]:
        """The arguments. To be called inside the state space's context, with tracing off."""
        ...


class _Parameter(NamedTuple):
    name: str
    annotation: Any
    default: Any
    is_rest: bool  # *args

    @property
    def is_symbolic(self) -> bool:
        return self.annotation is not inspect.Parameter.empty


class Annotated:
    """The positional arguments, `*args` among them. Where there is no annotation, the default is passed on.

    Keyword-only arguments keep their defaults, `**kwargs` stays empty: inputs are positional everywhere here.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        with warnings.catch_warnings():
            # CrossHair looks for subclasses among all classes in memory, and touches deprecated modules.
            warnings.simplefilter("ignore", DeprecationWarning)
            get_subclass_map()
        self._parameters = _parameters(function)

    def make(self, space: DecidingSpace) -> tuple[Any, ...]:
        made: list[Any] = []
        for number, parameter in enumerate(self._parameters):
            if not parameter.is_symbolic:
                made.append(parameter.default)
                continue
            space.argument = number
            # CrossHair numbers its variables one after the other. Counting anew for each argument gives the
            # same names on every path, however many the arguments before it needed.
            space.next_uniq = number * _NAMES + 1
            annotation = list[parameter.annotation] if parameter.is_rest else parameter.annotation  # type: ignore[name-defined]
            proxy = proxy_for_type(annotation, parameter.name, allow_subtypes=True)
            if parameter.is_rest:
                with ResumedTracing():
                    made.extend(proxy)
            else:
                made.append(proxy)
        space.next_uniq = len(self._parameters) * _NAMES + 1
        space.argument = None
        return tuple(made)


class Shaped:
    """Arguments of one shape: symbolic are its leaves, everything above them is as the shape says."""

    def __init__(self, shape: Arguments) -> None:
        self._shape = shape
        self._leaves = leaves(shape)

    def make(self, space: DecidingSpace) -> tuple[Any, ...]:
        proxies = [_leaf(space, name, leaf) for name, leaf in self._leaves.items()]
        return tuple(assemble(self._shape, proxies, _text, SymbolicBytes))


def _leaf(space: DecidingSpace, name: str, leaf: Leaf) -> Any:
    if isinstance(leaf, Bool):
        return SymbolicBool(name)
    number = SymbolicInt(name)
    if isinstance(leaf, Char) and leaf.alphabet is not None:
        space.add(z3.Or([number.var == ord(character) for character in leaf.alphabet]))
    else:
        if leaf.low is not None:
            space.add(number.var >= leaf.low)
        if leaf.high is not None:
            space.add(number.var <= leaf.high)
    return LazyIntSymbolicStr([number]) if isinstance(leaf, Char) else number


def _text(characters: Sequence[Any]) -> Any:
    return LazyIntSymbolicStr([character._codepoints[0] for character in characters])


@contextmanager
def plain_integers() -> Iterator[None]:
    """While a path is run, an int is a plain symbolic one. The kind that CrossHair prefers remembers its
    bounds, and after `x > 10` it answers `x < 5` by itself: that branch would be missing from the path."""
    preferred = _SIMPLE_PROXIES[int]
    _SIMPLE_PROXIES[int] = lambda factory: SymbolicInt(factory.varname)
    try:
        yield
    finally:
        _SIMPLE_PROXIES[int] = preferred


def _parameters(function: Callable[..., Any]) -> list[_Parameter]:
    name = getattr(function, "__qualname__", repr(function))
    signature = resolve_signature(function)
    if isinstance(signature, str):
        raise UntrodError(f"the signature of {name} cannot be read: {signature}", _HINT)
    found = []
    for parameter in signature.parameters.values():
        annotated = parameter.annotation is not parameter.empty
        required = parameter.default is parameter.empty
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        if parameter.kind is parameter.KEYWORD_ONLY:
            if required:
                raise UntrodError(
                    f"{name} needs the keyword {parameter.name}", "wrap it in a function without one"
                )
            continue
        is_rest = parameter.kind is parameter.VAR_POSITIONAL
        if is_rest and not annotated:
            continue
        if required and not annotated:
            raise UntrodError(f"the parameter {parameter.name} of {name} has no annotation", _HINT)
        found.append(_Parameter(parameter.name, parameter.annotation, parameter.default, is_rest))
    return found


_HINT = "annotate it, for instance list[int] or str, or wrap it in a function with annotations"
