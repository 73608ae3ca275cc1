"""Who has a first turn first: what promises most, not what comes first in the alphabet.

A file is worth the branches and the public functions in it, and less where the project's own tests take them
already. Files go before single functions in them, and the engines take turns: nobody waits for the whole of
another's list.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping

from untrod.plugins import Task
from untrod.source.syntax import Function, is_public

TAKEN = 0.25
"""What branches are worth that the project's own tests take."""
_BRANCHES = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.IfExp,
    ast.ExceptHandler,
    ast.comprehension,
    ast.match_case,
)


def promise(tree: ast.AST, lines: tuple[int, int] | None = None) -> float:
    """Of a file, or of some lines of it."""
    first, last = lines or (0, 1 << 60)
    nodes = [node for node in ast.walk(tree) if first <= getattr(node, "lineno", first) <= last]
    functions = sum(isinstance(node, Function) and is_public(node.name) for node in nodes)
    return float(functions + sum(isinstance(node, _BRANCHES) for node in nodes))


def by_promise(
    tasks: Iterable[Task], order: Mapping[str, int], left: Mapping[str, float] | None = None
) -> tuple[Task, ...]:
    """`order` is that of the engines' verbs; `left` is the share of its branches that the project's tests
    leave, by file: all of it where no test imports a file, None where that was not measured."""

    def worth(task: Task) -> float:
        share = 1.0 if left is None else left.get(task.file, 1.0)
        return task.promise * (TAKEN + (1 - TAKEN) * share)

    ranks: Counter[tuple[bool, str]] = Counter()
    placed: list[tuple[bool, int, int, Task]] = []
    for task in sorted(tasks, key=lambda task: (-worth(task), task.target)):
        part = task.lines is not None
        placed.append((part, ranks[part, task.verb], order.get(task.verb, 100), task))
        ranks[part, task.verb] += 1
    return tuple(task for *_, task in sorted(placed, key=lambda row: row[:3]))
