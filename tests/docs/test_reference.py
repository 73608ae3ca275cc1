"""docs/reference says what the code says."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_reference", ROOT / "tools" / "make_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAGES = maker().pages()


@pytest.mark.parametrize("name", PAGES)
def test_the_reference_is_as_the_code_is(name: str) -> None:
    written = (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")

    assert written == PAGES[name], "it is old: run python tools/make_reference.py"


def test_no_other_page_lies_there() -> None:
    assert {path.name for path in (ROOT / "docs" / "reference").iterdir()} == set(PAGES)


def test_every_verb_is_there() -> None:
    for verb in ("hunt", "inputs", "worst", "cover", "gui", "explore maze", "campaigns resume", "dashboard"):
        assert f"\n## untrod {verb}\n" in PAGES["commands.md"]
