"""What a function says of how it wants to be called: its docstring, its asserts, its class.

    :raises KeyError: ...        Raises:  KeyError: ...        "raises KeyError if ..."
    "must be positive", "non-empty", "between 0 and 1", "one of 'a', 'b'"
    assert n > 0                 at the head of the function, about its parameters
    class Shape: "abstract base class", def area(self): raise NotImplementedError

An exception that is documented is part of the interface. A value that the text rules out says nothing about
the function.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from untrod.engines.cover.type_expressions import NotAType, resolve

_ERROR = r"[A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt|StopIteration|Invalid\w*|NotFound)"
_FIELD = re.compile(r":(?:raises?|except|exception)\s+([^:]+):")
_SECTION = re.compile(r"^(?P<indent>[ \t]*)Raises:?[ \t]*\n(?P<rule>[ \t]*-{3,}[ \t]*\n)?", re.M | re.I)
_SPOKEN = re.compile(r"rais(?:e[sd]?|ing)|throws?|thrown", re.I)
_TRACEBACK = re.compile(rf"^\s*Traceback \(most recent.*?^\s*({_ERROR})\b", re.M | re.S)
_BARE = re.compile(r"\b(?:rais\w+|throws?)\s+(?:an?\s+|the\s+)?[`*:\w~.]*?\b([A-Z]\w+)", re.I)
_UNMADE = re.compile(
    r"\babstract\b|\bmix-?in\b|\b(?:must|should|to|can) be (?:subclassed|sub-classed|inherited|overridden)"
    r"|subclass(?:es|ed)? (?:must|should|need|have)"
    r"|(?:do not|don't|never|should not|not (?:meant|intended) to) "
    r"(?:be )?(?:instantiat|construct|creat|call|us)(?:e|ed|ing)?\b[^.]*\bdirectly"
    r"|do not instantiate|cannot be instantiated|interface (?:class|for)\b|\bbase class\b",
    re.I,
)
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_RULES: tuple[tuple[re.Pattern[str], Callable[[Any, re.Match[str]], bool]], ...] = (
    (re.compile(r"non-?negative|not (?:be )?negative", re.I), lambda value, _: value >= 0),
    (re.compile(r"(?<!non-)(?<!non)\bpositive\b", re.I), lambda value, _: value > 0),
    (re.compile(r"non-?zero|not (?:be )?(?:zero|0)\b", re.I), lambda value, _: value != 0),
    (
        re.compile(r"non-?empty|not (?:be )?empty|at least one|cannot be empty", re.I),
        lambda value, _: len(value) > 0,
    ),
    (
        re.compile(
            rf"between {_NUMBER} and {_NUMBER}|(?:from|in) \[?{_NUMBER}(?:\s*(?:to|,|\.\.+|-)\s*){_NUMBER}"
        ),
        lambda value, said: _between(value, said),
    ),
    (
        re.compile(rf"(?:at least|>=|not less than|greater than or equal to) {_NUMBER}"),
        lambda v, s: v >= float(s[1]),
    ),
    (
        re.compile(rf"(?:at most|<=|not more than|less than or equal to) {_NUMBER}"),
        lambda v, s: v <= float(s[1]),
    ),
    (re.compile(rf"(?:>|greater than|larger than|more than) {_NUMBER}"), lambda v, s: v > float(s[1])),
    (re.compile(rf"(?:<|less than|smaller than) {_NUMBER}"), lambda v, s: v < float(s[1])),
)
_DEMANDS = re.compile(
    r"\b(?:must|should|shall|has to|have to|need(?:s|ed)? to|expected|assume[sd]?|require[sd]?|only)\b"
    r"|\bvalid\b",
    re.I,
)
_QUOTED = re.compile(
    r"""(?:one of|either)\b[^.\n]*?(?=["'`])((?:["'`]+[^"'`\n]*["'`]+(?:,|\s|or|and)*){2,})""", re.I
)


@dataclass(frozen=True, slots=True)
class Contract:
    """`raises`: names of exceptions. `said`: the text about each parameter. `head`: lines of asserts about
    parameters that stand before anything is done. `on_purpose`: names of exceptions that its body raises.
    `unmade`: why objects of the class are not made as they are; empty for all others. `types`: of parameters
    that are looked at by `isinstance` before anything is done, and refused."""

    raises: frozenset[str] = frozenset()
    said: Mapping[str, str] = field(default_factory=dict)
    head: frozenset[int] = frozenset()
    on_purpose: frozenset[str] = frozenset()
    unmade: str = ""
    types: Mapping[str, Any] = field(default_factory=dict)

    def documents(self, error: BaseException) -> str:
        """The name under which it is documented; empty where it is not."""
        names = {kind.__name__ for kind in type(error).__mro__[:-1]} - {"Exception", "BaseException"}
        return next((name for name in sorted(self.raises) if name in names), "")

    def forbids(self, parameter: str, value: Any) -> str:
        """Why the text rules the value out; empty where it does not."""
        said = self.said.get(parameter, "")
        quoted = _QUOTED.search(said)
        if quoted is not None and isinstance(value, str):
            words = re.findall(r"""["'`]+([^"'`\n]*)["'`]+""", quoted[1])
            if value not in words:
                return f"{parameter} is to be one of {', '.join(words[:5])}"
        if not isinstance(value, bool):
            for rule, holds in _RULES:
                found = rule.search(said)
                try:
                    if found is not None and not holds(value, found):
                        return f'the docstring says of {parameter}: "{found[0].strip()}"'
                except Exception:
                    continue
        return ""

    def demands(self, parameter: str) -> bool:
        """Does the text ask for more than a type can say?"""
        return _DEMANDS.search(self.said.get(parameter, "")) is not None


NOTHING_SAID = Contract()


@lru_cache(maxsize=512)
def contract_of(function: Callable[..., Any]) -> Contract:
    """Of a class: what it says itself, and what its constructor says."""
    try:
        return _contract(function)
    except Exception:
        return NOTHING_SAID


def _contract(function: Callable[..., Any]) -> Contract:
    plain = inspect.unwrap(function)
    texts = [_own_doc(plain)]
    if isinstance(plain, type):
        texts += [_own_doc(vars(plain).get("__init__")), _own_doc(vars(plain).get("__new__"))]
    text = "\n\n".join(filter(None, texts))
    code = plain.__init__ if isinstance(plain, type) else plain  # type: ignore[misc]
    tree = tree_of(code)
    names = [argument.arg for argument in ast.walk(tree) if isinstance(argument, ast.arg)] if tree else []
    start = getattr(getattr(code, "__code__", None), "co_firstlineno", 1) - 1
    return Contract(
        documented_errors(text),
        {name: told for name in dict.fromkeys(names) if (told := _about(name, text))},
        frozenset(start + line for line in _head(tree, set(names))) if tree else frozenset(),
        frozenset(_raised(tree)) if tree else frozenset(),
        _unmade(plain) if isinstance(plain, type) else "",
        dict(_guarded(tree, getattr(code, "__globals__", {}))) if tree else {},
    )


def documented_errors(text: str) -> frozenset[str]:
    """The exceptions that a docstring names: in fields, in a section, in prose, in its examples."""
    found = {name for said in _FIELD.findall(text) for name in re.findall(r"\w+", said)}
    for section in _SECTION.finditer(text):
        found |= _named_in_section(text[section.end() :], section)
    for sentence in re.split(r"(?<=[.!?])\s+|\n\s*\n", text):
        if _SPOKEN.search(sentence):
            found |= {name.rpartition(".")[2] for name in re.findall(rf"\b{_ERROR}\b", sentence)}
            found |= set(_BARE.findall(sentence))
    found |= {name.rpartition(".")[2] for name in _TRACEBACK.findall(text)}
    return frozenset(found)


def _named_in_section(text: str, section: re.Match[str]) -> set[str]:
    found = set()
    indent = len(section["indent"].expandtabs())
    for line in text.splitlines():
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip())
        if depth < indent or (depth == indent and not section["rule"]):
            break
        name = re.match(r"\s*[`*~:\w]*?([A-Za-z_][\w.]*)[`*]*\s*(?::|$|--| - )", line)
        if name is not None:
            found.add(name[1].rpartition(".")[2])
        elif section["rule"] and re.match(r"\s*-{3,}\s*$", line):
            break
    return found


def _about(name: str, text: str) -> str:
    """What the text says of a parameter: its entry in a list of them, and sentences that name it."""
    escaped = re.escape(name)
    entry = re.findall(
        rf"(?:^[ \t]*:(?:param|arg|type|parameter|argument)[^:\n]*\b{escaped}\s*:"
        rf"|^[ \t]*\*{{0,2}}`*{escaped}`*\s*(?:\([^)\n]*\))?\s*(?::|--|- ))"
        rf"([^\n]*(?:\n(?![ \t]*(?:\n|:\w|\w+\s*(?:\([^)\n]*\))?\s*:))[^\n]+)*)",
        text,
        re.M,
    )
    sentences = [
        one
        for one in re.split(r"(?<=[.!?])\s+|\n\s*\n", text)
        if re.search(rf"[`*'\"]{escaped}[`*'\"]|\b{escaped} (?:must|should|is|has|may|cannot|can't)\b", one)
    ]
    return "\n".join([*entry, *sentences])


def _between(value: Any, said: re.Match[str]) -> bool:
    low, high = (float(one) for one in said.groups() if one is not None)
    return bool(low <= value <= high)


def _own_doc(function: Any) -> str:
    return inspect.cleandoc(function.__doc__) if isinstance(getattr(function, "__doc__", None), str) else ""


def tree_of(function: Any) -> ast.AST | None:
    """Of a function, a class, a code object."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return None


def _head(tree: ast.AST, parameters: set[str]) -> Iterator[int]:
    """The lines of the asserts that stand at the beginning, about parameters and nothing else."""
    function = next(
        (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)), None
    )
    for statement in function.body if function else ():
        if isinstance(statement, ast.Assert):
            names = {node.id for node in ast.walk(statement.test) if isinstance(node, ast.Name)}
            if names & parameters:
                yield from range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
            continue
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        is_guard = isinstance(statement, ast.If) and all(
            isinstance(one, ast.Raise | ast.Assign | ast.Return) for one in statement.body
        )
        if (
            not is_text
            and not is_guard
            and not isinstance(statement, ast.Global | ast.Import | ast.ImportFrom)
        ):
            return


def _guarded(tree: ast.AST, names: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """`assert isinstance(n, int)` and `if not isinstance(n, int): raise TypeError`."""
    for node in ast.walk(tree):
        test: ast.expr | None = None
        if isinstance(node, ast.Assert):
            test = node.test
        elif isinstance(node, ast.If) and isinstance(node.body[0], ast.Raise):
            test = node.test.operand if isinstance(node.test, ast.UnaryOp) else None
        match test:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kinds]):
                try:
                    found = resolve(kinds, names)
                except NotAType:
                    continue
                yield name, typing.Union[found] if isinstance(found, tuple) else found  # noqa: UP007


def _raised(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            named = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            if isinstance(named, ast.Name | ast.Attribute):
                yield named.id if isinstance(named, ast.Name) else named.attr


def _unmade(kind: type) -> str:
    """Why objects of the class itself are not what it was written for."""
    if getattr(kind, "__abstractmethods__", None):
        return f"{kind.__name__} is abstract"
    said = _UNMADE.search(_own_doc(kind))
    if said is not None:
        return f'the docstring of {kind.__name__} says "{said[0]}"'
    if re.search(
        r"Mixin|^_?Abstract|^_?Base[A-Z]|[a-z]Base$|Protocol$|Interface$|^I[A-Z][a-z]", kind.__name__
    ):
        return f"{kind.__name__} is by its name not to be used alone"
    for part, found in vars(kind).items():
        tree = tree_of(found) if inspect.isfunction(found) else None
        if tree is not None and _is_left_open(tree):
            return f"{kind.__name__}.{part} is left to subclasses"
    return ""


def _is_left_open(tree: ast.AST) -> bool:
    """Is `raise NotImplementedError` all that the function does?"""
    function = next(
        (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)), None
    )
    body = function.body if function else []
    done = [one for one in body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    return len(done) == 1 and "NotImplementedError" in set(_raised(done[0]))
