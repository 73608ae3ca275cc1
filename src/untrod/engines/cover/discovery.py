"""What `cover` has to do in a project: every module with something public in it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping, Sequence

from untrod.plugins import SourceFile, Task
from untrod.source.syntax import Function, is_public, last_name

_NOT_MADE = {"Protocol", "TestCase", "IsolatedAsyncioTestCase", "SimpleTestCase"}
"""Protocols have no objects; a test case has the asserts of unittest, which are nobody's product."""
_ERRORS = ("Error", "Exception", "Warning", "BaseException")
_WITHOUT_CODE = {
    *vars(builtins),
    "ABC",
    "Generic",
    "TypedDict",
    "Enum",
    "IntEnum",
    "StrEnum",
    "Flag",
    "IntFlag",
}
_DEEPEST = 20


def tasks_in(source: SourceFile) -> Iterator[Task]:
    if not source.is_module:
        return
    functions = [node for node in source.tree.body if isinstance(node, Function) and is_public(node.name)]
    everything = {node.name: node for node in source.tree.body if isinstance(node, ast.ClassDef)}
    classes = [
        node for node in everything.values() if is_public(node.name) and _can_be_made(node, everything)
    ]
    if functions or classes:
        kinds = [_several(functions, "function"), _several(classes, "class")]
        yield Task("cover", source.name, " and ".join(filter(None, kinds)), source.name)


def _can_be_made(node: ast.ClassDef, known: Mapping[str, ast.ClassDef], depth: int = 0) -> bool:
    """As far as the source tells; `survey` in `targets` has the last word. A class without code of its own is
    what its bases are; an exception that takes what exceptions take has no signature."""
    bases = [last_name(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases]
    if _NOT_MADE & set(bases):
        return False
    own = [part for part in node.body if isinstance(part, Function)]
    if any(last_name(each) == "abstractmethod" for part in own for each in part.decorator_list):
        return False
    if "NamedTuple" in bases:
        return True
    is_error = any(base.endswith(_ERRORS) for base in bases)
    if any(part.name == "__init__" for part in own) or (own and not is_error):
        return True
    if "dataclass" in map(last_name, node.decorator_list) or depth > _DEEPEST:
        return False
    inherited = [
        known.get(base) for base in bases if base not in _WITHOUT_CODE and not base.endswith(_ERRORS)
    ]
    return any(base is None or _can_be_made(base, known, depth + 1) for base in inherited)


def _several(things: Sequence[ast.AST], word: str) -> str:
    plural = f"{word}es" if word.endswith("s") else f"{word}s"
    return f"{len(things)} {word if len(things) == 1 else plural}" if things else ""
