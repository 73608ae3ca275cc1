"""What docstrings, asserts and classes say of how they want to be called."""

from __future__ import annotations

import pytest

from untrod.engines.cover.rightness.contracts import contract_of, documented_errors


@pytest.mark.parametrize(
    "text",
    [
        "Find it.\n\n:raises KeyError: where there is none",
        "Find it.\n\n:raise KeyError: where there is none",
        "Find it.\n\nRaises:\n    KeyError: where there is none.\n    OSError: else.",
        "Find it.\n\nRaises\n------\nKeyError\n    Where there is none.\n",
        "Find it. Raises a KeyError if there is none.",
        "Find it. A `KeyError` is raised where there is none.",
        "Find it.\n\n>>> find(1)\nTraceback (most recent call last):\n  ...\nKeyError: 1\n",
    ],
)
def test_documented_exceptions_are_read_in_all_styles(text: str) -> None:
    assert "KeyError" in documented_errors(text)


def test_prose_about_an_exception_that_is_handled_documents_none() -> None:
    assert documented_errors("Like a KeyError would be, it is logged.") == frozenset()


def scale(factor: float, mode: str, names: list) -> None:
    """Scale it.

    :param factor: must be positive
    :param mode: one of 'fast', 'slow'
    :param names: a non-empty list
    """


@pytest.mark.parametrize(
    ("name", "value", "forbidden"),
    [
        ("factor", 0, True),
        ("factor", 0.5, False),
        ("mode", "odd", True),
        ("mode", "fast", False),
        ("names", [], True),
        ("names", ["a"], False),
        ("other", 0, False),
    ],
)
def test_a_value_that_the_docstring_rules_out(name: str, value, forbidden: bool) -> None:
    assert bool(contract_of(scale).forbids(name, value)) is forbidden


def half(n):
    """Half of it."""
    assert n % 2 == 0, "even, please"
    if not isinstance(n, int):
        raise TypeError("a number")
    total = n
    assert total > 0
    return total // 2


def test_asserts_about_parameters_at_the_beginning_and_types_that_are_looked_at() -> None:
    contract = contract_of(half)
    first = half.__code__.co_firstlineno
    assert contract.head == {first + 2}
    assert contract.types == {"n": int}
    assert contract.on_purpose == {"TypeError"}


class Shape:
    def area(self):
        raise NotImplementedError


class JsonMixin:
    pass


class Token:
    """Do not instantiate it directly: use `parse`."""


class Plain:
    """Holds a number."""


@pytest.mark.parametrize(
    ("kind", "unmade"), [(Shape, True), (JsonMixin, True), (Token, True), (Plain, False)]
)
def test_classes_that_nobody_makes_as_they_are(kind: type, unmade: bool) -> None:
    assert bool(contract_of(kind).unmade) is unmade
