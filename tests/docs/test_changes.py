"""Change notes: those that lie in changes/ can be put together, and a release does it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
BEFORE = "# Changes\n\nWhat changed.\n\n## 0.1.0 (2026-01-01)\n\n- The first one.\n"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_changes", ROOT / "tools" / "make_changes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


TOOL = load()


@pytest.fixture
def house(tmp_path: Path) -> Path:
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes" / "README.md").write_text("# How\n")
    (tmp_path / "CHANGES.md").write_text(BEFORE)
    return tmp_path


def note(house: Path, name: str, text: str) -> Path:
    path = house / "changes" / name
    path.write_text(text)
    return path


def test_the_notes_of_this_repository_can_be_put_together() -> None:
    notes = TOOL.read_notes(ROOT / "changes")

    assert all(note.text in TOOL.put_together([note]).replace("\n  ", "\n") for note in notes)


def test_they_are_sorted_by_kind_then_by_number(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note(house, "3.fixed.md", "It no longer hangs.\n")
    note(house, "20-b.added.md", "A door.\nIt opens.\n")
    note(house, "4.added.md", "A window.")

    assert TOOL.main(["--draft"], house) == 0
    assert capsys.readouterr().out == (
        "### Added\n\n- A window.\n- A door.\n  It opens.\n\n### Fixed\n\n- It no longer hangs.\n"
    )
    assert (house / "CHANGES.md").read_text() == BEFORE


def test_a_release_writes_them_first_and_removes_the_files(house: Path) -> None:
    path = note(house, "7.removed.md", "The cellar: use the attic.")

    assert TOOL.main(["0.2.0", "--date", "2026-02-02"], house) == 0
    assert not path.exists()
    assert (house / "changes" / "README.md").exists()
    assert (house / "CHANGES.md").read_text() == BEFORE.replace(
        "## 0.1.0", "## 0.2.0 (2026-02-02)\n\n### Removed\n\n- The cellar: use the attic.\n\n## 0.1.0"
    )


def test_a_version_that_has_a_section_keeps_what_is_in_it(house: Path) -> None:
    (house / "CHANGES.md").write_text("# Changes\n\n## 0.1.0 (not released yet)\n\n- An early one.\n")
    note(house, "20.changed.md", "The door is blue.")

    assert TOOL.main(["0.1.0", "--date", "2026-02-02"], house) == 0
    assert (house / "CHANGES.md").read_text() == (
        "# Changes\n\n## 0.1.0 (2026-02-02)\n\n### Changed\n\n- The door is blue.\n\n"
        "### Before that\n\n- An early one.\n"
    )


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        (
            "20.better.md",
            "Text.",
            "20.better.md is no NUMBER.KIND.md (kinds: added, changed, fixed, removed)",
        ),
        ("door.added.md", "Text.", "door.added.md is no NUMBER.KIND.md"),
        ("20.added.txt", "Text.", "20.added.txt is no NUMBER.KIND.md"),
        ("20.added.md", " \n", "20.added.md is empty"),
        ("20.added.md", "- A bullet.", "begins with a bullet"),
    ],
)
def test_a_note_that_is_none_is_refused_in_one_line(
    house: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, line: str
) -> None:
    note(house, name, text)

    assert TOOL.main(["0.2.0"], house) == 2
    error = capsys.readouterr().err
    assert line in error
    assert error.count("\n") == 1
    assert (house / "CHANGES.md").read_text() == BEFORE


@pytest.mark.parametrize("arguments", [[], ["soon"], ["0.2.0"]])
def test_without_a_version_or_a_note_nothing_is_released(house: Path, arguments: list[str]) -> None:
    if arguments != ["0.2.0"]:
        note(house, "20.added.md", "A door.")

    assert TOOL.main(arguments, house) == 2
    assert (house / "CHANGES.md").read_text() == BEFORE
