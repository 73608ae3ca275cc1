"""What `inputs` has to do in a project: the files with Hypothesis tests."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from untrod.plugins import SourceFile, Task
from untrod.source.syntax import Function, last_name


def tasks_in(source: SourceFile) -> Iterator[Task]:
    if not source.is_test:
        return
    if count := sum(_is_given(node) for node in ast.walk(source.tree)):
        yield Task("inputs", source.name, f"{count} Hypothesis test{'s' * (count > 1)}", source.name)


def _is_given(node: ast.AST) -> bool:
    """A function under `@given(...)`, or a state machine."""
    if isinstance(node, Function):
        return any(last_name(decorator) == "given" for decorator in node.decorator_list)
    return isinstance(node, ast.ClassDef) and any(
        last_name(base) == "RuleBasedStateMachine" for base in node.bases
    )
