"""Types and values that docstrings tell."""

from __future__ import annotations

import typing
from collections.abc import Iterable

from untrod.engines.cover.docstrings import documented_types, documented_values
from untrod.engines.cover.parameters import parameters_of


def sphinx(count, name, flag, other):  # type: ignore[no-untyped-def]
    """Does something.

    :param int count: how often
    :param name: what it is called
    :type name: str or None
    :param flag: whether it is so
    :param list of int other: the others
    """


def google(count, names, where):  # type: ignore[no-untyped-def]
    """Does something.

    Args:
        count (int): how often (at least once).
        names (list[str], optional): what they are called
        where (Iterable): from which
        note: an argument without a type
    """


def numpy(count, ratio=None):  # type: ignore[no-untyped-def]
    """Does something.

    Parameters
    ----------
    count : int
        How often.
    ratio : float, optional
        How much.
    other : something nobody knows
    """


class Made:
    """Made of parts.

    :param str first: a part
    """

    def __init__(self, first, second):  # type: ignore[no-untyped-def]
        """:param int second: another"""


def test_the_three_styles_are_read() -> None:
    said = documented_types(sphinx)
    assert said == {"count": int, "name": str | None, "other": list[int]}
    assert documented_types(google) == {"count": int, "names": list[str], "where": Iterable}
    assert documented_types(numpy) == {"count": int, "ratio": float}


def test_a_class_and_its_constructor_are_read() -> None:
    assert documented_types(Made) == {"first": str, "second": int}


def test_a_documented_type_is_used_where_nothing_better_is_known() -> None:
    count, ratio = parameters_of(numpy)
    assert (count.hint, count.source, count.guessed) == (int, "docstring", False)
    assert ratio.hint == typing.Optional[float]  # noqa: UP045


def test_annotations_and_defaults_go_before_the_docstring() -> None:
    def function(first: str, second=1, third=None):  # type: ignore[no-untyped-def]
        """:param int first: a
        :param str second: b
        :param bytes third: c
        """

    hints = {p.name: (p.hint, p.source) for p in parameters_of(function)}
    assert hints["first"] == (str, "annotation")
    assert hints["second"] == (int, "default")
    assert hints["third"] == (bytes | None, "docstring")


def test_prose_is_no_type() -> None:
    def function(value, place):  # type: ignore[no-untyped-def]
        """Something (like this): with a colon.

        :param the value: that is prose
        value : what it is, in words
        """

    assert documented_types(function) == {}


def test_values_are_those_of_the_examples() -> None:
    text = """Text with "quotes".

    >>> parse("1.2-rc", strict=3)
    Version("1.2-rc0")
    >>> this is no Python
    """
    assert list(documented_values(text)) == ["1.2-rc", 3]
