"""What a minimised trace promises, and how small it gets."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from untrod.core.vocabulary import Trace
from untrod.output.minimise import minimise

Check = Callable[[Trace], bool]


def shortlex(trace: Trace) -> tuple[int, tuple[int, ...]]:
    return len(trace.answers), trace.answers  # type: ignore[return-value]


def replaying(generate: Callable[[Callable[[int], int]], object], fails: Callable[[object], bool]) -> Check:
    """A target as engines replay it: answers wrap into range, and 0 is taken when they run out."""

    def still_fails(trace: Trace) -> bool:
        answers = iter(trace.answers)

        def choose(options: int) -> int:
            answer = next(answers, 0)
            assert isinstance(answer, int)
            return answer % options

        return fails(generate(choose))

    return still_fails


Tree = tuple["Tree", int, "Tree"] | None


def tree(choose: Callable[[int], int], depth: int = 5) -> Tree:
    if depth == 0 or choose(2) == 0:
        return None
    key = choose(20)
    return tree(choose, depth - 1), key, tree(choose, depth - 1)


def is_search_tree(root: Tree, low: int = -1, high: int = 20) -> bool:
    if root is None:
        return True
    left, key, right = root
    return low < key < high and is_search_tree(left, low, key) and is_search_tree(right, key, high)


def numbers(choose: Callable[[int], int]) -> list[int]:
    """A count first, then that many draws: deleting an element means lowering the count with it."""
    return [choose(1000) for _ in range(choose(50))]


def test_a_tree_that_is_no_search_tree_becomes_the_smallest_one() -> None:
    fails = replaying(tree, lambda value: not is_search_tree(value))  # type: ignore[arg-type]
    start = Trace((1, 9, 1, 12, 1, 3, 0, 0, 1, 4, 1, 17, 0, 0, 0, 1, 8, 1, 2, 0, 0, 1, 5))
    found = minimise(start, fails, max_checks=5000)
    # A root 0 whose left child is 0: one less answer and there is no second node.
    assert found.trace == Trace((1, 0, 1))
    assert found.complete


def test_elements_shrink_towards_the_bound() -> None:
    fails = replaying(numbers, lambda value: sum(x >= 100 for x in value) >= 2)  # type: ignore[attr-defined]
    start = Trace((12, 5, 3, 700, 1, 1, 999, 8, 0, 4, 2, 6, 123))
    assert minimise(start, fails, max_checks=5000).trace == Trace((2, 100, 100))


def test_a_count_is_lowered_with_what_it_counts() -> None:
    def numbers_and_mark(choose: Callable[[int], int]) -> tuple[list[int], int]:
        return numbers(choose), choose(10)

    fails = replaying(numbers_and_mark, lambda value: len(value[0]) > 0 and value[1] == 7)  # type: ignore[index]
    assert minimise(Trace((4, 5, 5, 5, 5, 7)), fails, max_checks=5000).trace == Trace((1, 0, 7))


def test_answers_beyond_what_is_consumed_are_cut() -> None:
    found = minimise(Trace((3,) * 500), lambda trace: trace.answers[:1] == (3,), max_checks=100)
    assert found.trace == Trace((3,))


def test_an_always_failing_target_needs_no_answers() -> None:
    found = minimise(Trace((1, 2, 3)), lambda trace: True, max_checks=10)
    assert (found.trace, found.checks) == (Trace(()), 2)


def test_answers_that_are_no_numbers_are_deleted_or_kept_but_never_replaced() -> None:
    seen: list[Trace] = []

    def still_fails(trace: Trace) -> bool:
        seen.append(trace)
        return "buy" in trace.answers

    found = minimise(Trace(("login", 2.5, "buy", None, True, -3)), still_fails, max_checks=200)
    assert found.trace == Trace(("buy",))
    assert {a for t in seen for a in t.answers if isinstance(a, str)} == {"login", "buy"}


def test_what_does_not_fail_again_comes_back_untouched_and_says_so() -> None:
    found = minimise(Trace((1, 2)), lambda trace: False, max_checks=100)
    assert (found.trace, found.reproduced, found.complete, found.checks) == (Trace((1, 2)), False, False, 1)


@pytest.mark.parametrize("limit", [0, 1, 2, 5, 20])
def test_checks_are_limited(limit: int) -> None:
    made = []
    found = minimise(
        Trace((7,) * 40), lambda trace: bool(made.append(trace)) or sum(trace.answers) > 50, max_checks=limit
    )
    assert len(made) == found.checks == limit
    assert not found.complete
    assert found.reproduced == (limit > 0)


def test_a_stop_keeps_what_is_confirmed() -> None:
    confirmed: list[Trace] = []

    def still_fails(trace: Trace) -> bool:
        failed = 5 in trace.answers
        if failed:
            confirmed.append(trace)
        return failed

    found = minimise(Trace((5,) * 64), still_fails, max_checks=999, stop=lambda: len(confirmed) >= 3)
    assert found.trace == confirmed[-1]
    assert not found.complete


PREDICATES: dict[str, Callable[[tuple[int, ...]], bool]] = {
    "sum": lambda answers: sum(answers) >= 40,
    "ordered pair": lambda answers: any(a > b for a, b in pairwise(answers)),
    "parity": lambda answers: len(answers) % 3 == 1 and sum(answers) % 2 == 1,
    "hash-like": lambda answers: (sum((i + 1) * a for i, a in enumerate(answers)) * 2654435761) % 7 == 3,
    "jump": lambda answers: bool(answers) and answers[min(answers[0], len(answers) - 1)] > 6,
}


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(PREDICATES)),
    st.lists(st.integers(0, 30), max_size=25),
    st.sampled_from([3, 40, 20_000]),
)
def test_the_result_fails_is_not_larger_and_stays_what_it_is(
    name: str, answers: list[int], limit: int
) -> None:
    checked: dict[Trace, bool] = {}

    def still_fails(trace: Trace) -> bool:
        assert trace not in checked, "a candidate was checked twice"
        checked[trace] = PREDICATES[name](trace.answers)  # type: ignore[arg-type]
        return checked[trace]

    start = Trace(tuple(answers))
    found = minimise(start, still_fails, max_checks=limit)
    assert found.reproduced == checked[start]
    if not found.reproduced:
        return
    assert checked[found.trace]
    assert shortlex(found.trace) <= shortlex(start)
    if found.complete:
        checked.clear()
        again = minimise(found.trace, still_fails, max_checks=limit)
        assert again.trace == found.trace


def test_a_detour_of_two_steps_is_taken_out_of_a_short_trace():
    """Each alone cannot go: the second `open` needs the `close` before it."""

    def still_saves(trace: Trace) -> bool:
        is_open = False
        for step in trace.answers:
            if is_open is (step == "open"):
                return False  # no such button here
            is_open = step != "close"
        return {"title", "text"} <= set(trace.answers) and trace.answers[-1:] == ("save",)

    trace = Trace(("open", "close", "open", "title", "text", "save"))
    small = minimise(trace, still_saves, max_checks=200)
    assert small.trace.answers == ("open", "title", "text", "save")
