"""Costs are counted: exact, repeatable, and the same whatever the machine is doing."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.worst.costs import Allocations, Calls, Counter, Steps, make_cost
from untrod.runtime.deadline import EpisodeTimeout, Interrupted


def insertion_sort(values):
    for i in range(1, len(values)):
        value, j = values[i], i
        while j > 0 and values[j - 1] > value:
            values[j] = values[j - 1]
            j -= 1
        values[j] = value
    return values


def falling(size):
    return list(range(size, 0, -1))


@pytest.mark.parametrize("name", ["steps", "calls", "branches"])
def test_the_same_run_costs_the_same(name):
    cost = make_cost(name)
    assert len({cost.measure(insertion_sort, (falling(12),)).cost for _ in range(5)}) == 1


@pytest.mark.parametrize("name", ["steps", "branches"])
def test_a_worse_input_costs_more(name):
    cost = make_cost(name)
    best, worst = (
        cost.measure(insertion_sort, (values,)).cost for values in (falling(12)[::-1], falling(12))
    )
    assert worst > best


def test_steps_are_bytecodes_and_nothing_else():
    """One more turn of an empty loop is the two or three bytecodes that make it, no more."""

    def loop(n):
        for _ in range(n):
            pass

    ten, eleven, twelve = (Steps().measure(loop, (n,)).cost for n in (10, 11, 12))
    assert 2 <= eleven - ten == twelve - eleven <= 3


def test_steps_are_what_counting_every_opcode_event_gives():
    def work(n):
        return sum(insertion_sort(falling(n))) + len([i * i for i in range(n)])

    opcodes = 0

    def trace(frame, event, value):
        nonlocal opcodes
        opcodes += event == "opcode"
        frame.f_trace_opcodes = True
        return trace

    sys.settrace(trace)
    work(9)
    sys.settrace(None)
    assert Steps().measure(work, (9,)).cost == opcodes


def test_steps_follow_into_what_is_called():
    def inner(n):
        return sum([i * i for i in range(n)])

    def outer(n):
        return inner(n)

    assert Steps().measure(outer, (50,)).cost > Steps().measure(inner, (50,)).cost


def test_a_generator_is_followed_through_every_resumption():
    def numbers(n):
        for i in range(n):
            yield i * i

    def consume(n):
        for _ in numbers(n):
            pass

    few, more = (Steps().measure(consume, (n,)).cost for n in (10, 20))
    assert more - few > 10 * 4


def test_calls_count_python_and_built_in_functions():
    def inner():
        return len("abc")

    def outer():
        inner()
        return inner()

    assert Calls().measure(outer, ()).cost == 5


def test_allocations_are_the_peak_not_what_remains():
    def frugal(n):
        return sum(len("x" * 1000) for _ in range(n))

    def hungry(n):
        return len(["x" * (1000 + i) for i in range(n)])

    cost = Allocations()
    assert cost.measure(hungry, (100,)).cost > 100_000
    assert cost.measure(frugal, (100,)).cost < 10_000
    again = [cost.measure(hungry, (100,)).cost for _ in range(3)]
    assert max(again) <= (1 + cost.tolerance) * min(again)


@pytest.mark.parametrize("name", ["steps", "calls", "allocations", "branches"])
def test_what_the_function_raises_comes_back_with_the_cost_so_far(name):
    def fails(values):
        if values[0] > values[1]:
            [str(i) for i in range(100)]
            raise ValueError("too deep")

    measured = make_cost(name).measure(fails, ([2, 1],))
    assert isinstance(measured.error, ValueError)
    assert measured.cost > 0


@pytest.mark.parametrize("name", ["steps", "calls", "allocations", "branches"])
def test_a_timeout_is_caught_and_an_interruption_is_not(name):
    def late():
        raise EpisodeTimeout

    def interrupted():
        raise Interrupted

    assert isinstance(make_cost(name).measure(late, ()).error, EpisodeTimeout)
    with pytest.raises(Interrupted):
        make_cost(name).measure(interrupted, ())
    assert sys.gettrace() is None or name != "steps"
    assert sys.getprofile() is None


def test_a_counter_that_is_a_variable_is_reset_before_the_run():
    module = SimpleNamespace(comparisons=0)

    def work(n):
        module.comparisons += n

    cost = Counter("shop:comparisons", 0, module)
    assert [cost.measure(work, (n,)).cost for n in (3, 5)] == [3, 5]


def test_a_counter_that_is_a_function_is_asked_after_the_run():
    seen = []
    cost = Counter("shop:pages", lambda: len(seen), None)
    assert cost.measure(seen.extend, ([1, 2],)).cost == 2
    assert cost.kind == "function"


def test_a_counter_that_takes_an_argument_is_given_the_result():
    cost = Counter("shop:length", lambda result: len(result), None)
    assert cost.measure(sorted, ([3, 1],)).cost == 2
    assert cost.kind == "of result"


@pytest.mark.parametrize("counter", ["three", None, True])
def test_a_counter_that_is_no_number_is_refused(counter):
    with pytest.raises(UntrodError, match="not a number"):
        Counter("shop:pages", counter, SimpleNamespace()).measure(len, ("",))


def test_a_counter_that_fails_is_named():
    def broken():
        raise KeyError("pages")

    with pytest.raises(UntrodError, match="counter shop:pages failed: KeyError"):
        Counter("shop:pages", broken, None).measure(len, ("",))


def test_an_unknown_cost_is_refused():
    with pytest.raises(UntrodError, match="no cost 'time'"):
        make_cost("time")
