"""Proxies pass for the real thing, or say that they cannot."""

from __future__ import annotations

import copy
import numbers
import signal
from collections.abc import Callable
from typing import Any

import lean_subjects as subjects
import pytest

from untrod.core.errors import UntrodError
from untrod.symbolic.lean import folding, terms
from untrod.symbolic.lean.executor import LeanExecutor
from untrod.symbolic.protocol import PathResult
from untrod.symbolic.shapes import Arguments, Bool, Bytes, Char, Dict, Int, List, Text
from untrod.testing import subjects as known
from untrod.testing.executors import Always, ended, explore

NUMBER, WORD = Arguments((Int(),)), Arguments((Text(2),))


def one_path(function: Callable[..., Any], shape: Arguments, side: bool = True, **options: Any) -> PathResult:
    executor = LeanExecutor(function, shape, **options)
    return executor.advance(executor.initial(), Always(side), max_branches=100)


def test_isinstance_is_satisfied() -> None:
    def function(number: Any, flag: Any, text: Any) -> list[bool]:
        return [
            isinstance(number, int),
            isinstance(number, numbers.Integral),
            isinstance(flag, bool),
            isinstance(text, str),
            isinstance(number, str),
            isinstance(text, int),
        ]

    result = one_path(function, Arguments((Int(), Bool(), Text(1))))
    assert result.value == [True, True, True, True, False, False]
    assert result.branches == ()


def test_matching_by_class_and_by_value() -> None:
    def function(number: Any) -> str:
        match number:
            case 7:
                return "seven"
            case int() if number > 100:
                return "big"
            case _:
                return "rest"

    assert {result.value for result in ended(explore(LeanExecutor(function, NUMBER)))} == {
        "seven",
        "big",
        "rest",
    }


def test_copies_stay_symbolic() -> None:
    def function(items: list[int]) -> bool:
        return True if copy.deepcopy(items)[0] > copy.copy(items)[1] else False  # noqa: SIM210

    assert len(ended(explore(LeanExecutor(function, Arguments((List(Int(), 2),)))))) == 2


def test_dicts_and_characters_are_shapes_too() -> None:
    def function(table: dict[str, int], letter: str) -> str:
        return letter if table["a"] > table["b"] else "no"

    result = one_path(function, Arguments((Dict(("a", "b"), Int()), Char("q"))))
    assert result.value == "q"
    assert result.inputs is not None
    assert result.inputs[0]["a"] > result.inputs[0]["b"]


@pytest.mark.parametrize(
    ("function", "shape", "words"),
    [
        (subjects.divides, NUMBER, "division with /"),
        (subjects.replaces, WORD, "a replacement with groups"),
        (lambda text: text.title(), WORD, "str.title"),
        (lambda number: number.bit_length(), NUMBER, "int.bit_length"),
        (lambda number: number ** (number % 3 + 20), NUMBER, "to the power of"),
        (lambda number: number & (number + 1), NUMBER, "bitwise operation on two"),
        (lambda number: number * 1.5, NUMBER, "and a float"),
        (lambda text: text.isalpha(), Arguments((Char(low=200, high=300),)), "beyond ASCII"),
        (subjects.swallows, NUMBER, "division with /"),
    ],
)
def test_what_cannot_be_modelled_is_said(function: Callable[..., Any], shape: Arguments, words: str) -> None:
    result = one_path(function, shape)
    assert result.status == "unsupported"
    assert words in result.reason


def test_an_attribute_that_no_int_has_is_an_ordinary_error() -> None:
    assert isinstance(one_path(lambda number: number.colour, NUMBER).error, AttributeError)


def test_a_message_makes_its_value_concrete() -> None:
    result = one_path(subjects.complains, NUMBER)
    assert result.status == "raised"
    assert str(result.error) == f"{result.inputs[0]} is too big"  # type: ignore[index]
    assert [branch.kind for branch in result.branches] == ["user", "value"]


def test_an_error_carries_real_values() -> None:
    def function(number: int) -> None:
        raise LookupError(number, [number + 1])

    result = one_path(function, Arguments((Int(4, 4),)))
    assert result.error is not None
    assert result.error.args == (4, [5])
    assert result.error.__traceback__ is None


def test_a_policy_cannot_refuse_values_without_end() -> None:
    result = one_path(known.counts_to, Arguments((Int(0, None),)), side=False)
    assert result.status == "done"
    assert 10 < len(result.branches) < 30


def test_a_value_that_was_fixed_asks_no_more() -> None:
    def function(items: list[int]) -> str:
        table = {0: "a", 1: "b", 2: "c"}
        return table[items[0]] + table[items[0]] + ("x" if items[0] > 1 else "y")

    results = ended(explore(LeanExecutor(function, Arguments((List(Int(0, 2), 1),)))))
    assert sorted(result.value for result in results) == ["aay", "bby", "ccx"]


def test_instructions_are_counted_on_demand() -> None:
    executor = LeanExecutor(known.triangle, Arguments((Int(), Int(), Int())), count_instructions=True)
    assert "instructions" in executor.capabilities
    result = executor.advance(executor.initial(), Always(False), max_branches=100)
    counts = [state.instructions for state in result.pending]
    assert counts == sorted(counts)
    assert 0 < counts[0] < counts[-1] < 200


def test_solver_units_are_counted() -> None:
    executor = LeanExecutor(known.insertion_sort, Arguments((List(Int(), 5),)))
    result = executor.advance(executor.initial(), Always(True), max_branches=100)
    assert len(result.branches) == 10
    assert result.stats.solver_calls > 0
    assert result.stats.solver_units > 0
    costs = [state.query_cost for state in result.pending]
    assert costs == sorted(costs)
    assert costs[-1] <= result.stats.solver_units


def test_bytes_are_refused_in_words() -> None:
    with pytest.raises(UntrodError, match="symbolic bytes"):
        LeanExecutor(len, Arguments((Bytes(2),)))


def test_a_proxy_that_outlives_its_path_is_refused() -> None:
    kept: list[Any] = []
    one_path(kept.append, NUMBER)
    with pytest.raises(RuntimeError, match="after its path had ended"):
        bool(kept[0])


def test_forgetting_all_terms_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = Arguments((List(Int(), 4),))
    before = [result.status for result in explore(LeanExecutor(known.insertion_sort, shape))]
    monkeypatch.setattr("untrod.symbolic.lean.executor.MOST_TERMS", 10)
    after = explore(LeanExecutor(known.insertion_sort, shape))
    assert [result.status for result in after] == before
    assert len(ended(after)) == 24
    assert terms.table_size() < 200


def test_constants_are_the_same_after_forgetting() -> None:
    """A term made of folding's own zero is the one made of yours."""
    mine = folding.less(terms.variable(7, None, None), terms.constant(0))
    terms.forget()
    assert terms.constant(0) is folding.ZERO
    assert terms.constant(True) is terms.TRUE
    number = terms.variable(7, None, None)
    assert folding.less(number, terms.constant(0)) is folding.less(number, folding.ZERO)
    assert folding.less(number, terms.constant(0)) is not mine


def test_ctrl_c_comes_out_and_the_executor_goes_on() -> None:
    class Impatient(Always):
        def decide(self, *question: Any) -> bool:
            signal.raise_signal(signal.SIGINT)

    executor = LeanExecutor(known.insertion_sort, Arguments((List(Int(), 4),)))
    with pytest.raises(KeyboardInterrupt):
        executor.advance(executor.initial(), Impatient(), max_branches=100)
    assert len(ended(explore(executor))) == 24
