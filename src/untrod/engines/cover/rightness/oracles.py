"""What must hold of a result although nothing was raised. Only what Python itself, a name or a docstring
promises: better no oracle than one that is wrong.

    an object equals itself, and equal objects have one hash            a class with `__eq__`
    not both a < b and b < a                                            a class with `__lt__`
    a copy equals what was copied; so does what the repr evaluates to   a class with objects equal by value
    loads(dumps(loads(text))) == loads(text)                            functions of one module, named so
    f(f(x)) == f(x)                                                     a docstring that says "idempotent"

Everything here runs code under test, which may raise whatever it likes: that says nothing then.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import inspect
import math
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

from untrod.engines.cover.case import Input
from untrod.engines.cover.rightness.levels import Level
from untrod.runtime.deadline import EpisodeStopped
from untrod.source.evaluate import evaluate, resolve
from untrod.source.nodes import Ref

_PAIRS = (
    ("loads", "dumps"),
    ("decode", "encode"),
    ("deserialize", "serialize"),
    ("deserialise", "serialise"),
    ("unpack", "pack"),
    ("decompress", "compress"),
    ("unquote", "quote"),
    ("unescape", "escape"),
)
_TYPED_PAIRS = (("parse", "format"), ("from_string", "to_string"), ("parse", "unparse"))
"""Only where what one returns is what the other takes, by their annotations."""
_IDEMPOTENT = re.compile(r"(?<!not )(?<!n't )(?<!non-)\bidempotent\b", re.I)
_LOSSY = re.compile(r"lossy|not revers|irrevers|cannot be undone|information is lost|one-way", re.I)


class Broken(NamedTuple):
    name: str
    level: Level
    told: str


def broken(given: Input, value: Any, target: Any, files: Collection[str], module: Any) -> Broken | None:
    """`value` is what the last step of `given` returned; `target` the function or class of its entry."""
    try:
        is_class = isinstance(target, type)
        ordered = _of_order(given, value, target, files) if is_class else iter(())
        found = next(ordered if is_class else _of_function(given, value, target, module), None)
        if found is None and isinstance(target, type) and len(given.steps) == 1 and type(value) is target:
            found = next(_of_object(given, value, files, module), None)
        return found
    except EpisodeStopped:
        raise
    except BaseException:
        return None


def has_oracles(target: Any, module: Any) -> bool:
    """Is there anything to check? Told once for each entry."""
    if isinstance(target, type):
        own = {name for base in target.__mro__[:-1] for name in vars(base)}
        return bool(own & {"__eq__", "__lt__"})
    return _partner(target, module) is not None or _says_idempotent(target)


# -- objects ------------------------------------------------------------------------------------------


def _of_object(given: Input, value: Any, files: Collection[str], module: Any) -> Iterator[Broken]:
    kind = type(value)
    written = _written_in(kind, "__eq__", files)
    if not written and not (dataclasses.is_dataclass(kind) and kind.__eq__ is not object.__eq__):
        return
    if any(isinstance(one, float) and math.isnan(one) for one in _floats(value)):
        return
    name = kind.__name__
    if written and (value == value) is False:
        yield Broken("reflexive", "high", f"a {name} does not equal itself")
        return
    other = _made(given)
    if type(other) is not kind or (value == other) is not True:
        return  # not equal by value
    if kind.__hash__ is not None and hash(value) != hash(other):
        yield Broken("hash", "high", f"two {name}s are equal, and their hashes are not")
    for how in (copy.copy, copy.deepcopy):
        copied = _tried(how, value)
        if type(copied) is kind and (copied == value) is False:
            yield Broken(how.__name__, "medium", f"copy.{how.__name__} of a {name} does not equal it")
    if _written_in(kind, "__repr__", files):
        read = _tried(_read, repr(value), name, vars(module))
        if type(read) is kind and (read == value) is False:
            yield Broken("repr", "low", f"what the repr of a {name} evaluates to does not equal it")


def _of_order(given: Input, value: Any, target: type, files: Collection[str]) -> Iterator[Broken]:
    step = given.steps[-1]
    if len(given.steps) != 2 or step.name != "__lt__" or value is not True or not step.arguments:
        return
    if not _written_in(target, "__lt__", files):
        return
    one, other = _made(given), evaluate(step.arguments[0])
    if type(one) is type(other) and (one < other) is True and (other < one) is True:
        yield Broken("order", "high", f"of two {target.__name__}s each is less than the other")


def _made(given: Input) -> Any:
    step = given.steps[0]
    arguments = [evaluate(node) for node in step.arguments]
    return resolve(Ref(given.module, step.name))(
        *arguments, **{name: evaluate(node) for name, node in step.keywords}
    )


def _read(text: str, name: str, names: dict[str, Any]) -> Any:
    """Only what looks like a call of the class."""
    tree = ast.parse(text, mode="eval")
    if not isinstance(tree.body, ast.Call) or ast.unparse(tree.body.func).rpartition(".")[2] != name:
        return None
    return eval(compile(tree, "<repr>", "eval"), dict(names))


def _written_in(kind: type, name: str, files: Collection[str]) -> bool:
    found = getattr(getattr(kind, name, None), "__code__", None)
    return found is not None and found.co_filename in files


def _floats(value: Any) -> Iterator[Any]:
    state = getattr(value, "__dict__", None)
    for one in state.values() if isinstance(state, dict) else ():
        yield one
        if isinstance(one, list | tuple | set):
            yield from one


def _tried(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except EpisodeStopped:
        raise
    except BaseException:
        return None


# -- functions ----------------------------------------------------------------------------------------


def _of_function(given: Input, value: Any, function: Any, module: Any) -> Iterator[Broken]:
    (step,) = given.steps
    if len(step.arguments) != 1 or step.keywords or (value == value) is not True:
        return
    if _says_idempotent(function):
        again = _tried(function, value)
        if again is not None and (again == value) is False:
            yield Broken(
                "idempotent", "high", f"{step.name} is idempotent by its docstring, and changes what it made"
            )
    partner = _partner(function, module)
    if partner is None:
        return
    written = _tried(partner, value)
    if written is None:
        return
    read = _tried(function, written)
    if read is not None and type(read) is type(value) and (read == value) is False:
        told = f"{step.name} of what {partner.__name__} makes of a value does not give the value"
        yield Broken("round-trip", "high", told)


def _says_idempotent(function: Any) -> bool:
    return _IDEMPOTENT.search(getattr(function, "__doc__", None) or "") is not None


def _partner(function: Any, module: Any) -> Any:
    """The function that undoes this one, by its name."""
    name = getattr(function, "__name__", "")
    for pairs, typed in ((_PAIRS, False), (_TYPED_PAIRS, True)):
        for back, forth in pairs:
            if not re.search(rf"(?:^|_){back}(?:$|_)", name):
                continue
            other = getattr(module, name.replace(back, forth), None)
            if inspect.isfunction(other) and _takes_one(other) and _takes_one(function):
                said = f"{function.__doc__ or ''} {other.__doc__ or ''}"
                if not _LOSSY.search(said) and (not typed or _is_typed_pair(function, other)):
                    return other
    return None


def _takes_one(function: Any) -> bool:
    """One argument that has to be given, and no choice among the others that changes the format."""
    parameters = [*inspect.signature(function).parameters.values()]
    required = [one for one in parameters if one.default is one.empty and one.kind is not one.VAR_KEYWORD]
    return len(required) == 1 and required[0].kind in (
        required[0].POSITIONAL_ONLY,
        required[0].POSITIONAL_OR_KEYWORD,
    )


def _is_typed_pair(back: Any, forth: Any) -> bool:
    made = getattr(back, "__annotations__", {}).get("return")
    taken = [hint for name, hint in getattr(forth, "__annotations__", {}).items() if name != "return"]
    return made is not None and taken[:1] == [made]
