"""What an argument may be where no type names it: an object of a class that keeps the protocol which the
code asks for (`uses.py`), a dict with the keys that are read, a function of the right arity, or a stand-in
with the members that are read.

A stand-in is written as a test would have it: `SimpleNamespace(name="x", read=lambda *_: b"")`; or, where
operators are asked for, with a class made on the spot, `type("Stream", (), {"__enter__": ...})()`.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum
from pathlib import Path
from types import FunctionType
from typing import Any

from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.parameters import Parameter
from untrod.engines.cover.values.code import ANY_ARGUMENTS, Answering, kind_of_code, kind_of_use
from untrod.engines.cover.values.containers import Items, Row
from untrod.engines.cover.values.guess import PLAIN_KINDS, Guesses
from untrod.engines.cover.values.hints import ANYTHING, kind_of
from untrod.engines.cover.values.kinds import NOTHING, TRUTH, DrawContext, Fixed, Kind, OneOf, Textual, pick
from untrod.engines.cover.values.uses import Use, plain_function, uses_of
from untrod.source.literals import express, importable
from untrod.source.names import is_name
from untrod.source.nodes import Atom, Call, Display, Lambda, Node, Pairs, Ref, Text

NAMESPACE = Ref("types", "SimpleNamespace")
_MOCKS = ("unittest.mock",)
_RECORD = Ref("dataclasses", "make_dataclass")
DEEPEST = 4
MOST_CLASSES = 3
MOST_CANDIDATES = 600
_BUILTINS = (str, bytes, int, float, list, dict, set, tuple)
_STANDARD = (io.StringIO, io.BytesIO, datetime, date, time, timedelta, Path)
_TOO_COMMON = frozenset(
    one
    for names in ("name get items keys values id data value type text close update add run start",)
    for one in names.split()
)
_DUNDERS = {
    "len": "__len__",
    "iter": "__iter__",
    "contains": "__contains__",
    "getitem": "__getitem__",
    "next": "__next__",
}


@dataclass(frozen=True, slots=True)
class Part:
    """A member, and how often it is there."""

    name: str
    kind: Kind
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Record:
    """A dict with keys that the code reads."""

    parts: tuple[tuple[Node, Kind, float], ...]

    def draw(self, context: DrawContext) -> Node:
        inner = context.inner
        return Pairs(
            tuple((key, kind.draw(inner)) for key, kind, share in self.parts if context.happens(share))
        )

    def mutate(self, node: Node, context: DrawContext) -> Node:
        if not isinstance(node, Pairs) or not self.parts or context.happens(0.1):
            return self.draw(context)
        pairs = dict(node.items)
        key, kind, share = self.parts[pick(context, self.parts)]
        if key in pairs and share < 1 and context.happens(0.25):
            del pairs[key]
        else:
            pairs[key] = kind.mutate(pairs[key], context.inner) if key in pairs else kind.draw(context.inner)
        return Pairs(tuple(pairs.items()))


@dataclass(frozen=True, slots=True)
class Members:
    """A namespace with members."""

    parts: tuple[Part, ...]

    def draw(self, context: DrawContext) -> Node:
        return Call(NAMESPACE, (), tuple(drawn_members(self.parts, context)))

    def mutate(self, node: Node, context: DrawContext) -> Node:
        if not isinstance(node, Call) or node.function != NAMESPACE or context.happens(0.08):
            return self.draw(context)
        return Call(NAMESPACE, (), mutated_members(self.parts, node.keywords, context))


@dataclass(frozen=True, slots=True)
class OnTheSpot:
    """An object of a class that is made for it: `type("Stream", (), {...})()`."""

    name: str
    bases: tuple[Node, ...]
    parts: tuple[Part, ...]

    def draw(self, context: DrawContext) -> Node:
        return self._made(tuple(drawn_members(self.parts, context)))

    def mutate(self, node: Node, context: DrawContext) -> Node:
        match node:
            case Call(Call(Atom("type"), (_, _, Pairs(items)))) if not context.happens(0.08):
                named = tuple((str(key.value), value) for key, value in items if isinstance(key, Text))
                return self._made(mutated_members(self.parts, named, context))
        return self.draw(context)

    def _made(self, named: tuple[tuple[str, Node], ...]) -> Node:
        return Call(on_the_spot(self.name, self.bases, named))


def on_the_spot(name: str, bases: tuple[Node, ...], named: tuple[tuple[str, Node], ...]) -> Call:
    """A class."""
    pairs = Pairs(tuple((Text(member), value) for member, value in named))
    return Call(Atom("type"), (Text(name), Display("(", bases), pairs))


def drawn_members(parts: tuple[Part, ...], context: DrawContext) -> Iterator[tuple[str, Node]]:
    for part in parts:
        if part.share == 1.0 or context.happens(part.share):
            yield part.name, part.kind.draw(context.inner)


def mutated_members(
    parts: tuple[Part, ...], named: tuple[tuple[str, Node], ...], context: DrawContext
) -> tuple[tuple[str, Node], ...]:
    members = dict(named)
    if parts:
        part = parts[pick(context, parts)]
        if part.name in members and part.share < 1 and context.happens(0.25):
            del members[part.name]
        elif part.name in members:
            members[part.name] = part.kind.mutate(members[part.name], context.inner)
        else:
            members[part.name] = part.kind.draw(context.inner)
    return tuple(members.items())


# -- is there a stand-in in it? ------------------------------------------------------------------------


def has_stand_in(given: Input) -> bool:
    """Then an exception says nothing about the code: what it works with was made up."""
    return any(step.kind == "host" or any(map(_is_made_up, _nodes(step))) for step in given.steps)


def _nodes(step: Step) -> Iterator[Node]:
    yield from step.arguments
    yield from (node for _, node in step.keywords)


def _is_made_up(node: Node) -> bool:
    match node:
        case Lambda():
            return True
        case Call(function, arguments, keywords):
            is_class = function == Atom("type") and len(arguments) == 3
            if function == NAMESPACE or is_class or isinstance(function, Call):
                return True
            if isinstance(function, Ref) and (function.module in _MOCKS or function == _RECORD):
                return True
            if isinstance(function, Ref) and function.qualname == "fix_missing_locations":
                return True  # a node that may not stand there
            return any(map(_is_made_up, arguments)) or any(_is_made_up(value) for _, value in keywords)
        case Display(_, items):
            return any(map(_is_made_up, items))
        case Pairs(pairs):
            return any(_is_made_up(side) for pair in pairs for side in pair)
    return False


# -- which kind? ---------------------------------------------------------------------------------------


class Space:
    """Where the code looks names up, and which classes there are. `is_structural`: has what was asked for
    more to it than plain values?"""

    def __init__(self, function: Callable[..., Any]) -> None:
        plain = plain_function(function)
        self.names: dict[str, Any] = plain.__globals__ if plain is not None else {}
        self.package = str(self.names.get("__name__", "")).partition(".")[0]
        self.is_structural = False
        self._classes: list[type] | None = None

    @property
    def knows_ast(self) -> bool:
        return self.names.get("ast") is ast or any(
            isinstance(found, type) and issubclass(found, ast.AST) for found in list(self.names.values())
        )

    @property
    def classes(self) -> list[type]:
        """Of the names here, then of the package."""
        if self._classes is None:
            own = [one for one in list(self.names.values()) if isinstance(one, type)]
            modules = [m for n, m in sorted(sys.modules.items()) if n.partition(".")[0] == self.package]
            others = [one for m in modules for one in list(vars(m).values()) if isinstance(one, type)]
            known = dict.fromkeys([*own, *others])
            usable = [one for one in known if one.__module__ not in ("builtins", "typing", "abc", "enum")]
            self._classes = usable[:MOST_CANDIDATES]
        return self._classes

    def fitting(self, name: str, wanted: set[str]) -> list[type]:
        """Classes that have all these members, the likeliest ones first."""
        if not wanted - _TOO_COMMON and not any(_sounds_like(name, one) for one in self.classes):
            return []
        found = [one for one in self.classes if wanted <= _provided(one) and importable(one) is not None]
        if not wanted - _TOO_COMMON:
            found = [one for one in found if _sounds_like(name, one)]
        found.sort(key=lambda one: (not _sounds_like(name, one), len(_provided(one))))
        return found[:MOST_CLASSES]


def _sounds_like(name: str, kind: type) -> bool:
    plain, called = name.replace("_", "").lower().rstrip("s"), kind.__name__.replace("_", "").lower()
    return len(plain) > 2 and (plain in called or called in plain)


def _provided(kind: type) -> frozenset[str]:
    known = _PROVIDED.get(kind)
    if known is None:
        made = vars(kind).get("__init__")
        stored = made.__code__.co_names if isinstance(made, FunctionType) else ()
        said = [vars(base).get("__annotations__") for base in kind.__mro__]
        hinted = [name for names in said if isinstance(names, dict) for name in names]
        try:
            has = dir(kind)
        except Exception:  # its metaclass is anybody's code
            has = []
        known = _PROVIDED[kind] = frozenset([*has, *stored, *hinted])
    return known


_PROVIDED: dict[type, frozenset[str]] = {}


def kind_for(use: Use, name: str, space: Space, depth: int = DEEPEST) -> Kind | None:
    """None where nothing is known."""
    found: list[Kind] = [
        kind for one in dict.fromkeys(use.types) if (kind := _of_type(one, space)) is not None
    ]
    required = {one for one in use.attributes if one not in use.optional and is_name(one)}
    by_name = name if depth == DEEPEST and not use.plain and not use.constants else ""
    code = kind_of_use(by_name, set(use.attributes), set(use.plain), space.knows_ast)
    if code is not None and not use.result:
        space.is_structural = True
        return OneOf((*found, code, code)) if found else code
    if depth == 0:
        return _any_of(found) or _plain(use, name, space, 0)
    if use.result is not None and not required:
        space.is_structural = True
        found.append(_callable(use, name, space, depth))
        return _any_of([*found, *found, *found, code] if code is not None else found)
    builtin = [kind for kind in _BUILTINS if required <= set(dir(kind)) and _can(kind, use)]
    if use.keys and all(isinstance(key, str) for key in use.keys) and required <= set(dir(dict)):
        space.is_structural = True
        found.append(_record(use, space, depth))
    elif use.keys and all(isinstance(key, int) for key in use.keys) and not required and not use.item:
        whole = range(max(use.keys) + 1)
        if len(whole) <= 8:
            found.append(
                Row(
                    tuple(
                        _answer(use.keys[n], "", space, depth - 1) if n in use.keys else ANYTHING
                        for n in whole
                    )
                )
            )
    elif use.item is not None and (not required or list in builtin) and not use.plain:
        item = kind_for(use.item, name.rstrip("s"), space, depth - 1)
        if item is not None:
            found.append(Items(item))
    if required and not builtin:
        space.is_structural = True
        classes = [kind_of(one) for one in space.fitting(name, required)]
        classes += [kind_of(one) for one in _STANDARD if required <= set(dir(one))]
        made = _stand_in(use, name, space, depth)
        found += [*classes, *classes, *([made] * max(1, len(classes)))]
    elif {"enter", "next"} & use.operators and not found:
        space.is_structural = True
        found.append(_stand_in(use, name, space, depth))
    if not found:
        return _plain(use, name, space, depth)
    if None in use.constants:
        found = [*found, *found, *found, NOTHING]
    return _any_of(found)


def _any_of(kinds: list[Kind]) -> Kind | None:
    return None if not kinds else kinds[0] if len(kinds) == 1 else OneOf(tuple(kinds))


def _of_type(kind: type, space: Space) -> Kind | None:
    code = kind_of_code(kind)
    own = kind.__module__.partition(".")[0] == space.package
    space.is_structural |= code is not None or own
    return code or kind_of(kind)


def _can(kind: type, use: Use) -> bool:
    """Has it the operators?"""
    return all(hasattr(kind, _DUNDERS[one]) for one in use.operators if one in _DUNDERS) and not (
        {"enter", "aenter", "next"} & use.operators or use.result
    )


def _plain(use: Use, name: str, space: Space, depth: int) -> Kind | None:
    """Of numbers, texts and the like."""
    kinds = [PLAIN_KINDS[vote] for vote, _ in use.plain.most_common(2) if vote in PLAIN_KINDS]
    required = {one for one in use.attributes if one not in use.optional}
    if required:
        kinds += [kind_of(kind) for kind in _BUILTINS if required <= set(dir(kind))][:1]
    constants = tuple(node for one in use.constants[:12] if (node := express(one)) is not None)
    if constants:
        kinds += [Fixed(constants)]
    if use.item is not None and not kinds:
        kinds.append(Items(_answer(use.item, name.rstrip("s"), space, depth - 1)))
    if use.tested and not kinds:
        kinds += [TRUTH, *([] if "iter" in use.operators else [NOTHING])]
    return _any_of(kinds)


_SPOKEN = (
    (
        re.compile(
            r"^(is|has|can|should|use|no|allow)_|^(enabled|disabled|debug|verbose|quiet|strict|force)$"
        ),
        TRUTH,
    ),
    (
        re.compile(
            r"(^|_)(name|path|url|uri|text|title|key|label|host|filename|message|prefix|suffix|mode)$"
        ),
        Textual(),
    ),
    (
        re.compile(r"(^|_)(count|size|length|width|height|index|port|number|timeout|limit|id|level|depth)$"),
        PLAIN_KINDS["int"],
    ),
)


def _answer(use: Use | None, name: str, space: Space, depth: int) -> Kind:
    found = kind_for(use, name, space, max(0, depth)) if use is not None else None
    if found is not None:
        return found
    return next((kind for pattern, kind in _SPOKEN if pattern.search(name)), ANYTHING)


def _callable(use: Use, name: str, space: Space, depth: int) -> Kind:
    counts = {one for one in use.arities if one >= 0}
    parameters = ("*_",) if counts == use.arities else ANY_ARGUMENTS
    errors = tuple(Ref(e.__module__, e.__qualname__) for e in use.errors[:3] if _raisable(e))
    awaited = use.result is not None and use.result.awaited
    return Answering(_answer(use.result, name, space, depth - 1), parameters, errors, awaited)


def _raisable(error: type[BaseException]) -> bool:
    try:
        error()
    except Exception:
        return False
    return importable(error) is not None and issubclass(error, Exception)


def _record(use: Use, space: Space, depth: int) -> Kind:
    parts: list[tuple[Node, Kind, float]] = []
    for key, inner in use.keys.items():
        node = express(key)
        if node is not None:
            share = 0.5 if key in use.optional else 0.97
            parts.append((node, _answer(inner, key if isinstance(key, str) else "", space, depth - 1), share))
    return Record(tuple(parts))


def parts_of(
    use: Use, space: Space, depth: int, without: set[str] | frozenset[str] = frozenset()
) -> tuple[Part, ...]:
    """The members that are asked for, without some."""
    parts = []
    for name, inner in use.attributes.items():
        if not is_name(name) or name in without or (name.startswith("__") and name.endswith("__")):
            continue
        kind = _answer(inner, name, space, depth - 1)
        parts.append(Part(name, kind, 0.6 if name in use.optional else 1.0))
    return tuple(parts)


def _stand_in(use: Use, name: str, space: Space, depth: int) -> Kind:
    parts = parts_of(use, space, depth)
    operators = use.operators & {"len", "iter", "contains", "getitem", "setitem", "enter", "aenter", "next"}
    if not operators and not use.result:
        return Members(parts)
    return OnTheSpot(_called(name), (), (*parts, *_operated(use, name, operators, space, depth)))


def _operated(use: Use, name: str, operators: set[str], space: Space, depth: int) -> Iterator[Part]:
    item = _answer(use.item, name.rstrip("s"), space, depth - 1)
    if use.keys and use.item is None:
        item = _answer(next(iter(use.keys.values())), "", space, depth - 1)
    if "len" in operators:
        yield Part("__len__", Answering(PLAIN_KINDS["size"], ("_",)))
    if "iter" in operators:
        yield Part("__iter__", Answering(_Iterator(Items(item)), ("_",)))
    if "next" in operators:
        yield Part("__next__", Answering(item, ("_",), (Ref("builtins", "StopIteration"),)))
    if "contains" in operators:
        yield Part("__contains__", Answering(TRUTH, ("*_",)))
    if "getitem" in operators:
        yield Part("__getitem__", Answering(item, ("*_",), (Ref("builtins", "KeyError"),)))
    if "setitem" in operators:
        yield Part("__setitem__", Answering(NOTHING, ("*_",)))
    for way, entering, leaving in (("enter", "__enter__", "__exit__"), ("aenter", "__aenter__", "__aexit__")):
        if way in operators:
            entered = _answer(use.entered, name, space, depth - 1)
            yield Part(entering, Answering(entered, ("*_",), awaited=way == "aenter"))
            yield Part(leaving, Answering(NOTHING, ("*_",), awaited=way == "aenter"))
    if use.result is not None:
        yield Part("__call__", _callable(use, name, space, depth))


@dataclass(frozen=True, slots=True)
class _Iterator:
    items: Kind

    def draw(self, context: DrawContext) -> Node:
        return Call(Ref("builtins", "iter"), (self.items.draw(context),))

    def mutate(self, node: Node, context: DrawContext) -> Node:
        if isinstance(node, Call) and node.function == Ref("builtins", "iter") and node.arguments:
            return Call(node.function, (self.items.mutate(node.arguments[0], context),))
        return self.draw(context)


def _called(name: str) -> str:
    words = [word for word in re.split(r"[^A-Za-z0-9]+", name) if word]
    return "".join(word[:1].upper() + word[1:] for word in words) or "StandIn"


# -- for parameters ------------------------------------------------------------------------------------


class Arguments:
    """What the unannotated parameters of one function may be; of a constructor, `owner` is its class."""

    def __init__(self, function: Callable[..., Any], owner: type | None = None) -> None:
        self._function = function
        self._owner = owner
        self._guesses: Guesses | None = None
        self._uses: dict[str, Use] | None = None
        self._space: Space | None = None

    def kind(self, parameter: Parameter) -> Kind:
        if self._guesses is None:
            self._guesses = Guesses(self._function)
        guess = self._guesses.kind(parameter.name, optional=not parameter.required)
        use, space = self._use(parameter), self._space
        if use is None or space is None:
            return guess
        space.is_structural = False
        known = kind_for(use, parameter.name, space)
        if known is None or not space.is_structural:
            return guess
        if not parameter.required:
            return OneOf((*[known] * 6, guess, NOTHING))
        return OneOf((*[known] * 7, guess))

    def beside(self, parameter: Parameter) -> Kind | None:
        """A stand-in for an object whose class is known: that may be hard to make, or to bring into a state.
        None where nothing is asked of it, or its class is a plain one."""
        hint = parameter.hint
        kinds = [one for one in (typing.get_args(hint) or (hint,)) if one is not type(None)]
        if len(kinds) != 1 or not _is_object(kinds[0]):
            return None
        use, space = self._use(parameter), self._space
        if use is None or space is None or not use.attributes.keys() - use.optional:
            return None
        return _stand_in(use, parameter.name, space, DEEPEST)

    def _use(self, parameter: Parameter) -> Use | None:
        if self._uses is None:
            self._uses = uses_of(self._function, self._owner)
            self._space = Space(self._function)
        if parameter.rest:
            return None
        found = self._uses.get(parameter.name)
        if found is None:  # one of those in `**kwargs`
            inside = (use.keys[parameter.name] for use in self._uses.values() if parameter.name in use.keys)
            found = next(inside, None)
        return found


_SIMPLE = ("builtins", "typing", "collections", "collections.abc", "datetime", "decimal", "fractions", "uuid")


def _is_object(hint: Any) -> bool:
    if not isinstance(hint, type) or issubclass(hint, Enum | BaseException | type):
        return False
    return hint.__module__ not in (*_SIMPLE, "pathlib", "io", "types", "ast") and not typing.get_origin(hint)
