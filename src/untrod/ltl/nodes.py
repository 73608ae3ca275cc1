"""Formulas as trees of small frozen nodes.

Nodes are *interned*: building the same formula twice gives the same object. Equality is therefore identity,
hashing is as cheap as it gets, and a table of progression steps can be keyed by the formula itself. A
formula that nobody holds any more leaves the table by itself.

A node keeps what was written: `F a` stays `F a` and `(a & b) & c` keeps its parentheses, so that a formula
prints as it was read. Rewriting is the business of `simplify.py`.

In Python, `~a`, `a & b`, `a | b` and `a >> b` are the formulas `!a`, `a & b`, `a | b` and `a -> b`.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any, ClassVar, Literal
from weakref import WeakValueDictionary

Operator = Literal["~", "="]
"""`~`: contains, upper and lower case being the same. `=`: is, exactly."""


class Interned(type):
    """One object for each class and arguments. The lock is taken only when a new node is made."""

    _nodes: ClassVar[WeakValueDictionary[tuple[Any, ...], Any]] = WeakValueDictionary()
    _lock: ClassVar[Lock] = Lock()

    def __call__(cls, *arguments: Any) -> Any:
        key = (cls, *arguments)
        node = Interned._nodes.get(key)
        if node is None:
            with Interned._lock:
                node = Interned._nodes.get(key)
                if node is None:
                    node = Interned._nodes[key] = super().__call__(*arguments)
        return node


class Formula(metaclass=Interned):
    """What must be true of a trace, seen from one of its steps."""

    __slots__ = ("__weakref__",)

    def __invert__(self) -> Formula:
        return Not(self)

    def __and__(self, other: Formula) -> Formula:
        return And((*(self.parts if isinstance(self, And) else (self,)), other))

    def __or__(self, other: Formula) -> Formula:
        return Or((*(self.parts if isinstance(self, Or) else (self,)), other))

    def __rshift__(self, other: Formula) -> Formula:
        return Implies(self, other)

    def __bool__(self) -> bool:
        # `a and b` would silently drop a: the mistake everyone makes once.
        raise TypeError("a formula is neither true nor false by itself: write & | ~ instead of and, or, not")

    def __str__(self) -> str:
        from untrod.ltl.printing import text

        return text(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy of a formula is the same object, too."""
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Bound:
    """How far ahead an operator looks, counted from the step that the formula is about.

    `running`: the clock was started at an earlier step, and `limit` is what was left then. Only time needs
    it: how long a step takes is known when the next letter is read, a count of steps is known at once.
    """

    limit: int  # steps, or milliseconds
    unit: Literal["steps", "ms"] = "steps"
    running: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Constant(Formula):
    """True, false, or None: depends on a label that could not be read."""

    value: bool | None


@dataclass(frozen=True, eq=False, slots=True)
class Atom(Formula):
    """`[name ~ value]` or `[name = value]`: says something about the labels of one step."""

    name: str
    operator: Operator
    value: str


@dataclass(frozen=True, eq=False, slots=True)
class Not(Formula):
    of: Formula


@dataclass(frozen=True, eq=False, slots=True)
class And(Formula):
    parts: tuple[Formula, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Or(Formula):
    parts: tuple[Formula, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Implies(Formula):
    left: Formula
    right: Formula


@dataclass(frozen=True, eq=False, slots=True)
class Next(Formula):
    """`X a`: there is a next step, and a holds there."""

    of: Formula


@dataclass(frozen=True, eq=False, slots=True)
class WeakNext(Formula):
    """`N a`: if there is a next step, a holds there."""

    of: Formula


@dataclass(frozen=True, eq=False, slots=True)
class Eventually(Formula):
    """`F a`: a holds now or later."""

    of: Formula
    bound: Bound | None


@dataclass(frozen=True, eq=False, slots=True)
class Always(Formula):
    """`G a`: a holds from now to the end of the trace."""

    of: Formula
    bound: Bound | None


@dataclass(frozen=True, eq=False, slots=True)
class Until(Formula):
    """`a U b`: b holds now or later, and a holds at every step before."""

    left: Formula
    right: Formula
    bound: Bound | None


@dataclass(frozen=True, eq=False, slots=True)
class WeakUntil(Formula):
    """`a W b`: a U b, or a holds to the end."""

    left: Formula
    right: Formula
    bound: Bound | None


@dataclass(frozen=True, eq=False, slots=True)
class Release(Formula):
    """`a R b`: b holds up to and including the step where a first holds, or to the end."""

    left: Formula
    right: Formula
    bound: Bound | None


Temporal = Eventually | Always | Until | WeakUntil | Release
"""The operators that look further ahead than one step, and can be bounded."""

TRUE = Constant(True)
FALSE = Constant(False)
UNKNOWN = Constant(None)


def children(formula: Formula) -> tuple[Formula, ...]:
    match formula:
        case Not(of) | Next(of) | WeakNext(of) | Eventually(of) | Always(of):
            return (of,)
        case And(parts) | Or(parts):
            return parts
        case Implies(left, right) | Until(left, right) | WeakUntil(left, right) | Release(left, right):
            return (left, right)
    return ()


def atoms(formula: Formula) -> tuple[Atom, ...]:
    """Each atom once, in the order in which they are written."""
    seen: dict[Atom, None] = {}
    visited: set[Formula] = set()
    waiting = [formula]
    while waiting:
        node = waiting.pop()
        if node in visited:
            continue
        visited.add(node)
        if isinstance(node, Atom):
            seen[node] = None
        waiting.extend(reversed(children(node)))
    return tuple(seen)


def height(formula: Formula) -> int:
    """Nodes on the longest way down. Without recursion: it is asked before anything else dares to recurse."""
    known: dict[Formula, int] = {}
    waiting = [formula]
    while waiting:
        node = waiting[-1]
        missing = [child for child in children(node) if child not in known]
        if missing:
            waiting.extend(missing)
        else:
            known[node] = 1 + max((known[child] for child in children(node)), default=0)
            waiting.pop()
    return known[formula]
