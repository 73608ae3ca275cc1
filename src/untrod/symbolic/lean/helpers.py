"""What rewritten code calls in place of operations in which Python asks no proxy.

On ordinary values each does what Python does; tests/symbolic/lean/test_rewriting.py compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from untrod.symbolic.lean import bools, ints, searching, strings
from untrod.symbolic.lean.characters import DIGIT, need_ascii, within
from untrod.symbolic.lean.current import internally, unsupported
from untrod.symbolic.lean.folding import (
    ZERO,
    add,
    all_of,
    any_of,
    between,
    equal,
    modulo,
    multiply,
    negative,
    subtract,
)
from untrod.symbolic.lean.regex import calls
from untrod.symbolic.lean.terms import FALSE, Term, constant

LARGEST_COLLECTION = 64
_METHODS = (
    "join find rfind index rindex count startswith endswith replace split partition rpartition strip lstrip "
    "rstrip removeprefix removesuffix"
)
METHODS = frozenset(_METHODS.split()) | calls.METHODS
"""Methods of str that take a str: `",".join(symbolic)` never reaches a proxy. And those of patterns."""


def contains(item: Any, container: Any) -> Any:
    """`item in container`, as one condition where it can be."""
    if type(item) is strings.LeanStr and isinstance(container, str):
        return bools.make_bool(searching.inside(item.codes, strings.codes_of(container) or ()))
    if type(item) in _PROXIES:
        term = _among(item, container)
        if term is not None:
            return bools.make_bool(term)
    if type(container) is strings.LeanStr and isinstance(item, str):
        return bools.make_bool(searching.inside(strings.codes_of(item) or (), container.codes))
    return item in container


def method(receiver: Any, name: str) -> Any:
    """`receiver.name`, where a plain str or a pattern may be about to be given a symbolic str."""
    bound = getattr(receiver, name)
    if type(receiver) is re.Pattern or receiver is re:
        return _pattern_method(receiver, name, bound) if name in calls.METHODS else bound
    if type(receiver) is not str:
        return bound

    def call(*args: Any, **named: Any) -> Any:
        if name == "join" and len(args) == 1:
            args = (list(args[0]),)
        given = args[0] if len(args) == 1 and type(args[0]) in (list, tuple) else args
        if any(type(part) is strings.LeanStr for part in given):
            return getattr(strings.LeanStr(strings.codes_of(receiver) or ()), name)(*args, **named)
        return bound(*args, **named)

    return call


def _pattern_method(receiver: Any, name: str, bound: Any) -> Any:
    def call(*args: Any, **named: Any) -> Any:
        if not any(type(part) is strings.LeanStr for part in (*args, *named.values())):
            return bound(*args, **named)
        mine = calls.call_of_module(name) if receiver is re else calls.call(receiver, name)
        return mine(*args, **named)

    return call


def builtin(function: Any) -> Any:
    """`ord`, `chr`, ... unless the name means something else there."""
    return _REPLACED.get(id(function), function)


def _ord(character: Any) -> Any:
    if type(character) is not strings.LeanStr:
        return ord(character)
    if len(character) != 1:
        raise TypeError(f"ord() expected a character, but string of length {len(character)} found")
    return ints.make_int(character.codes[0])


def _chr(code: Any) -> Any:
    if type(code) is not ints.LeanInt:
        return chr(code)
    if not internally(between(0, code.term, 0x10FFFF)):
        raise ValueError("chr() arg not in range(0x110000)")
    return strings.make_text((code.term,))


def _int(*args: Any, **named: Any) -> Any:
    if len(args) == 1 and not named and type(args[0]) in _PROXIES:
        value = args[0]
        if type(value) is strings.LeanStr:
            return read_int(value)
        term = ints.term_of(value)
        assert term is not None
        return ints.make_int(term)
    if args and type(args[0]) is strings.LeanStr:
        unsupported("int() of a symbolic str in a given base")
    return int(*args, **named)


def _str(*args: Any, **named: Any) -> Any:
    if len(args) == 1 and type(args[0]) is strings.LeanStr:
        return args[0]
    return str(*args, **named)


def _type(*args: Any, **named: Any) -> Any:
    if len(args) == 1 and type(args[0]) in _PROXIES:
        return args[0].__class__
    return type(*args, **named)


_PROXIES = (ints.LeanInt, bools.LeanBool, strings.LeanStr)
_REPLACED: dict[int, Callable[..., Any]] = {
    id(original): mine
    for original, mine in ((ord, _ord), (chr, _chr), (int, _int), (str, _str), (type, _type))
}


def _among(item: Any, container: Any) -> Term | None:
    """Is it one of them? None where the elements' own `__eq__`, or their number, is better left to Python."""
    if type(container) is range and type(item) is ints.LeanInt:
        return _in_range(item.term, container)
    if type(container) not in (set, frozenset, dict, list, tuple) or len(container) > LARGEST_COLLECTION:
        return None
    text = type(item) is strings.LeanStr
    terms = []
    for element in container:
        if type(element) not in (int, str, bool, type(None), *_PROXIES):
            return None
        if text:
            codes = strings.codes_of(element)
            terms.append(FALSE if codes is None else strings.same(item.codes, codes))
        else:
            own, other = ints.term_of(item), ints.term_of(element)
            terms.append(FALSE if own is None or other is None else equal(own, other))
    return any_of(terms)


def _in_range(term: Term, values: range) -> Term:
    if not values:
        return FALSE
    low, high = min(values[0], values[-1]), max(values[0], values[-1])
    step = constant(abs(values.step))
    on_step = equal(modulo(subtract(term, constant(low)), step), constant(0))
    return all_of((between(low, term, high), on_step))


_TEN, _PLUS, _MINUS, _UNDERSCORE = map(constant, (10, ord("+"), ord("-"), ord("_")))


def read_int(text: Any) -> Any:
    """`int(text)` for symbolic text, in base 10: digits, a sign, spaces, single underscores."""
    need_ascii(text.codes)
    codes = strings.codes_of(searching.strip(text.codes, None, left=True, right=True)) or ()
    minus = bool(codes) and internally(equal(codes[0], _MINUS))
    if codes and (minus or internally(equal(codes[0], _PLUS))):
        codes = codes[1:]
    total, digit_before = ZERO, False
    for code in codes:
        if internally(within(code, DIGIT)):
            total = add(multiply(total, _TEN), add(code, constant(-ord("0"))))
            digit_before = True
        elif digit_before and internally(equal(code, _UNDERSCORE)):
            digit_before = False
        else:
            raise ValueError("invalid literal for int() with base 10")
    if not digit_before:
        raise ValueError("invalid literal for int() with base 10")
    return ints.make_int(negative(total) if minus else total)
