"""What may an unannotated parameter be? Its function's body tells: what is done with it, what it is compared
with. A guess is a kind, never a promise: a TypeError after a guess is not reported as a bug."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections import Counter
from collections.abc import Callable
from typing import Any

from untrod.engines.cover.type_expressions import NotAType, resolve
from untrod.engines.cover.values.containers import Items, Table, Unordered
from untrod.engines.cover.values.hints import ANYTHING, SOME, kind_of
from untrod.engines.cover.values.kinds import NOTHING, TRUTH, Integer, Kind, Octets, OneOf, Real, Textual

_FEW: Kind = OneOf((Integer(), Textual()))
_CALLABLE = kind_of(Callable)
_KINDS: dict[str, Kind] = {
    "str": Textual(),
    "int": Integer(),
    "float": Real(),
    "bytes": Octets(),
    "list": SOME,
    "ints": Items(Integer()),
    "dict": Table(Textual(), _FEW),
    "set": Unordered(_FEW),
    "none": NOTHING,
    "callable": _CALLABLE,
}
PLAIN_KINDS: dict[str, Kind] = {
    **{name: _KINDS[name] for name in ("str", "int", "float", "bytes", "list", "dict", "set")},
    "size": Integer(0, 4),
    "bool": TRUTH,
}
"""For what is done with an attribute, or with what a method gives."""
_METHODS = {
    "str": "split strip lstrip rstrip lower upper title startswith endswith replace join format encode find "
    "rfind partition rpartition splitlines isdigit isalpha isalnum isspace isupper islower casefold zfill "
    "isdecimal isidentifier capitalize center ljust rjust translate",
    "bytes": "decode hex",
    "list": "append extend insert sort reverse",
    "dict": "items keys values get setdefault update",
    "set": "add discard union intersection difference issubset",
    "float": "is_integer",
    "int": "bit_length to_bytes",
}
_BY_METHOD = {method: kind for kind, methods in _METHODS.items() for method in methods.split()}
_BY_CALL = {"ord": "str", "int": "str", "float": "str", "abs": "int", "range": "int", "round": "float"}
_BY_CALL |= {"sum": "ints", "max": "ints", "min": "ints", "sorted": "ints", "divmod": "int", "chr": "int"}
_BY_CALL |= {
    "len": "list",
    "enumerate": "list",
    "iter": "list",
    "list": "list",
    "set": "list",
    "dict": "dict",
}
_NUMERIC = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow, ast.BitAnd, ast.BitOr, ast.LShift, ast.RShift)


class Guesses:
    """For the parameters of one function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._votes: dict[str, Counter[str]] = {}
        self._kinds: dict[str, list[Kind]] = {}
        self._namespace = getattr(inspect.unwrap(function), "__globals__", {})
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function))))
        except (OSError, TypeError, SyntaxError, ValueError):
            return
        for node in ast.walk(tree):
            self._look_at(node)

    def kind(self, name: str, optional: bool = False) -> Kind:
        """`optional`: its default is None."""
        votes = self._votes.get(name, Counter())
        kinds = [*self._kinds.get(name, ()), *(_KINDS[vote] for vote, _ in votes.most_common(3))]
        if not kinds:
            return ANYTHING
        if optional or "none" in votes:
            kinds.append(NOTHING)
        return OneOf((*kinds, *kinds, *kinds, ANYTHING))

    def _vote(self, node: ast.AST, kind: str) -> None:
        if isinstance(node, ast.Name) and kind:
            self._votes.setdefault(node.id, Counter())[kind] += 1

    def _look_at(self, node: ast.AST) -> None:
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr=method)):
                self._vote(owner, _BY_METHOD.get(method, ""))
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kinds]):
                self._is_instance(name, kinds)
            case ast.Call(func=ast.Name(id="callable"), args=[first]):
                self._vote(first, "callable")
            case ast.Call(func=ast.Name(id=function), args=[first, *_]):
                self._vote(first, _BY_CALL.get(function, ""))
                self._vote(node.func, "callable")
            case ast.Compare(left=left, comparators=[right], ops=[operator]):
                self._compared(left, right, operator)
                self._compared(right, left, operator)
            case ast.BinOp(left=left, right=right, op=operator):
                for side, other in ((left, right), (right, left)):
                    self._vote(side, _type_of(other))
                    if isinstance(operator, _NUMERIC):
                        self._vote(side, "int")
            case ast.For(iter=items) | ast.comprehension(iter=items):
                self._vote(items, "list")
            case ast.Subscript(value=owner, slice=key):
                self._vote(owner, "dict" if _type_of(key) == "str" else "list")

    def _compared(self, side: ast.AST, other: ast.AST, operator: ast.cmpop) -> None:
        if isinstance(operator, ast.In | ast.NotIn):
            if isinstance(other, ast.Tuple | ast.List | ast.Set) and other.elts:
                self._vote(side, _type_of(other.elts[0]))
            elif isinstance(other, ast.Constant):
                self._vote(side, "str")
        else:
            self._vote(side, _type_of(other))

    def _is_instance(self, name: str, kinds: ast.expr) -> None:
        try:
            found = resolve(kinds, self._namespace)
        except NotAType:
            return
        for kind in found if isinstance(found, tuple) else (found,):
            if isinstance(kind, type) and kind is not object:
                self._kinds.setdefault(name, []).append(kind_of(kind))


def _type_of(node: ast.AST) -> str:
    if isinstance(node, ast.UnaryOp):
        return _type_of(node.operand)
    if isinstance(node, ast.JoinedStr):
        return "str"
    if not isinstance(node, ast.Constant):
        return ""
    names = {str: "str", int: "int", float: "float", bytes: "bytes", type(None): "none"}
    return names.get(type(node.value), "")
