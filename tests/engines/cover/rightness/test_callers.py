"""How a project calls its own functions."""

from __future__ import annotations

from untrod.engines.cover.rightness.callers import Callers

CODE = '''
from operator import add

def fold(binop, items, default=None):
    """
    >>> fold(add, [1, 2])
    3
    """

def total(items):
    return fold(add, items, 0)

def careful(items):
    try:
        return fold(lambda a, b: a, [1])
    except KeyError:
        return None
'''
TESTS = """
import pytest
from shop import fold

def test_fold():
    assert fold(max, (1, 2), default=3)
    with pytest.raises(ValueError):
        fold("nonsense", 3)
"""


def callers(tmp_path) -> Callers:
    (tmp_path / "shop.py").write_text(CODE)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_shop.py").write_text(TESTS)
    (tmp_path / "tests" / "test_untrod.py").write_text("# Found by untrod (cover) in shop.\nfold(0.5, 0.5)\n")
    (tmp_path / "broken.py").write_text("def fold(:")
    return Callers(tmp_path, [str(tmp_path / "shop.py")])


def test_kinds_of_arguments_come_from_code_tests_and_examples(tmp_path) -> None:
    calls = callers(tmp_path).of("fold")
    assert calls.kinds[0] == {"callable"}
    assert calls.kinds[1] == {"list", "tuple", "other"}
    assert calls.kinds["default"] == {"int"}


def test_a_kind_that_nobody_passes_contradicts_and_what_is_unknown_does_not(tmp_path) -> None:
    calls = callers(tmp_path).of("fold")
    assert calls.contradicts(0, 0.5)
    assert not calls.contradicts(0, len)
    assert not calls.contradicts(1, {}), "somebody passes a variable"
    assert not calls.contradicts(7, 0), "nobody passes anything"
    assert calls.confirms("default", 1.5), "a number is a number"


def test_exceptions_that_callers_handle_and_tests_expect(tmp_path) -> None:
    calls = callers(tmp_path).of("fold")
    assert calls.handles(KeyError("x")) == "KeyError"
    assert calls.handles(UnicodeDecodeError("ascii", b"", 0, 1, "x")) == "ValueError"
    assert calls.handles(TypeError("x")) == ""
