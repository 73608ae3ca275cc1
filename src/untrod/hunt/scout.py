"""Finds what a project has to test: by reading its source, for importing it may do anything.

Three kinds of lots. A module with public functions or classes is for `cover`; a public function with a loop
or recursion over an argument that has a size is for `worst`; a file with Hypothesis tests is for `inputs`.
Whatever cannot be worked with after all tells so when its turn comes, in one line.
"""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.reading import SOURCE, read_bytes
from untrod.core.text import PATH, one_line
from untrod.hunt.lot import Lot

_PASSED_OVER = {"node_modules", "build", "dist", "site-packages", "__pycache__", "docs", "doc"}
_NOT_MODULES = {"setup.py", "conftest.py", "__main__.py", "noxfile.py", "tasks.py"}
_SIZED = {"list", "List", "str", "bytes", "dict", "Dict", "Sequence", "Iterable", "Mapping"}
_LOOPS = (ast.For, ast.While, ast.comprehension)

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Scouting:
    lots: tuple[Lot, ...]
    notices: tuple[str, ...] = ()


def scout(place: Path, project: Path, tests: Path) -> Scouting:
    """The lots under `place`, a file or a folder of `project`; `tests` is where a hunt leaves its own."""
    if not os.path.exists(place):
        raise UntrodError(f"there is no {place}", "name a file or a folder of the project")
    lots: list[Lot] = []
    notices: list[str] = []

    def leave_out(path: str | Path, error: Exception) -> None:
        notices.append(f"{one_line(os.path.relpath(path, project), PATH)} is left out: {_reason(error)}")

    for path in _python_files(place.resolve(), (project / tests).resolve(), leave_out):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about escapes in somebody's strings
                tree = ast.parse(read_bytes(path, SOURCE))
            lots += _lots_of(os.path.relpath(path, project), tree)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
            leave_out(path, error)
    return Scouting(tuple(lots), tuple(notices))


def _reason(error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return one_line(f"{error.msg}, line {error.lineno}" if error.lineno else error.msg)
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return one_line(f"{type(error).__name__}: {error}")


def _python_files(place: Path, own: Path, leave_out: Callable[[str, OSError], None]) -> Iterator[Path]:
    if not place.is_dir():
        yield place
        return
    for folder, inner, files in os.walk(place, onerror=lambda error: leave_out(error.filename, error)):
        inner[:] = sorted(name for name in inner if _worth_entering(Path(folder) / name, own))
        yield from (Path(folder) / name for name in sorted(files) if name.endswith(".py"))


def _worth_entering(folder: Path, own: Path) -> bool:
    return not (
        folder.name.startswith(".")
        or folder.name in _PASSED_OVER
        or folder.name.endswith(".egg-info")
        or folder == own
        or os.path.exists(folder / "pyvenv.cfg")
    )


def _lots_of(name: str, tree: ast.Module) -> Iterator[Lot]:
    path = Path(name)
    if _is_test(path):
        if count := sum(_is_given(node) for node in ast.walk(tree)):
            yield Lot("inputs", name, f"{count} Hypothesis test{'s' * (count > 1)}", name)
        return
    if path.name in _NOT_MODULES:
        return
    functions = [node for node in tree.body if isinstance(node, Function) and _is_public(node.name)]
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and _is_public(node.name)]
    if functions or classes:
        kinds = [_several(functions, "function"), _several(classes, "class")]
        yield Lot("cover", name, " and ".join(filter(None, kinds)), name)
    for function in functions:
        if isinstance(function, ast.FunctionDef) and (reason := _worth_slowing(function)):
            lines = (function.lineno, function.end_lineno or function.lineno)
            yield Lot("worst", f"{name}:{function.name}", reason, name, lines)


def _is_test(path: Path) -> bool:
    return path.name.startswith("test_") or path.name.endswith("_test.py") or "tests" in path.parts[:-1]


def _is_given(node: ast.AST) -> bool:
    """A function under `@given(...)`, or a state machine."""
    if isinstance(node, Function):
        return any(_last_name(decorator) == "given" for decorator in node.decorator_list)
    return isinstance(node, ast.ClassDef) and any(
        _last_name(base) == "RuleBasedStateMachine" for base in node.bases
    )


def _worth_slowing(function: ast.FunctionDef) -> str:
    """Why its cost may depend on its input; empty when it can hardly."""
    arguments = [*function.args.posonlyargs, *function.args.args]
    needed = arguments[: len(arguments) - len(function.args.defaults)]
    needed += [
        argument
        for argument, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
        if default is None
    ]
    if any(argument.annotation is None for argument in needed):
        return ""
    sized = [argument.arg for argument in needed if _is_sized(argument.annotation)]
    if not sized:
        return ""
    if any(isinstance(node, _LOOPS) for node in ast.walk(function)):
        return f"a loop, and {_listed(sized)} of any size"
    called = {_last_name(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
    return f"recursion, and {_listed(sized)} of any size" if function.name in called else ""


def _is_sized(annotation: ast.expr | None) -> bool:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return head is not None and _last_name(head) in _SIZED


def _last_name(node: ast.expr) -> str:
    """`b` of `a.b(...)`, `a.b` and `b`."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def _several(things: list[Function] | list[ast.ClassDef], word: str) -> str:
    plural = f"{word}es" if word.endswith("s") else f"{word}s"
    return f"{len(things)} {word if len(things) == 1 else plural}" if things else ""


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
