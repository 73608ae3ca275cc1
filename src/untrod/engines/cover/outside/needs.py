"""What functions look at outside, read off the source of their module once, on loading.

A function needs what it names itself, and what the functions of its module need that it names. Names are
resolved in the module, as they are after its import: `environ` is `os.environ` wherever it came from.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import Any

from untrod.engines.cover.outside.answers import ANSWERS, AS_TEXT, PLATFORM, error_node, may_raise
from untrod.engines.cover.outside.settings import Setting

_READS_ARGV = frozenset({"parse_args", "parse_known_args", "parse_intermixed_args", "fileinput"})
_OPENING = frozenset(
    f"{module}.{name}"
    for module, names in {
        "builtins": "open",
        "_io": "open",
        "io": "open open_code",
        "os": "listdir scandir stat walk access",
        "posix": "listdir scandir stat access",
        "genericpath": "exists isfile isdir getsize getmtime",
        "posixpath": "exists isfile isdir getsize getmtime islink lexists realpath",
        "pathlib": "Path",
        "shutil": "copy copyfile copytree rmtree",
        "glob": "glob iglob",
        "codecs": "open",
    }.items()
    for name in names.split()
)
_OF_STREAMS = frozenset({"read", "readline", "readlines", "write", "writelines", "seek", "fileno", "close"})
_REACHING = frozenset({"socket", "_socket", "subprocess"})
_AS_TEXT = frozenset({"text", "universal_newlines", "encoding", "errors"})
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{2,40}")
_OURS = re.compile(r"PATH|PYTHON[A-Z]*|(?:LD_|PYTEST_|UNTROD|COVERAGE_).*")
"""Variables that the interpreter, the loader and the test run itself go by."""
_MOST_MODULES = 40
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Needs:
    """`argv`: words of options, where the arguments of the process are read; `variables` of the environment;
    `files` that are opened by a name in the source; `replaced` are functions of others that may answer
    something else: where they are looked up, and their key in `ANSWERS`; `raising` are settings that let one
    raise what a handler waits for. `reaches`: sockets or processes are named. `paths`: parameters that name
    files, as `function.parameter`."""

    argv: frozenset[str] = frozenset()
    stdin: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    replaced: frozenset[tuple[str, str]] = frozenset()
    raising: frozenset[Setting] = frozenset()
    reaches: frozenset[str] = frozenset()
    paths: frozenset[str] = frozenset()

    def __or__(self, other: Needs) -> Needs:
        return Needs(*(getattr(self, one.name) | getattr(other, one.name) for one in fields(Needs)))

    def __bool__(self) -> bool:
        return any(getattr(self, one.name) for one in fields(Needs))


NOTHING = Needs()


class Surroundings:
    """Of the modules of one package, each read when it is asked for: what functions use of others is theirs,
    too."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._known: dict[str, dict[str, Needs]] = {}

    def of(self, found: Any) -> Needs:
        """Of a function, or of all methods of a class and its bases."""
        needs = NOTHING
        for part in found.__mro__ if isinstance(found, type) else (inspect.unwrap(found),):
            module, attribute = getattr(part, "__module__", None), getattr(part, "__qualname__", None)
            if isinstance(module, str) and isinstance(attribute, str):
                needs |= _of(attribute, self._module(module))
        return needs

    def _module(self, name: str) -> dict[str, Needs]:
        if name not in self._known and len(self._known) < _MOST_MODULES:
            self._known[name] = {}  # modules that use one another
            module = sys.modules.get(name)
            if module is not None and name.partition(".")[0] == self._package:
                self._known[name] = _needs_of_module(module, self)
        return self._known.get(name, {})


def _needs_of_module(module: ModuleType, surroundings: Surroundings) -> dict[str, Needs]:
    """By the qualified names of functions: those that need something."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError, ValueError, RecursionError):
        return {}
    functions = dict(_functions(tree, ""))
    reader = _Reader(module, tree)
    found = {name: reader.needs(node) for name, node in functions.items()}
    for name, node in functions.items():
        for other in reader.others(node):
            found[name] |= _without_paths(surroundings.of(other))
    if not any(found.values()):
        return {}
    called = {name: _names(node) for name, node in functions.items()}
    changed = True
    while changed:
        changed = False
        by_last: dict[str, Needs] = {}
        for name, needs in found.items():
            if needs:
                last = name.rpartition(".")[2]
                by_last[last] = by_last.get(last, NOTHING) | needs
        for name, needs in found.items():
            more = needs
            for last in called[name] & by_last.keys():
                more |= _without_paths(by_last[last])
            if more != needs:
                found[name], changed = more, True
    _nodes.cache_clear()
    return {name: needs for name, needs in found.items() if needs}


def _of(attribute: str, functions: Mapping[str, Needs]) -> Needs:
    needs = NOTHING
    for name, found in functions.items():
        if name == attribute or name.startswith(f"{attribute}."):
            needs |= found
    return needs


def _without_paths(needs: Needs) -> Needs:
    """The parameters of a function are its own."""
    return Needs(*(frozenset() if one.name == "paths" else getattr(needs, one.name) for one in fields(Needs)))


def _functions(node: ast.AST, above: str) -> Iterator[tuple[str, _Function]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Function):
            yield above + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{above}{child.name}.")
        elif isinstance(child, ast.If | ast.Try | ast.With):
            yield from _functions(child, above)


@lru_cache(maxsize=1000)
def _nodes(function: _Function) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(function))


def _names(function: _Function) -> frozenset[str]:
    """Of whatever it may call."""
    found = {node.id for node in _nodes(function) if isinstance(node, ast.Name)}
    return frozenset(found | {node.attr for node in _nodes(function) if isinstance(node, ast.Attribute)})


class _Reader:
    """Of the functions of one module."""

    def __init__(self, module: ModuleType, tree: ast.Module) -> None:
        self._module = module
        texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        self._options = frozenset(text for text in texts if re.fullmatch(r"--?[A-Za-z][\w-]{0,40}", text))
        self._variables = frozenset(text for text in texts if _VARIABLE.fullmatch(text))

    def needs(self, function: _Function) -> Needs:
        local = dict(_imported(function))
        argv = stdin = reaches = False
        as_text = {
            id(node.func)
            for node in _nodes(function)
            if isinstance(node, ast.Call) and {word.arg for word in node.keywords} & _AS_TEXT
        }
        variables: set[str] = set()
        files: set[str] = set()
        replaced: set[tuple[str, str]] = set()
        streams = _streams(function)
        parameters = {argument.arg for argument in _arguments(function)}
        paths: set[str] = set()
        for node in _nodes(function):
            if isinstance(node, ast.Attribute | ast.Name):
                found = self._resolve(node, local)
                argv |= found is sys.argv
                stdin |= found is sys.stdin or found is input
                key = PLATFORM if self._is_platform(node, local) else _key_of(found)
                where = self._where(node, local) if key in ANSWERS else ""
                key += AS_TEXT if where and key + AS_TEXT in ANSWERS and id(node) in as_text else ""
                reaches |= getattr(found, "__module__", None) in _REACHING or found in (socket, subprocess)
                if where:
                    replaced.add((where, key))
            if isinstance(node, ast.Attribute) and node.attr in _READS_ARGV:
                argv = True
            elif isinstance(node, ast.Call):
                found = self._resolve(node.func, local)
                variables |= self._variables_in(node, found, local)
                if _key_of(found) in _OPENING and node.args:
                    first = node.args[0]
                    if isinstance(first, ast.Name) and first.id in parameters:
                        paths.add(first.id)
                    elif isinstance(first, ast.Constant) and _is_plain(first.value):
                        files.add(str(first.value))
            elif isinstance(node, ast.Subscript | ast.Compare):
                variables |= self._variables_looked_up(node, local)
        return Needs(
            argv=frozenset({"", *self._options}) if argv else frozenset(),
            stdin=frozenset({""}) if stdin else frozenset(),
            variables=frozenset(name for name in variables if not _OURS.fullmatch(name)),
            files=frozenset(files),
            replaced=frozenset(replaced),
            raising=frozenset(self._raising(function, local)),
            reaches=frozenset({""}) if reaches else frozenset(),
            paths=frozenset(f"{function.name}.{name}" for name in paths - streams),
        )

    def _is_platform(self, node: ast.AST, local: Mapping[str, Any]) -> bool:
        return (
            isinstance(node, ast.Attribute)
            and node.attr == "platform"
            and self._resolve(node.value, local) is sys
        )

    # -- the environment --------------------------------------------------------------------------

    def _variables_in(self, call: ast.Call, found: Any, local: Mapping[str, Any]) -> set[str]:
        """`os.environ.get(...)`, `os.getenv(...)`."""
        asks = found is os.getenv or (
            isinstance(call.func, ast.Attribute) and self._resolve(call.func.value, local) is os.environ
        )
        return self._named(call.args[0]) if asks and call.args else set()

    def _variables_looked_up(self, node: ast.Subscript | ast.Compare, local: Mapping[str, Any]) -> set[str]:
        """`os.environ[...]`, `... in os.environ`."""
        if isinstance(node, ast.Subscript):
            return self._named(node.slice) if self._resolve(node.value, local) is os.environ else set()
        asks = any(self._resolve(one, local) is os.environ for one in node.comparators)
        return self._named(node.left) if asks else set()

    def _named(self, node: ast.expr) -> set[str]:
        """Where the name is not in the source, any that stands elsewhere in the module."""
        if isinstance(node, ast.Constant):
            return {node.value} if isinstance(node.value, str) and node.value.isidentifier() else set()
        value = self._resolve(node, {})
        return {value} if isinstance(value, str) and value.isidentifier() else set(self._variables)

    def others(self, function: _Function) -> Iterator[Any]:
        """Functions and classes of other modules that it names."""
        local = dict(_imported(function))
        for node in _nodes(function):
            if isinstance(node, ast.Attribute | ast.Name):
                found = self._resolve(node, local)
                if isinstance(found, FunctionType | type) and found.__module__ != self._module.__name__:
                    yield found

    # -- names ------------------------------------------------------------------------------------

    def _resolve(self, node: ast.AST, local: Mapping[str, Any]) -> Any:
        """What a name, or one with dots, stands for; None where only a run could tell."""
        if isinstance(node, ast.Name):
            if node.id in local:
                return local[node.id]
            names = vars(self._module)
            return names[node.id] if node.id in names else _builtin(node.id)
        if isinstance(node, ast.Attribute):
            owner = self._resolve(node.value, local)
            if isinstance(owner, ModuleType | type):
                return vars(owner).get(node.attr)
        return None

    def _where(self, node: ast.AST, local: Mapping[str, Any]) -> str:
        """Where a call finds the function, as `module:name`: there it has to be replaced."""
        if isinstance(node, ast.Name):
            found = self._resolve(node, local)
            if node.id in local or node.id not in vars(self._module):
                key = _key_of(found)
                return key.replace(".", ":", 1) if key in ("builtins.open", "builtins.input") else ""
            return f"{self._module.__name__}:{node.id}"
        if isinstance(node, ast.Attribute):
            owner = self._resolve(node.value, local)
            if isinstance(owner, ModuleType):
                return f"{owner.__name__}:{node.attr}"
        return ""

    # -- handlers ---------------------------------------------------------------------------------

    def _raising(self, function: _Function, local: Mapping[str, Any]) -> Iterator[Setting]:
        """For each handler: a function of others that is called in its `try` raises what it waits for."""
        for node in _nodes(function):
            if not isinstance(node, ast.Try):
                continue
            calls = [
                (where, self._resolve(call.func, local))
                for statement in node.body
                for call in ast.walk(statement)
                if isinstance(call, ast.Call) and (where := self._where(call.func, local))
            ]
            for handler in node.handlers if calls else ():
                for kind in self._handled(handler, local):
                    error = error_node(kind)
                    for where, found in calls if error is not None else ():
                        if may_raise(found, kind, self._module.__name__):
                            assert error is not None
                            yield Setting("raise", where, error)

    def _handled(self, handler: ast.ExceptHandler, local: Mapping[str, Any]) -> Iterator[type[Exception]]:
        if handler.type is None:
            yield Exception
            return
        parts = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        for part in parts:
            found = self._resolve(part, local)
            if isinstance(found, type) and issubclass(found, Exception):
                yield found


def _imported(function: _Function) -> Iterator[tuple[str, Any]]:
    """By imports within the function, of modules that are loaded."""
    for node in _nodes(function):
        if isinstance(node, ast.Import):
            for one in node.names:
                name = one.name if one.asname else one.name.partition(".")[0]
                yield one.asname or name, sys.modules.get(name)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for one in node.names:
                yield one.asname or one.name, getattr(sys.modules.get(node.module), one.name, None)


def _streams(function: _Function) -> set[str]:
    """Names that are used as open files."""
    return {
        node.value.id
        for node in _nodes(function)
        if isinstance(node, ast.Attribute) and node.attr in _OF_STREAMS and isinstance(node.value, ast.Name)
    }


def _arguments(function: _Function) -> Iterable[ast.arg]:
    arguments = function.args
    return (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)


def _key_of(found: Any) -> str:
    module, name = getattr(found, "__module__", None), getattr(found, "__qualname__", None)
    return f"{module}.{name}" if isinstance(module, str) and isinstance(name, str) else ""


def _builtin(name: str) -> Any:
    import builtins

    return vars(builtins).get(name)


def _is_plain(name: Any) -> bool:
    """The name of a file in the working folder."""
    return isinstance(name, str) and 0 < len(name) < 60 and "/" not in name and name not in (".", "..")
