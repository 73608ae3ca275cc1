"""docs/papers.md says what is: the files, tests and commands it names exist, and defaults are the code's."""

from __future__ import annotations

import ast
import importlib
import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "papers.md"
TEXT = PAGE.read_text(encoding="utf-8")
SPAN = re.compile(r"`([^`\n]+)`")
SPANS = SPAN.findall(TEXT)
PAPERS = ("RLCheck", "PySE", "HOMI", "FARLEAD", "GMetaExp")
PARTS = dict(zip(PAPERS, re.split(r"^## \w+$", TEXT, flags=re.MULTILINE)[1:], strict=True))

MECHANISMS = "| mechanism | in the paper | code | test | what differs |"
SETTINGS = "| setting | in the paper | default | what differs |"
TABLES = "| table or figure | here | command | what differs |"


def rows(heading: str, text: str = TEXT) -> list[list[str]]:
    """The cells of all rows below each table row that is `heading`."""
    found, inside = [], False
    for line in text.splitlines():
        if line == heading:
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("|---"):
            found.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return found


@cache
def named(path: Path) -> frozenset[str]:
    """Functions and classes of a file."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return frozenset(each.name for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, kinds))


def value_of(name: str) -> Any:
    """Of `package.module:Class.field`, of `package.module:NAME` and of `package.module:NAME.field`."""
    module, _, way = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in way.split("."):
        fields = getattr(found, "__dataclass_fields__", {})
        found = fields[part].default if isinstance(found, type) and part in fields else getattr(found, part)
    return found


@pytest.mark.parametrize("paper", PAPERS)
def test_each_paper_has_all_four_tables(paper: str) -> None:
    for heading in (MECHANISMS, SETTINGS, TABLES):
        assert len(rows(heading, PARTS[paper])) >= 3, heading
    assert "| future work | here |" in PARTS[paper] or "future work" in PARTS[paper]


@pytest.mark.parametrize("paper", PAPERS)
def test_each_mechanism_has_code_and_a_test(paper: str) -> None:
    for mechanism, _, code, test, differs in rows(MECHANISMS, PARTS[paper]):
        assert SPAN.findall(code), mechanism
        assert all((ROOT / path).exists() for path in SPAN.findall(code)), code
        assert all(path.startswith("tests/") for path in SPAN.findall(test)), test
        assert SPAN.findall(test), mechanism
        assert differs, mechanism


@pytest.mark.parametrize(
    "text", sorted({span for span in SPANS if span.startswith(("tests/", "src/", "bench/"))})
)
def test_files_and_tests_exist(text: str) -> None:
    path, _, name = text.partition("::")
    assert (ROOT / path).exists()
    if name:
        assert name in named(ROOT / path)


@pytest.mark.parametrize(("name", "default"), [(row[0], row[2]) for row in rows(SETTINGS)])
def test_defaults_are_the_codes(name: str, default: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    if "gmetaexp" in name or "explore" in name:
        pytest.importorskip("torch")
    (setting,), (told,) = SPAN.findall(name), SPAN.findall(default)
    assert repr(value_of(setting)) == told


@pytest.mark.parametrize("command", sorted({span for span in SPANS if span.startswith("python -m bench ")}))
def test_benches_know_the_studies_and_subjects(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    pytest.importorskip("torch")
    from bench.__main__ import _parser

    options = _parser().parse_args(shlex.split(command)[3:])
    studies = importlib.import_module(f"bench.{options.engine}").STUDIES
    if options.study:
        studies = [each for each in studies if options.study.lower() in each.name.lower()]
        assert studies, options.study
    subjects = {subject for study in studies for subject in study.subjects}
    assert set((options.only or "").split(",")) - {""} <= subjects


def test_every_file_of_the_papers_algorithms_is_named() -> None:
    learn = ROOT / "src" / "untrod" / "learn"
    of_papers = [learn / "rlcheck.py", learn / "homi.py", learn / "pruning.py", learn / "farlead.py"]
    of_papers += [*(learn / "pyse").glob("*.py"), *(learn / "gmetaexp").rglob("*.py")]
    shared = {"__init__.py", "scenes.py", "states.py", "policy.py", "gradient_learner.py", "inference.py"}
    missing = [
        path for path in of_papers if path.name not in shared and str(path.relative_to(ROOT)) not in SPANS
    ]
    assert missing == []
