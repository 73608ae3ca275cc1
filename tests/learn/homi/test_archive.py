"""All tests so far, and the good ones."""

from __future__ import annotations

import json

import pytest

from untrod.learn.homi import Archive


def filled(capacity: int, *tests: str) -> Archive:
    """Each letter of a test is a branch; its features are its name."""
    archive = Archive(capacity)
    for number, branches in enumerate(tests):
        archive.add(set(branches), [branches], number, 10.0)
    archive.settle()
    return archive


def good(archive: Archive) -> list[str]:
    return [entry.features[0] for entry in archive.good]


def test_the_good_tests_cover_everything_and_are_few() -> None:
    archive = filled(100, "ab", "abcd", "ef", "f", "a")
    assert good(archive) == ["abcd", "ef"]
    assert archive.covered == 6


def test_later_rounds_may_replace_a_good_test() -> None:
    archive = filled(100, "ab", "cd")
    archive.add("abcd", ["all"], None, 10.0)
    archive.settle()
    assert good(archive) == ["all"]


def test_of_equal_tests_the_first_is_kept() -> None:
    archive = filled(100, "ab", "ba")
    assert good(archive) == ["ab"]
    assert archive.vectors == {0}


def test_a_test_that_covers_nothing_is_not_kept() -> None:
    assert len(filled(100, "")) == 0


def test_beyond_its_capacity_it_keeps_the_good_ones_and_then_the_largest() -> None:
    archive = filled(3, "a", "ab", "abc", "bc", "abcd", "z")
    assert len(archive) == 3
    assert good(archive) == ["abcd", "z"]
    assert archive.vectors == {2, 4, 5}
    assert archive.covered == 5


def test_good_tests_are_never_forgotten() -> None:
    assert good(filled(1, "a", "b", "c")) == ["a", "b", "c"]


def test_it_goes_through_json() -> None:
    archive, other = filled(3, "a", "ab", "abc", "bc", "abcd", "z"), Archive(3)
    text = json.dumps(archive.state())
    other.load(json.loads(text))
    assert json.dumps(other.state()) == text
    assert other.good == archive.good
    assert other.covered == archive.covered


@pytest.mark.parametrize("test", [["ff", [0], None, 1.0], ["1", [3], None, 1.0], ["1", [-1], None, 1.0]])
def test_what_has_no_name_is_refused(test: list[object]) -> None:
    with pytest.raises(ValueError, match="no name"):
        Archive(3).load({"branches": ["a"], "features": ["f"], "tests": [test]})
