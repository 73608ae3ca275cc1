"""Which expression raised, and whether it was done to a value that the caller gave.

Python says of every frame which part of which line it was at. `parts[2]` of a list that is too short, an
attribute that the value given does not have: that is between the function and its caller. `int(patch)` of a
part that the function itself took out of a text is the function's own.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

MOST_PARTS = 400
_TRIVIAL = (bool, int, float, complex, type(None), bytes)
_Place = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Raised:
    """`frame` is the innermost one of the code under test, `first` the outermost. `node` is what it was at,
    None where that cannot be seen."""

    frame: FrameType
    first: FrameType
    line: int
    node: ast.expr | ast.stmt | None

    @property
    def expression(self) -> str:
        text = ast.unparse(self.node) if self.node is not None else ""
        return text if len(text) <= 60 and "\n" not in text else ""

    @property
    def operands(self) -> list[ast.expr]:
        """What the failing operation was done with."""
        match self.node:
            case ast.Subscript(value=value, slice=index):
                return [value, index]
            case ast.Attribute(value=value):
                return [value]
            case ast.BinOp(left=left, right=right) | ast.AugAssign(target=left, value=right):
                return [left, right]
            case ast.UnaryOp(operand=operand):
                return [operand]
            case ast.Compare(left=left, comparators=others):
                return [left, *others]
            case ast.Call(func=func, args=args, keywords=keywords):
                owner = [func.value] if isinstance(func, ast.Attribute) else [func]
                plain = [one.value if isinstance(one, ast.Starred) else one for one in args]
                return [*owner, *plain, *(keyword.value for keyword in keywords)]
            case ast.expr():
                return [self.node]
            case ast.For(iter=items) | ast.AsyncFor(iter=items):
                return [items]
            case ast.Assign(value=value):
                return [value]
            case ast.Delete(targets=[ast.Subscript(value=value, slice=index), *_]):
                return [value, index]
        return []


def raised_at(error: BaseException, files: Collection[str]) -> Raised | None:
    """None where no code under test has a part in it."""
    frames = [trace for trace in _traces(error) if trace.tb_frame.f_code.co_filename in files]
    if not frames:
        return None
    last = frames[-1]
    return Raised(last.tb_frame, frames[0].tb_frame, last.tb_lineno, _node(last))


def _traces(error: BaseException) -> Iterable[TracebackType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace
        trace = trace.tb_next


def _node(trace: TracebackType) -> ast.expr | ast.stmt | None:
    code = trace.tb_frame.f_code
    place = next(islice(code.co_positions(), trace.tb_lasti // 2, None), None)
    if place is None or None in place:
        return None
    line, last, column, end = place
    return _nodes(code.co_filename).get((line, column, last, end))  # type: ignore[arg-type]


@lru_cache(maxsize=16)
def _nodes(path: str) -> dict[_Place, ast.expr | ast.stmt]:
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return {}
    found: dict[_Place, ast.expr | ast.stmt] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.expr | ast.stmt):
            place = (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
            found.setdefault(place, node)
    return found


class Given:
    """The values that the caller gave, with what is inside of them."""

    def __init__(self, first: FrameType, arguments: Mapping[str, Any]) -> None:
        """`arguments`: made anew, by the names of the parameters."""
        self._named = dict(arguments)
        self._arguments = list(arguments.values())
        self._entry = first.f_code
        self._names = _untouched(first)
        values = [first.f_locals[name] for name in self._names]
        self._values = values  # alive as long as their ids count
        self._parts = _parts(
            [value for name, value in zip(self._names, values, strict=True) if name not in _OWNERS]
        )

    def holds(self, operand: ast.expr, frame: FrameType) -> bool:
        """Is the operand a value that was given, or a part of one?"""
        known, value = value_of(operand, frame)
        if not known:
            return False
        if isinstance(operand, ast.Name) and operand.id in _OWNERS:
            return False
        if isinstance(operand, ast.Name) and self._is_parameter(operand.id, value, frame):
            return True
        if not isinstance(value, _TRIVIAL) and value != "" and id(value) in self._parts:
            return True
        # A small number or None is one object wherever it is: only what is handed on by a name counts.
        is_handed_on = isinstance(operand, ast.Attribute) or (
            isinstance(operand, ast.Name) and operand.id in _untouched(frame)
        )
        if not is_handed_on and not (isinstance(operand, ast.Name) and operand.id in _iterated(frame)):
            return False
        return any(_same(value, one) or _is_character(value, one) for one in _inside(self._arguments))

    def _is_parameter(self, name: str, value: Any, frame: FrameType) -> bool:
        """Of the function that was called, as it was given; also as seen from a function within it."""
        if frame.f_code is not self._entry and name not in frame.f_code.co_freevars:
            return False
        return name in self._names or (name in self._named and _same(value, self._named[name]))


_OWNERS = ("self", "cls")
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def _is_character(value: Any, of: Any) -> bool:
    """A text is iterated as well."""
    return isinstance(value, str) and len(value) == 1 and isinstance(of, str) and value in of


def _same(value: Any, other: Any) -> bool:
    try:
        return type(value) is type(other) and bool(value == other)
    except Exception:
        return False


def value_of(operand: ast.expr, frame: FrameType) -> tuple[bool, Any]:
    """Names and plain attributes of them; nothing is called for it."""
    if isinstance(operand, ast.Name):
        return operand.id in frame.f_locals, frame.f_locals.get(operand.id)
    if isinstance(operand, ast.Attribute):
        known, owner = value_of(operand.value, frame)
        inside = getattr(owner, "__dict__", {}) if known else {}
        return isinstance(inside, dict) and operand.attr in inside, dict(inside).get(operand.attr)
    return False, None


def _untouched(frame: FrameType) -> list[str]:
    """The parameters that the function has not bound anew."""
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    names = [name for name in code.co_varnames[:count] if name in frame.f_locals]
    stored = _stored(code.co_filename, code.co_firstlineno)
    return [name for name in names if name not in stored]


@lru_cache(maxsize=256)
def _stored(path: str, line: int) -> frozenset[str]:
    function = _function_at(path, line)
    inside = ast.walk(function) if function is not None else ()
    return frozenset(
        node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )


def _iterated(frame: FrameType) -> frozenset[str]:
    """The names that a `for` gives, and nothing else."""
    if frame.f_code.co_name in _COMPREHENSIONS:
        return frozenset(frame.f_code.co_varnames)
    return _loop_names(frame.f_code.co_filename, frame.f_code.co_firstlineno)


@lru_cache(maxsize=256)
def _loop_names(path: str, line: int) -> frozenset[str]:
    function = _function_at(path, line)
    loops: list[ast.expr] = []
    other: set[str] = set()
    for node in ast.walk(function) if function is not None else ():
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            loops.append(node.target)
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.NamedExpr):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            other |= {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
    return frozenset(one.id for loop in loops for one in ast.walk(loop) if isinstance(one, ast.Name)) - other


def _function_at(path: str, line: int) -> ast.stmt | ast.expr | None:
    return next(
        (
            node
            for node in _nodes(path).values()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and line in (node.lineno, *(one.lineno for one in node.decorator_list))
        ),
        None,
    )


def _inside(values: Iterable[Any], depth: int = 3) -> Iterable[Any]:
    for value in values:
        yield value
        if depth and isinstance(value, dict):
            yield from _inside([*islice(value.keys(), 20), *islice(value.values(), 20)], depth - 1)
        elif depth and isinstance(value, list | tuple | set | frozenset):
            yield from _inside(islice(value, 20), depth - 1)


def _parts(values: Iterable[Any], depth: int = 3) -> set[int]:
    found: set[int] = set()
    level = list(values)
    for _ in range(depth):
        inside: list[Any] = []
        for value in level:
            found.add(id(value))
            if len(found) > MOST_PARTS:
                return found
            if isinstance(value, dict):
                inside += [*islice(dict.keys(value), 20), *islice(dict.values(value), 20)]
            elif isinstance(value, list | tuple | set | frozenset):
                inside += islice(value, 20)
        level = inside
    return found
