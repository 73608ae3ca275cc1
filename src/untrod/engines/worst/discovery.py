"""What `worst` has to do in a project: functions that loop or recurse over an argument with a size."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from untrod.plugins import SourceFile, Task
from untrod.source.syntax import is_public, last_name

_SIZED = {"list", "List", "str", "bytes", "dict", "Dict", "Sequence", "Iterable", "Mapping"}
_LOOPS = (ast.For, ast.While, ast.comprehension)


def tasks_in(source: SourceFile) -> Iterator[Task]:
    if not source.is_module:
        return
    for node in source.tree.body:
        if isinstance(node, ast.FunctionDef) and is_public(node.name) and (reason := _worth_slowing(node)):
            lines = (node.lineno, node.end_lineno or node.lineno)
            yield Task("worst", f"{source.name}:{node.name}", reason, source.name, lines)


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
    called = {last_name(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
    return f"recursion, and {_listed(sized)} of any size" if function.name in called else ""


def _is_sized(annotation: ast.expr | None) -> bool:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return head is not None and last_name(head) in _SIZED


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
