"""Names, their nearest, and what other packages add."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from untrod.core.catalogue import Catalogue, nearest
from untrod.core.errors import UntrodError

FRUIT: dict[str, str | int] = {"apple": 1, "pear": "fruit_of_tests:pear"}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with three entry points."""
    (tmp_path / "fruit_of_tests.py").write_text("pear = 2\nplum = 3\n")
    info = tmp_path / "fruit-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fruit\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[tests.fruit]\nplum = fruit_of_tests:plum\napple = fruit_of_tests:plum\nrotten = nowhere:at_all\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("fruit_of_tests", None)


def test_what_is_there_is_found_and_imported_when_it_is_asked_for(installed: None) -> None:
    fruit: Catalogue[int] = Catalogue("fruit", FRUIT)
    assert fruit.find("apple") == 1
    assert "fruit_of_tests" not in sys.modules
    assert fruit.find("pear") == 2
    assert fruit.names == ("apple", "pear")
    assert "pear" in fruit
    assert "plum" not in fruit


def test_what_is_not_there_is_one_line_with_the_nearest() -> None:
    fruit: Catalogue[int] = Catalogue("fruit", FRUIT)
    with pytest.raises(UntrodError) as caught:
        fruit.find("appel")
    assert str(caught.value) == "there is no fruit 'appel' (did you mean apple?)"
    with pytest.raises(UntrodError) as caught:
        fruit.find("zzz")
    assert str(caught.value) == "there is no fruit 'zzz' (choose from apple, pear)"
    assert nearest("x", ()) == "choose from none"
    assert nearest("x", (), "check the path") == "check the path"
    assert nearest("aple", ("apple", "ample"), most=2) == "did you mean apple or ample?"


def test_other_packages_add_names_and_take_none_over(installed: None) -> None:
    fruit: Catalogue[int] = Catalogue("fruit", FRUIT, "tests.fruit")
    assert fruit.names == ("apple", "pear", "plum", "rotten")
    assert fruit.find("plum") == 3
    assert fruit.find("apple") == 1


def test_what_cannot_be_imported_names_the_package(installed: None) -> None:
    fruit: Catalogue[int] = Catalogue("fruit", FRUIT, "tests.fruit")
    with pytest.raises(UntrodError) as caught:
        fruit.find("rotten")
    assert "the fruit 'rotten' of fruit cannot be imported: ModuleNotFoundError" in str(caught.value)
    assert caught.value.hint == "mend or remove fruit"


def test_a_name_can_stand_for_something_else_for_a_while() -> None:
    fruit: Catalogue[int] = Catalogue("fruit", FRUIT)
    with fruit.override("apple", 7), fruit.override("quince", 8):
        assert (fruit.find("apple"), fruit.find("quince")) == (7, 8)
        assert fruit.names == ("apple", "pear", "quince")
    assert fruit.find("apple") == 1
    assert fruit.names == ("apple", "pear")
