"""CrossHair behind the protocol: what arguments may be, and what inputs come of them."""

from __future__ import annotations

import enum
import math

import pytest
from walks import Account, concretely, explore, of_class, of_list, of_text

from untrod.core.errors import UntrodError
from untrod.source.literals import express
from untrod.symbolic.crosshair.executor import CrosshairExecutor


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


def of_dict(table: dict[str, int]) -> str:
    if "a" in table:
        return "large" if table["a"] > 10 else "small"
    return "no a"


def of_choice(colour: Colour, number: int | None, ratio: float) -> str:
    if number is None:
        return colour.name
    if number > 5:
        return "number"
    return "ratio" if ratio > 2.5 else "nothing"


RICH = {
    of_text: {"prefix", "two digits", "other"},
    of_dict: {"large", "small", "no a"},
    of_list: {"many", "exact", "few"},
    of_class: {"vip", "bob", "other", None},
    of_choice: {"RED", "GREEN", "number", "ratio", "nothing"},
}


@pytest.mark.parametrize("function", RICH, ids=lambda function: function.__name__)
def test_rich_types_are_explored_and_their_inputs_are_plain_values(function):
    results = [result for result in explore(function, paths=25) if result.status in ("done", "raised")]

    assert {result.value for result in results} == RICH[function]
    for result in results:
        assert result.inputs is not None
        assert express(result.inputs) is not None
        value, error = concretely(function, result.inputs)
        assert value == result.value
        assert error == ("" if result.error is None else repr(result.error))


def test_names_of_inputs_do_not_depend_on_the_arguments_before_them():
    def either(first: int | list[int], second: Account) -> int:
        return 1 if second.balance > 7 else 2

    keys = {result.branches[-1].condition.key for result in explore(either)}

    assert len(keys) == 1


def test_rest_arguments_defaults_and_keywords():
    def mixed(number: int, plain=7, *rest: int, option: int = 3) -> tuple[int, int, int]:
        return plain, len(rest), option

    inputs = {result.inputs[1:] for result in explore(mixed, paths=12) if result.status == "done"}

    assert {len(each) for each in inputs} > {1, 2}
    assert {each[0] for each in inputs} == {7}


def unannotated(number):
    return number


def keyword_only(*, number: int) -> int:
    return number


def unresolved(number: Nowhere) -> int:  # noqa: F821
    return 0


@pytest.mark.parametrize(
    ("function", "line"),
    [
        (unannotated, "the parameter number of unannotated has no annotation"),
        (keyword_only, "keyword_only needs the keyword number"),
        (unresolved, "the signature of unresolved cannot be read"),
    ],
)
def test_what_cannot_be_called_with_symbolic_arguments_is_said_in_one_line(function, line):
    with pytest.raises(UntrodError, match=line) as raised:
        CrosshairExecutor(function)
    assert raised.value.hint


@pytest.mark.parametrize("kind", [str, int])
def test_keys_of_a_dict_differ_so_that_dicts_of_several_sizes_come_about(kind):
    def counts(table):
        count = 0
        for _ in table:
            count += 1
        return count

    counts.__annotations__["table"] = dict[kind, int]
    results = explore(counts, paths=4)

    assert [result.value for result in results if result.status == "done"] == [0, 1, 2, 3]
    assert [len(result.inputs[0]) for result in results] == [0, 1, 2, 3]


def test_no_input_holds_an_object_twice_since_no_literal_could_say_so():
    def twins(accounts: list[Account]) -> bool:
        return len(accounts) == 2 and accounts[0] is accounts[1]

    results = explore(twins, paths=20)

    assert {len(result.inputs[0]) for result in results if result.inputs} == {0, 2}
    assert {result.value for result in results if result.status == "done"} == {False}


def test_not_a_number_is_an_input_as_well():
    def odd(ratio: float) -> bool:
        return ratio != ratio

    assert any(math.isnan(result.inputs[0]) and result.value for result in explore(odd, paths=10))
