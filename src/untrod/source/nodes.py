"""Python expressions as small trees: the shapes that tests are written in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Atom:
    """Source that cannot be broken: a number, a local name. Never made from text that is not ours."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A string or bytes, to be quoted."""

    value: str | bytes


@dataclass(frozen=True, slots=True)
class Ref:
    """Something importable, like `Ref("shop.cart", "Cart.total")`. The writer picks its local name."""

    module: str
    qualname: str


@dataclass(frozen=True, slots=True)
class Member:
    """`of.name`: a method of what a call returns."""

    of: Node
    name: str


@dataclass(frozen=True, slots=True)
class Call:
    function: Atom | Ref | Member
    arguments: tuple[Node, ...] = ()
    keywords: tuple[tuple[str, Node], ...] = ()


@dataclass(frozen=True, slots=True)
class Display:
    """A list, tuple or set, by its opening bracket."""

    bracket: str
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Pairs:
    """A dict."""

    items: tuple[tuple[Node, Node], ...]


Node: TypeAlias = Atom | Text | Ref | Member | Call | Display | Pairs
