"""From what a person types to the object it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.runtime.loading import TargetName, exception_name, load, load_exception, load_function


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pkg" / "deep").mkdir(parents=True)
    for place in ("pkg", "pkg/deep"):
        (tmp_path / place / "__init__.py").touch()
    (tmp_path / "pkg" / "deep" / "loaded_by_test.py").write_text("class Box:\n    def lid(self): ...\n")
    (tmp_path / "src" / "inner").mkdir(parents=True)
    (tmp_path / "scripts").mkdir()
    for name in ("scripts/tool.py", "scripts/my-tool.py", "json.py"):
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pkg/deep/loaded_by_test.py:Box.lid", TargetName("pkg.deep.loaded_by_test", "Box.lid", ".")),
        ("pkg.deep.loaded_by_test:Box", TargetName("pkg.deep.loaded_by_test", "Box", ".")),
        ("scripts/tool.py:run", TargetName("tool", "run", "scripts")),
        ("inner.part", TargetName("inner.part", "", "src")),
    ],
)
def test_files_and_modules_are_read_alike(folder: Path, text: str, name: TargetName) -> None:
    assert TargetName.parse(text, folder) == name


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("scripts/tol.py:run", "did you mean tool.py"),
        ("scripts/my-tool.py:run", "rename"),
        ("json.py:loads", "standard module"),
        ("pkg.deep:a b", "cannot read"),
        (":run", "cannot read"),
        ("not a module", "cannot read"),
    ],
)
def test_what_cannot_be_imported_is_one_line(folder: Path, text: str, complaint: str) -> None:
    with pytest.raises(UntrodError) as refused:
        TargetName.parse(text, folder)
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)


def test_loading_follows_dotted_names_and_suggests_near_ones(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(folder))
    name = TargetName.parse("pkg/deep/loaded_by_test.py:Box.lid", folder)
    assert load(name, folder).__qualname__ == "Box.lid"
    with pytest.raises(UntrodError, match="did you mean Box"):
        load(name.sibling("Bax"), folder)


def test_built_in_exceptions_are_known_by_their_bare_name() -> None:
    assert exception_name("ValueError") == TargetName("builtins", "ValueError", ".")
    assert exception_name("len") is None


def test_what_must_be_a_function_or_an_exception_is_checked(tmp_path: Path) -> None:
    assert load_function(TargetName("math", "gcd", "."), tmp_path)(6, 4) == 2
    assert load_exception(TargetName("builtins", "KeyError", "."), tmp_path) is KeyError
    with pytest.raises(UntrodError, match=r"math is a module \(name a function in it: math:FUNCTION\)"):
        load_function(TargetName("math", "", "."), tmp_path)
    with pytest.raises(UntrodError, match="math:pi is not a function but float"):
        load_function(TargetName("math", "pi", "."), tmp_path)
    with pytest.raises(UntrodError, match="math:gcd is not an exception"):
        load_exception(TargetName("math", "gcd", "."), tmp_path)
