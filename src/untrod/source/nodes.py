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
class Lambda:
    """`lambda a, *_: body`. The body is a value of its own, made anew by each call, or one of the parameters:
    an Atom with its name."""

    parameters: tuple[str, ...]
    body: Node

    @property
    def hands_back(self) -> bool:
        """Is the body one of the parameters?"""
        return isinstance(self.body, Atom) and self.body.text in self.names

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(parameter.lstrip("*") for parameter in self.parameters)


@dataclass(frozen=True, slots=True)
class Call:
    """`function` is itself a call where a class is made on the spot: `type("Host", (Mixin,), {})()`."""

    function: Atom | Ref | Member | Call
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


Node: TypeAlias = Atom | Text | Ref | Member | Lambda | Call | Display | Pairs
