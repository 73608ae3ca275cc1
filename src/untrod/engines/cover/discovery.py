"""What `cover` has to do in a project: every module with something public in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from untrod.plugins import SourceFile, Task
from untrod.source.syntax import Function, is_public


def tasks_in(source: SourceFile) -> Iterator[Task]:
    if not source.is_module:
        return
    functions = [node for node in source.tree.body if isinstance(node, Function) and is_public(node.name)]
    classes = [node for node in source.tree.body if isinstance(node, ast.ClassDef) and is_public(node.name)]
    if functions or classes:
        kinds = [_several(functions, "function"), _several(classes, "class")]
        yield Task("cover", source.name, " and ".join(filter(None, kinds)), source.name)


def _several(things: Sequence[ast.AST], word: str) -> str:
    plural = f"{word}es" if word.endswith("s") else f"{word}s"
    return f"{len(things)} {word if len(things) == 1 else plural}" if things else ""
