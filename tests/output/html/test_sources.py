"""A finding is shown with its own test, not with a whole file of them."""

from __future__ import annotations

from pathlib import Path

from html_campaigns import failure

from untrod.output.html.sources import MOST_LINES, test_of
from untrod.store import WrittenTest

FILE = """import pytest


def helper():
    return 1


@pytest.mark.xfail(reason="ValueError (f, a.py:3)")
def test_f_raises():
    assert helper()


def test_other():
    pass
"""


def shown(tmp_path: Path, source: str | bytes, title: str = "ValueError (f, a.py:3)") -> str:
    path = tmp_path / "test_f.py"
    path.write_bytes(source if isinstance(source, bytes) else source.encode())
    finding = failure(title)
    name, text = test_of(finding, (WrittenTest("test_f.py", "", ("fother", finding.id)),), tmp_path)
    assert name == "test_f.py"
    return text


def test_the_test_that_names_the_finding_is_shown_alone(tmp_path: Path) -> None:
    text = shown(tmp_path, FILE)

    assert text.startswith("@pytest.mark.xfail")
    assert text.endswith("assert helper()")


def test_a_test_that_names_the_place_where_it_happened_is_shown_alone(tmp_path: Path) -> None:
    """As those of `cover` do, in a comment."""
    source = FILE.replace("    pass", "    # Looks like a bug: ValueError in shop/a.py:30.\n    pass")

    text = shown(tmp_path, source, "ValueError: no (f, shop/a.py:30)")

    assert text.startswith("def test_other")
    assert "test_f_raises" in shown(tmp_path, source, "ValueError: no (f, shop/a.py:3)")


def test_if_none_names_it_all_tests_are_shown_without_helpers(tmp_path: Path) -> None:
    text = shown(tmp_path, FILE, "something else")

    assert "def test_f_raises" in text
    assert "def test_other" in text
    assert "def helper" not in text


def test_a_file_that_is_not_python_is_shown_as_it_is(tmp_path: Path) -> None:
    assert shown(tmp_path, "def broken(:") == "def broken(:"
    assert "\ufffd" in shown(tmp_path, b"\xff\xfe")


def test_a_long_test_is_cut(tmp_path: Path) -> None:
    text = shown(tmp_path, "def test_f():\n" + "    x = 1\n" * 500)

    assert len(text.splitlines()) == MOST_LINES + 1
    assert text.endswith("# ... 381 more lines")


def test_a_file_that_is_gone_leaves_its_name(tmp_path: Path) -> None:
    finding = failure()

    assert test_of(finding, (WrittenTest("gone.py", "", (finding.id,)),), tmp_path) == ("gone.py", "")
    assert test_of(finding, (), tmp_path) == ("", "")
