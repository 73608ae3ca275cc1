"""From a type to the kind of value that has it."""

from __future__ import annotations

import collections.abc as abc
import decimal
import enum
import fractions
import inspect
import io
import pathlib
import types
import typing
import uuid
from collections.abc import Callable
from typing import Any

from untrod.engines.cover.parameters import Parameter, Unreadable, parameters_of
from untrod.engines.cover.values.code import CLASSES, FUNCTIONS, Answering, arity, kind_of_code
from untrod.engines.cover.values.containers import Items, Long, Row, Table, Unordered
from untrod.engines.cover.values.kinds import (
    NOTHING,
    TRUTH,
    Fixed,
    Integer,
    Kind,
    Octets,
    OneOf,
    Real,
    Textual,
)
from untrod.engines.cover.values.moments import MOMENTS
from untrod.engines.cover.values.objects import Made, Pool, Slot
from untrod.source.literals import express, importable
from untrod.source.nodes import Atom, Node, Ref

MOST_SUBCLASSES = 8
ANYTHING: Kind = OneOf(
    (
        Integer(),
        Textual(),
        Textual(),
        NOTHING,
        TRUTH,
        Real(),
        Items(OneOf((Integer(), Textual()))),
        Table(Textual(), OneOf((Integer(), Textual()))),
    )
)
"""Where nothing is known."""
_FEW: Kind = OneOf((Integer(), Textual()))
_BOUND: Kind = OneOf((Integer(-9, 9), NOTHING))
SOME: Kind = OneOf((*3 * (Items(Integer()),), *2 * (Items(Textual()),), *2 * (Items(_FEW),), Long()))
"""Items of whatever kind: mostly of one."""
_FUNCTIONS = Fixed(tuple(Ref("builtins", name) for name in ("str", "len", "repr", "bool", "abs", "list")))
_OF_TWO = Fixed(tuple(Ref("operator", name) for name in ("eq", "ne", "lt", "add")))
_SCALARS: dict[Any, Kind] = {
    bool: TRUTH,
    int: Integer(),
    float: Real(),
    complex: Made(((Atom("complex"), lambda: (Slot("real", Real()), Slot("imag", Real()))),)),
    str: Textual(),
    bytes: Octets(),
    bytearray: Made(((Atom("bytearray"), lambda: (Slot("source", Octets()),)),)),
    type(None): NOTHING,
    range: Made(((Atom("range"), lambda: (Slot("start", Integer(0, 9)), Slot("stop", Integer(0, 20)))),)),
    slice: Made(((Atom("slice"), lambda: tuple(Slot(name, _BOUND) for name in ("start", "stop", "step"))),)),
}


def _made(callee: Ref, *kinds: Kind) -> Made:
    return Made(((callee, lambda: tuple(Slot(str(place), kind) for place, kind in enumerate(kinds))),))


_STANDARD: dict[Any, Kind] = MOMENTS | {
    decimal.Decimal: _made(Ref("decimal", "Decimal"), OneOf((Integer(), Real()))),
    fractions.Fraction: _made(Ref("fractions", "Fraction"), Integer(), Integer(1)),
    uuid.UUID: Made(((Ref("uuid", "UUID"), lambda: (Slot("int", Integer(0, 2**128 - 1), keyword=True),)),)),
    pathlib.Path: _made(Ref("pathlib", "Path"), Textual()),
    pathlib.PurePath: _made(Ref("pathlib", "PurePosixPath"), Textual()),
    io.StringIO: _made(Ref("io", "StringIO"), Textual()),
    typing.TextIO: _made(Ref("io", "StringIO"), Textual()),
    io.BytesIO: _made(Ref("io", "BytesIO"), Octets()),
    typing.BinaryIO: _made(Ref("io", "BytesIO"), Octets()),
}
_NUMBER = OneOf((Integer(), Integer(), Real(), TRUTH))
_STANDARD |= {
    typing.SupportsInt: _NUMBER,
    typing.SupportsFloat: _NUMBER,
    typing.SupportsComplex: _NUMBER,
    typing.SupportsAbs: _NUMBER,
    typing.SupportsRound: _NUMBER,
    typing.SupportsIndex: Integer(),
    typing.SupportsBytes: Octets(),
    abc.Hashable: OneOf((Integer(), Textual(), NOTHING)),
    abc.Sized: OneOf((Textual(), Items(Integer()))),
}
_LIKE_TEXTS = (abc.Sequence, abc.Collection, abc.Iterable, abc.Reversible, abc.Container)
_LISTS = (list, abc.MutableSequence, *_LIKE_TEXTS)
_DICTS = (dict, abc.Mapping, abc.MutableMapping)
_SETS = (set, abc.Set, abc.MutableSet)
_ITERATORS = (abc.Iterator, abc.Generator)


def slots_of(parameters: tuple[Parameter, ...], guess: Callable[[Parameter], Kind]) -> tuple[Slot, ...]:
    """`guess` is asked where there is no type."""
    return tuple(
        Slot(p.name, guess(p) if p.hint is None else kind_of(p.hint), p.required, p.keyword, p.rest)
        for p in parameters
    )


def kind_of(hint: Any) -> Kind:
    """Of whatever an annotation may be. Where it says too little, anything may come."""
    try:
        if hint in _SCALARS:
            return _SCALARS[hint]
        if hint in _STANDARD:
            return _STANDARD[hint]
    except TypeError:  # not hashable
        pass
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is not None:
        return _generic(hint, origin, inner)
    if isinstance(hint, typing.TypeVar):
        return kind_of(hint.__bound__) if hint.__bound__ else _union(hint.__constraints__ or (int, str))
    if isinstance(hint, typing.NewType):
        return kind_of(hint.__supertype__)
    if hint is abc.Callable or hint is typing.Callable:
        return OneOf((_FUNCTIONS, FUNCTIONS))
    code = kind_of_code(hint)
    if code is not None:
        return code
    if isinstance(hint, type):
        return _bare(hint) or _class(hint)
    return ANYTHING


def _generic(hint: Any, origin: Any, inner: tuple[Any, ...]) -> Kind:
    if origin is typing.Annotated or origin in (typing.Final, typing.ClassVar):
        return kind_of(inner[0])
    if origin in (typing.Union, types.UnionType):
        return _union(inner)
    if origin is typing.Literal:
        return Fixed(tuple(node for value in inner if (node := express(value)) is not None))
    if origin is tuple:
        if len(inner) == 2 and inner[1] is Ellipsis:
            return Items(kind_of(inner[0]), "(")
        return Row(tuple(map(kind_of, inner)))
    if origin in _DICTS:
        return Table(kind_of(inner[0]), kind_of(inner[1]))
    if origin in _SETS or origin is frozenset:
        return Unordered(kind_of(inner[0]), "frozenset" if origin is frozenset else "set")
    if origin in _LISTS:
        items = Items(kind_of(inner[0]))
        textual = inner[0] is str or inner[0] in (object, Any) or isinstance(inner[0], typing.TypeVar)
        return OneOf((items, Textual())) if textual and origin in _LIKE_TEXTS else items
    if origin in _ITERATORS:
        return _made(Ref("builtins", "iter"), Items(kind_of(inner[0])))
    if origin is abc.Callable:
        return _callable(inner)
    if (
        origin is type
        and isinstance(inner[0], type)
        and issubclass(inner[0], object)
        and inner[0] is not object
    ):
        refs = [ref for one in _concrete(inner[0]) if (ref := importable(one)) is not None]
        return Fixed(tuple(refs) or (Ref("builtins", "int"),))
    if origin is type:
        ref = importable(inner[0]) if isinstance(inner[0], type) else None
        return Fixed((ref or Ref("builtins", "int"),))
    return kind_of(origin) if isinstance(origin, type) else ANYTHING


def _callable(inner: tuple[Any, ...]) -> Kind:
    """Of functions with these parameters that answer with this type; with one or two, also real ones."""
    parameters, answer = (inner[0], inner[-1]) if len(inner) > 1 else (..., inner[-1])
    if not isinstance(parameters, list):
        return OneOf((_FUNCTIONS, Answering(kind_of(answer))))
    made = Answering(kind_of(answer), arity(len(parameters)))
    real = {1: _FUNCTIONS, 2: _OF_TWO}.get(len(parameters))
    return made if real is None else OneOf((made, real))


def _union(hints: tuple[Any, ...]) -> Kind:
    return OneOf(tuple(map(kind_of, hints)))


def _bare(kind: type) -> Kind | None:
    """A container without a word on what is in it."""
    if kind is tuple:
        return Items(_FEW, "(")
    if kind is type:
        return CLASSES
    if kind in _DICTS:
        return Table(Textual(), _FEW)
    if kind in _SETS or kind is frozenset:
        return Unordered(_FEW, "frozenset" if kind is frozenset else "set")
    if kind in _LISTS:
        return OneOf((SOME, Textual())) if kind in _LIKE_TEXTS else SOME
    return _made(Ref("builtins", "iter"), SOME) if kind in _ITERATORS else None


def _class(kind: type) -> Kind:
    if kind is object:
        return ANYTHING
    if issubclass(kind, enum.Enum):
        members = (express(member) for member in kind)
        return Fixed(tuple(node for node in members if node is not None) or (Atom("None"),))
    made = [callee for one in _concrete(kind) if (callee := _maker(one)) is not None]
    if made:
        return Made(tuple(made))
    return Pool(lambda: pool_of(kind))


def _concrete(kind: type) -> list[type]:
    """The class itself, and its subclasses, as far as they can be made."""
    found = [] if inspect.isabstract(kind) or getattr(kind, "_is_protocol", False) else [kind]
    todo: list[type] = list(type.__subclasses__(kind))
    while todo and len(found) < MOST_SUBCLASSES:
        one = todo.pop(0)
        todo += type.__subclasses__(one)
        if not inspect.isabstract(one):
            found.append(one)
    if kind in found[:1] and kind.__name__.startswith("_"):
        return found[1:] or found  # a private base is there to be derived from
    return found


def _maker(kind: type) -> tuple[Ref, Callable[[], tuple[Slot, ...]]] | None:
    ref = importable(kind)
    if ref is None:
        return None
    try:
        parameters = parameters_of(kind)
    except Unreadable:
        return None
    return ref, lambda: slots_of(parameters, _guess_for(kind))


def _guess_for(kind: type) -> Callable[[Parameter], Kind]:
    """What the constructor does with it tells. Stand-ins know of kinds, so they are looked up when asked."""
    from untrod.engines.cover.values.stand_ins import Arguments

    return Arguments(kind.__init__, kind).kind  # type: ignore[misc]


POOL = 40
"""Hypothesis is thorough, and too slow for every draw: so many values are drawn once, with a fixed seed."""


def pool_of(hint: Any) -> list[Node]:
    """What only Hypothesis can make: values of that type which have a source; none, if Hypothesis does not
    know it."""
    from hypothesis import strategies

    values = _examples(strategies.from_type(hint), POOL)
    return [node for value in values if (node := express(value)) is not None]


def _examples(strategy: Any, count: int) -> list[Any]:
    """In the order in which they were drawn; fewer or none where the strategy cannot do it."""
    from hypothesis import HealthCheck, Phase, given, seed, settings

    found: list[Any] = []

    @seed(0)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    try:
        collect()
    except Exception:  # an unknown type
        pass
    return found
