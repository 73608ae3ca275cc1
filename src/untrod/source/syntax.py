"""Small questions to the syntax tree of somebody's source."""

from __future__ import annotations

import ast

Function = ast.FunctionDef | ast.AsyncFunctionDef


def last_name(node: ast.expr) -> str:
    """`b` of `a.b(...)`, `a.b` and `b`."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_public(name: str) -> bool:
    return not name.startswith("_")
