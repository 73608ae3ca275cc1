"""The cost `branches`: how many conditions were decided on values that come from the input.

That is the length of the path, as PySE counts it. A symbolic run counts its own branches; this counts them on
a real run, for inputs that no solver made. Every int and str of the input is replaced by one of a subclass
that behaves the same and hands its taint on: what is computed from it is tainted, a comparison gives a
tainted truth value, and whenever the interpreter asks such a value whether it is true, that is a branch.

    while j > 0 and xs[j - 1] > x:        # `j > 0` counts nothing, `xs[j - 1] > x` counts one

Taint is lost where a value passes through C code that builds a new one: `ord(c)`, `float(x)`, `"".join(...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, SupportsIndex

from untrod.engines.worst.costs import Measured, called


class Branches:
    name = "branches"
    tolerance = 0.0
    price = 0.4

    def measure(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Measured:
        tainted = tuple(map(_tainted, arguments))
        before = _tally.branches
        value, error = called(function, tainted)
        return Measured(_tally.branches - before, value, error)


class _Tally:
    branches = 0


_tally = _Tally()


def _tainted(value: Any) -> Any:
    """A copy of an argument with its leaves tainted."""
    kind = type(value)
    if kind is int:
        return TaintedInt(value)
    if kind is bool:
        return TaintedBool(value)
    if kind is str:
        return TaintedStr(value)
    if kind is list or kind is tuple:
        return kind(map(_tainted, value))
    if kind is dict:
        return {key: _tainted(item) for key, item in value.items()}
    return value


def _again(value: Any) -> Any:
    """The result of an operation on tainted values, tainted in turn."""
    kind = type(value)
    if kind is int:
        return TaintedInt(value)
    if kind is str:
        return TaintedStr(value)
    return TaintedBool(value) if kind is bool else value


def _asked(plain: Callable[..., Any]) -> Callable[..., Any]:
    def truth(self: Any) -> bool:
        _tally.branches += 1
        return bool(plain(self))

    return truth


def _comparing(plain: Callable[..., Any]) -> Callable[..., Any]:
    """Half of all operations are comparisons, and there are only two answers: both are made in advance."""

    def operation(left: Any, right: Any) -> Any:
        answer = plain(left, right)
        return answer if answer is NotImplemented else _TRUE if answer else _FALSE

    return operation


def _reckoning(plain: Callable[..., Any]) -> Callable[..., Any]:
    """`_handing_on` for what gives an int of two: the arithmetic of inner loops, so it is short."""

    def operation(left: Any, right: Any) -> Any:
        answer = plain(left, right)
        return TaintedInt(answer) if answer is not NotImplemented else answer

    return operation


def _handing_on(plain: Callable[..., Any]) -> Callable[..., Any]:
    def operation(*operands: Any) -> Any:
        return _again(plain(*operands))

    return operation


_COMPARISONS = ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__")
_BINARY = ("add", "sub", "mul", "floordiv", "mod", "and", "or", "xor", "lshift", "rshift")
_UNARY = ("neg", "pos", "abs", "invert", "pow")
_ARITHMETIC = tuple(f"__{side}{name}__" for name in _BINARY for side in ("", "r"))
_TESTS = ("alpha", "digit", "alnum", "space", "lower", "upper", "decimal", "numeric", "identifier")
_TEXTUAL = ["__add__", "__mul__", "__rmul__", "lower", "upper", "strip", "replace"]
_TEXTUAL += ["find", "index", "count", "startswith", "endswith", *(f"is{name}" for name in _TESTS)]


class TaintedInt(int):
    """An int from the input. Its hash and its type name are those of an int; `type(x) is int` is not true."""

    __hash__ = int.__hash__
    __bool__ = _asked(int.__bool__)

    def __repr__(self) -> str:
        return int.__repr__(self)


class TaintedBool(int):
    """A truth value that depends on the input: bool itself has no subclasses."""

    __hash__ = int.__hash__
    __bool__ = _asked(int.__bool__)

    def __repr__(self) -> str:
        return "True" if int(self) else "False"


class TaintedStr(str):
    __hash__ = str.__hash__
    __slots__ = ()

    def __getitem__(self, key: SupportsIndex | slice) -> TaintedStr:
        return TaintedStr(str.__getitem__(self, key))

    def __iter__(self) -> Iterator[str]:
        return map(TaintedStr, str.__iter__(self))


_TRUE, _FALSE = TaintedBool(True), TaintedBool(False)
for _name in _COMPARISONS:
    for _kind, _plain in ((TaintedInt, int), (TaintedBool, int), (TaintedStr, str)):
        setattr(_kind, _name, _comparing(getattr(_plain, _name)))
for _kind in (TaintedInt, TaintedBool):
    for _name in _ARITHMETIC:
        setattr(_kind, _name, _reckoning(getattr(int, _name)))
    for _name in _UNARY:
        setattr(_kind, f"__{_name}__", _handing_on(getattr(int, f"__{_name}__")))
for _name in _TEXTUAL:
    setattr(TaintedStr, _name, _handing_on(getattr(str, _name)))
