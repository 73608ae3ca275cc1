"""Values as source: exact or not at all."""

from __future__ import annotations

import dataclasses
import enum
import importlib
import math
import sys
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from untrod.source.layout import COLUMNS, flat, references, statement
from untrod.source.names import is_dotted, is_name
from untrod.source.nodes import Atom, Call, Display, Node, Pairs, Ref, Text
from untrod.source.quoting import width

MAX_DEPTH = 50  # CPython's parser gives up at 200 nested brackets, a reader long before
MAX_NODES = 2_000
MAX_CHARACTERS = 20_000

_DECIMAL_DIGITS = 60  # longer integers are written in hexadecimal, which can be broken and has no digit limit
_DEEPEST_INDENT = 8  # where the writer puts a literal: an element of a parametrize list


def literal(value: Any) -> str | None:
    """Source on one line that evaluates to a value equal to `value`, of the same types throughout; or None.

    Names are spelled without their module; `express` gives the same source as a tree that knows its imports.
    """
    node = express(value)
    return None if node is None else flat(node)


def express(value: Any) -> Node | None:
    """`value` as an expression tree, or None when it has no exact and reasonably small source.

    The source is evaluated and the result compared with `value`, so a class whose constructor does something
    else than store its fields has no literal. NaN counts as equal to NaN.
    """
    try:
        node = _Builder().build(value, 0)
        if _too_large(node):
            return None
        rebuilt = _evaluate(node)
        again = _Builder().build(rebuilt, 0)
        equal = holds_nan(node) or bool(rebuilt == value)
    except (
        Exception
    ):  # the constructors and comparisons are the user's: whatever they raise, it is no literal
        return None
    return node if equal and again == node else None


def importable(kind: type) -> Ref | None:
    """Where a test can import `kind` from; nothing from `__main__`, which is another module there."""
    module, qualname = kind.__module__, kind.__qualname__
    if not isinstance(module, str) or module == "__main__" or not is_dotted(qualname):
        return None
    found: Any = sys.modules.get(module)
    for part in qualname.split("."):
        found = getattr(found, part, None)
    return Ref(module, qualname) if found is kind else None


class _NoLiteral(Exception):
    pass


class _Builder:
    """Builds the tree, counting nodes and characters so that a hostile value cannot make it endless."""

    def __init__(self) -> None:
        self._nodes = 0
        self._characters = 0

    def build(self, value: Any, depth: int) -> Node:
        self._nodes += 1
        if depth > MAX_DEPTH or self._nodes > MAX_NODES:
            raise _NoLiteral
        kind = type(value)
        if kind in _SCALARS:
            if kind is str or kind is bytes:
                self._characters += len(value)
            if self._characters > MAX_CHARACTERS:
                raise _NoLiteral
            return _SCALARS[kind](value)
        if kind in (list, tuple):
            return Display("[" if kind is list else "(", self._all(value, depth))
        if kind is dict:
            pairs = [(self.build(key, depth + 1), self.build(item, depth + 1)) for key, item in value.items()]
            return Pairs(tuple(pairs))
        if kind in (set, frozenset):
            return self._build_set(value, depth)
        if isinstance(value, enum.Enum):
            return _enum_member(value)
        if dataclasses.is_dataclass(value):
            return self._build_dataclass(value, depth)
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            named = zip(kind._fields, self._all(value, depth), strict=True)
            defaults = getattr(kind, "_field_defaults", {})
            return Call(_importable(kind), (), _without_defaults(named, value._asdict(), defaults))
        raise _NoLiteral

    def _all(self, values: Iterable[Any], depth: int) -> tuple[Node, ...]:
        return tuple(self.build(value, depth + 1) for value in values)

    def _build_set(self, value: set[Any] | frozenset[Any], depth: int) -> Node:
        """Sorted, since the order of a set of strings differs from process to process."""
        kind = type(value).__name__
        if not value:
            return Call(Atom(kind))
        try:
            ordered = sorted(value)
        except TypeError:
            ordered = list(value)
        items = self._all(ordered, depth + (kind == "frozenset"))
        if len({type(item) for item in value}) > 1 or type(ordered[0]) not in (int, str, bytes):
            items = tuple(sorted(items, key=flat))
        display = Display("{", items)
        return display if kind == "set" else Call(Atom(kind), (display,))

    def _build_dataclass(self, value: Any, depth: int) -> Node:
        fields = dataclasses.fields(value)
        if set(getattr(value, "__dict__", ())) - {field.name for field in fields}:
            raise _NoLiteral  # carries more than its fields: a constructor call would lose it
        parts = [(field, self.build(getattr(value, field.name), depth + 1)) for field in fields]
        named = ((field.name, node) for field, node in parts if field.init)
        values = {field.name: getattr(value, field.name) for field in fields}
        defaults = {field.name: field.default for field in fields if field.default is not dataclasses.MISSING}
        return Call(_importable(type(value)), (), _without_defaults(named, values, defaults))


def _without_defaults(
    named: Iterable[tuple[str, Node]], values: dict[str, Any], defaults: dict[str, Any]
) -> tuple[tuple[str, Node], ...]:
    """A reader need not see the arguments that say what would be so anyway."""
    return tuple(
        (name, node) for name, node in named if name not in defaults or values[name] is not defaults[name]
    )


def _integer(value: int) -> Node:
    if value.bit_length() * 0.30103 < _DECIMAL_DIGITS:
        return Atom(str(value))
    if value.bit_length() > MAX_CHARACTERS * 4:
        raise _NoLiteral
    return Call(Atom("int"), (Text(format(value, "x")), Atom("16")))


def _float(value: float) -> Node:
    if math.isfinite(value):
        return Atom(repr(value).replace("e+", "e"))  # as ruff spells it
    if math.isnan(value) and math.copysign(1, value) < 0:
        return Call(Atom("float"), (Text("-nan"),))
    return Call(Atom("float"), (Text(repr(value)),))


def _complex(value: complex) -> Node:
    return Call(Atom("complex"), (_float(value.real), _float(value.imag)))


def _decimal(value: Decimal) -> Node:
    text = str(value)
    if len(text) > MAX_CHARACTERS:
        raise _NoLiteral
    return Call(Ref("decimal", "Decimal"), (Text(text),))


def _fraction(value: Fraction) -> Node:
    return Call(Ref("fractions", "Fraction"), (_integer(value.numerator), _integer(value.denominator)))


_SCALARS: dict[type, Callable[[Any], Node]] = {
    type(None): lambda value: Atom("None"),
    bool: lambda value: Atom(str(value)),
    int: _integer,
    float: _float,
    complex: _complex,
    str: Text,
    bytes: Text,
    Decimal: _decimal,
    Fraction: _fraction,
}


def _enum_member(value: enum.Enum) -> Ref:
    kind = type(value)
    if kind.__members__.get(value.name) is not value or not is_name(value.name):
        raise _NoLiteral  # a combination of flags, or a name that is no attribute
    owner = _importable(kind)
    return Ref(owner.module, f"{owner.qualname}.{value.name}")


def _importable(kind: type) -> Ref:
    ref = importable(kind)
    if ref is None:
        raise _NoLiteral
    return ref


def _evaluate(node: Node) -> Any:
    names: dict[str, Any] = {}
    spelled: dict[Ref, str] = {}
    for ref in references(node):
        found: Any = importlib.import_module(ref.module)
        for part in ref.qualname.split("."):
            found = getattr(found, part)
        spelled[ref] = f"_{len(spelled)}" if ref not in spelled else spelled[ref]
        names[spelled[ref]] = found
    return eval(flat(node, spelled.__getitem__), names)


def _too_large(node: Node) -> bool:
    """Whether the deepest lines, indented as they are, leave no room for what they hold."""
    lines = statement(node, indent=_DEEPEST_INDENT, before="_ = ")
    return any(width(line) > COLUMNS and " " in line.strip() for line in lines)


def holds_nan(node: Node) -> bool:
    """Whether a value so written differs from itself, so that `==` says nothing about it."""
    match node:
        case Call(Atom("float"), (Text("nan" | "-nan"),)):
            return True
        case Call(Ref("decimal", "Decimal"), (Text(str(text)),)):
            return "nan" in text.lower()
        case Call(_, arguments, keywords):
            return any(map(holds_nan, arguments)) or any(holds_nan(value) for _, value in keywords)
        case Display(_, items):
            return any(map(holds_nan, items))
        case Pairs(pairs):
            return any(holds_nan(side) for pair in pairs for side in pair)
        case _:
            return False
