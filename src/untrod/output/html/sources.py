"""Source from the project, as a page shows it: above all the test that a finding became."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path

from untrod.core.reading import read_inside
from untrod.core.vocabulary import Finding, Json
from untrod.store import WrittenTest

MOST_LINES = 120
MOST_BYTES = 1_000_000
_PLACE = re.compile(r", ([^,()]+:\d+)\)$")  # `ValueError (parse, shop/prices.py:12)`


def test_of(finding: Finding, tests: tuple[WrittenTest, ...], project: Path) -> tuple[str, str]:
    """(path, source) of the finding's test; the source is empty when the file is gone."""
    for test in tests:
        if finding.id in test.findings:
            return test.path, _relevant(_read(test.path, project), finding)
    return "", ""


test_of.__test__ = False  # type: ignore[attr-defined]  # not a test, whatever pytest makes of the name


def lines_of(target: Json, project: Path) -> list[str]:
    """The lines of the module of a target (`TargetName` as JSON); none if it lies outside the project."""
    try:
        return _read(f"{target['root']}/{target['module'].replace('.', '/')}.py", project).splitlines()
    except (LookupError, TypeError, AttributeError):
        return []


def _read(name: str, project: Path) -> str:
    """A store may name any file: what is not source of the project is not shown."""
    if not name.endswith(".py"):
        return ""
    try:
        return read_inside(project, name, MOST_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def _relevant(source: str, finding: Finding) -> str:
    """The test functions that name the finding's title, as a known failure does, or the place where it
    happened, as a comment may; else all there are."""
    lines = source.splitlines()
    tests = [each for each in _functions(source) if each.name.startswith("test_")]
    texts = {each.name: "\n".join(lines[_first_line(each) - 1 : each.end_lineno]) for each in tests}
    named = [each for each in tests if _names(each, finding.title)]
    if not named and (place := _PLACE.search(finding.title)):
        named = [each for each in tests if re.search(re.escape(place[1]) + r"\b", texts[each.name])]
    parts = [texts[each.name] for each in named or tests] or [source.strip()]
    shown = "\n\n\n".join(parts).splitlines()
    left = len(shown) - MOST_LINES
    return "\n".join([*shown[:MOST_LINES], *([f"# ... {left} more lines"] if left > 0 else [])])


@lru_cache(maxsize=8)  # a file may hold the tests of a hundred findings
def _functions(source: str) -> tuple[ast.FunctionDef, ...]:
    try:
        return tuple(node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    except (SyntaxError, ValueError, RecursionError):
        return ()


def _names(function: ast.FunctionDef, title: str) -> bool:
    wanted = "".join(title.split())[:80]
    texts = [node.value for node in ast.walk(function) if isinstance(node, ast.Constant)]
    return any(isinstance(text, str) and wanted in "".join(text.split()) for text in texts)


def _first_line(function: ast.FunctionDef) -> int:
    return min([function.lineno, *(each.lineno for each in function.decorator_list)])
