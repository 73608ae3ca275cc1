"""`branches`: conditions on values that come from the input, and on no others."""

from __future__ import annotations

import pytest

from untrod.engines.worst.taint import Branches


def branches(function, *arguments):
    measured = Branches().measure(function, arguments)
    assert measured.error is None
    return measured.cost


def insertion_sort(values):
    for i in range(1, len(values)):
        value, j = values[i], i
        while j > 0 and values[j - 1] > value:
            values[j] = values[j - 1]
            j -= 1
        values[j] = value
    return values


@pytest.mark.parametrize(("size", "expected"), [(2, 1), (10, 45), (30, 435)])
def test_insertion_sort_has_the_path_length_of_the_paper(size, expected):
    assert branches(insertion_sort, list(range(size, 0, -1))) == expected


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (lambda x: 1 if x > 3 else 0, (5,), 1),
        (lambda x: [1 for i in range(9) if i > 3], (5,), 0),  # nothing of the input
        (lambda x: 1 if x * 2 + 1 > 3 and -x < 0 else 0, (5,), 2),  # computed from it
        (lambda x: x > 3, (5,), 0),  # a comparison alone decides nothing
        (lambda x: not x, (5,), 1),
        (lambda flag: 1 if flag else 0, (True,), 1),
        (lambda text: [c for c in text if c == "a"], ("abca",), 4),
        (lambda text: [c for c in text if c.isdigit()], ("a1",), 2),
        (lambda text: text[1:3] == "bc" or text.startswith("x"), ("abca",), 1),
        (lambda a, b: a["k"] > b[0][1], ({"k": 3}, [(1, 2)]), 0),
        (lambda a, b: 1 if a["k"] > b[0][1] else 0, ({"k": 3}, [(1, 2)]), 1),
    ],
)
def test_a_branch_is_a_decision_on_the_input(function, arguments, expected):
    assert branches(function, *arguments) == expected


def test_tainted_values_behave_like_plain_ones():
    def probe(number, text, flag):
        assert isinstance(number, int)
        assert isinstance(text, str)
        assert [10, 20, 30][number] == 20
        assert {number: "x"}[1] == "x"
        assert f"{number} {text} {flag!r}" == "1 ab True"
        assert (number + 1, 7 - number, number * 3, 7 % (number + 1), 7 // (number + 1)) == (2, 6, 3, 1, 3)
        assert "".join(reversed(text)) == "ba"
        return list(range(number))

    assert Branches().measure(probe, (1, "ab", True)).error is None


def test_the_arguments_themselves_are_left_alone():
    values = [3, 2, 1]
    branches(insertion_sort, values)
    assert values == [3, 2, 1]
    assert {type(value) for value in values} == {int}
