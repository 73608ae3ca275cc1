"""Hosts for classes that are not whole: mixins, which ask `self` for what they lack, and abstract ones.

A host is a class derived on the spot, `type("Host", (Mixin,), {"name": "x"})`. What `super()` is asked for
stands in a base behind the mixin.
"""

from __future__ import annotations

import inspect
import typing
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from untrod.engines.cover.values.code import ANY_ARGUMENTS, Answering
from untrod.engines.cover.values.hints import ANYTHING, kind_of
from untrod.engines.cover.values.kinds import Kind
from untrod.engines.cover.values.stand_ins import Part, Record, Space, parts_of
from untrod.engines.cover.values.uses import Use, uses_of_self
from untrod.source.names import is_name
from untrod.source.nodes import Text


@dataclass(frozen=True, slots=True)
class Host:
    """Two dicts: of members, and of what stands behind."""

    members: Record
    above: Record
    is_needed: bool
    """Without it there is no object at all."""

    @property
    def names(self) -> frozenset[str]:
        keys = (key for key, _, _ in (*self.members.parts, *self.above.parts))
        return frozenset(str(key.value) for key in keys if isinstance(key, Text))


def host_of(kind: type) -> Host | None:
    """None for a class that is whole, or whose attributes cannot be known."""
    if getattr(kind, "_is_protocol", False):
        return None
    use, above = uses_of_self(kind)
    abstract = sorted(getattr(kind, "__abstractmethods__", ())) if inspect.isabstract(kind) else []
    space = Space(next((f for f in vars(kind).values() if isinstance(f, FunctionType)), kind))
    dynamic = {"__getattr__", "__getattribute__"} & _named_in(kind)
    provided = _provided(kind)
    missing = set() if dynamic else {n for n in use.attributes if n not in provided and n not in use.stored}
    parts = [part for part in parts_of(use, space, 3) if part.name in missing and part.name not in abstract]
    parts = [_hinted(part, kind) for part in parts]
    parts += [_answering(name, kind, use) for name in abstract]
    behind = {name for name in above.attributes if not any(hasattr(base, name) for base in kind.__mro__[1:])}
    later = [part for part in parts_of(above, space, 3) if part.name in behind]
    if not parts and not later:
        return None
    return Host(_record(parts), _record(later), bool(abstract))


def _record(parts: list[Part]) -> Record:
    return Record(tuple((Text(part.name), part.kind, part.share) for part in parts))


def _provided(kind: type) -> set[str]:
    """What it has itself, and what constructors set, also those of bases elsewhere."""
    makers = (vars(base).get("__init__") for base in kind.__mro__)
    stored = {name for made in makers if isinstance(made, FunctionType) for name in made.__code__.co_names}
    return {*dir(kind), *stored, "__dict__"}


def _named_in(kind: type) -> set[str]:
    return {name for base in kind.__mro__[:-1] for name in vars(base)}


def _hinted(part: Part, kind: type) -> Part:
    """As the class says, where it only annotates it."""
    try:
        hint = typing.get_type_hints(kind).get(part.name)
    except Exception:
        return part
    return part if hint is None else Part(part.name, kind_of(hint), part.share)


def _answering(name: str, kind: type, use: Use) -> Part:
    """What is abstract: a method, or a property."""
    found = inspect.getattr_static(kind, name)
    plain: Any = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
    try:
        hint = typing.get_type_hints(plain).get("return")
    except Exception:
        hint = None
    known = use.attributes.get(name)
    answer: Kind = ANYTHING if hint is None else kind_of(hint)
    if hint is None and known is not None and known.result is not None:
        inner = parts_of(Use(attributes={name: known}), Space(plain), 3)
        if inner and not isinstance(found, property) and is_name(name):
            return inner[0]
    if isinstance(found, property):
        return Part(name, answer)
    return Part(name, Answering(answer, ANY_ARGUMENTS, awaited=inspect.iscoroutinefunction(plain)))
