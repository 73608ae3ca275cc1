"""The proxy for bool."""

from __future__ import annotations

from typing import Any

from untrod.symbolic.lean import current, ints
from untrod.symbolic.lean.folding import all_of, any_of, as_int, equal, negate
from untrod.symbolic.lean.terms import CONST, Term, constant


def make_bool(term: Term) -> Any:
    """A proxy, or a plain bool where the term is constant."""
    return term.value if term.op == CONST else LeanBool(term)


def _term(value: Any) -> Term | None:
    if type(value) is LeanBool:
        return value.term
    return constant(value) if type(value) is bool else None


class LeanBool:
    """`isinstance(proxy, bool)` holds, by `__class__`; `type(proxy)` tells the truth.

    Where Python wants a real bool, the path takes a branch; in arithmetic it is an int of 0 or 1.
    """

    __slots__ = ("term",)

    def __init__(self, term: Term) -> None:
        self.term = term

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return bool

    def __bool__(self) -> bool:
        return current.run.branch(self.term)

    def __index__(self) -> int:
        return int(current.run.branch(self.term))

    __int__ = __index__

    def __hash__(self) -> int:
        return hash(current.run.branch(self.term))

    def __and__(self, other: Any) -> Any:
        right = _term(other)
        return self._int() & other if right is None else make_bool(all_of((self.term, right)))

    def __or__(self, other: Any) -> Any:
        right = _term(other)
        return self._int() | other if right is None else make_bool(any_of((self.term, right)))

    def __xor__(self, other: Any) -> Any:
        right = _term(other)
        return self._int() ^ other if right is None else make_bool(negate(equal(self.term, right)))

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __eq__(self, other: Any) -> Any:
        right = _term(other)
        return self._int() == other if right is None else make_bool(equal(self.term, right))

    def __ne__(self, other: Any) -> Any:
        right = _term(other)
        return self._int() != other if right is None else make_bool(negate(equal(self.term, right)))

    def __copy__(self) -> LeanBool:
        return self

    def __deepcopy__(self, memo: Any) -> LeanBool:
        return self

    def __repr__(self) -> str:
        return repr(bool(self))

    def __str__(self) -> str:
        return str(bool(self))

    def __format__(self, spec: str) -> str:
        return format(bool(self), spec)

    def __getattr__(self, name: str) -> Any:
        if hasattr(bool, name):
            current.unsupported(f"bool.{name} of a symbolic bool")
        raise AttributeError(f"'bool' object has no attribute {name!r}")

    def _int(self) -> Any:
        return ints.make_int(as_int(self.term))


_AS_AN_INT = (
    "add radd sub rsub mul rmul floordiv rfloordiv mod rmod divmod rdivmod truediv rtruediv pow rpow "
    "lshift rlshift rshift rrshift neg pos abs invert lt le gt ge float complex trunc floor ceil round"
)


def _as_an_int(name: str) -> Any:
    def method(self: LeanBool, *others: Any) -> Any:
        own = self._int()
        return getattr(type(own), name)(own, *others)

    return method


for _name in _AS_AN_INT.split():
    setattr(LeanBool, f"__{_name}__", _as_an_int(f"__{_name}__"))
