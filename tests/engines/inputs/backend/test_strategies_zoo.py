"""Every way to write a Hypothesis test, under the backend: it runs, and a planted bug is found and shrunk.

Each test of the zoo rejects some of its inputs, so that the learner has something to learn, and ends in an
assertion that shows the smallest input Hypothesis could find. `auto` begins asleep, `exonerate` guides from
the first draw: both must serve every kind of strategy.
"""

from __future__ import annotations

import asyncio
import unittest
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, event, example, given, settings, target
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

from untrod.engines.inputs.backend import configure
from untrod.engines.inputs.backend.entry import register
from untrod.engines.inputs.backend.provider import UntrodProvider

register()

SETTINGS = settings(
    backend="untrod",
    max_examples=300,
    database=None,
    deadline=None,
    phases=set(Phase) - {Phase.explain},  # slow, and the same under every backend
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


def failure_of(test: Callable[[], None], learner: str, kind: type[BaseException] = AssertionError) -> str:
    """What `test` fails with, and the notes Hypothesis adds: the falsifying example."""
    started: list[UntrodProvider] = []
    with configure(learner=learner, seed=7, started=started.append), pytest.raises(kind) as failure:
        test()
    assert started, "the backend was never asked"
    return "\n".join([str(failure.value), *getattr(failure.value, "__notes__", [])])


@pytest.fixture(params=["auto", "exonerate"])
def learner(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@dataclass(frozen=True)
class Address:
    street: str
    number: int


@dataclass(frozen=True)
class Person:
    name: str
    age: int
    home: Address | None
    nicknames: list[str]


def test_composite(learner: str) -> None:
    @st.composite
    def ordered(draw: st.DrawFn) -> tuple[int, int]:
        low = draw(st.integers(0, 50))
        return low, draw(st.integers(low, 100))

    @SETTINGS
    @given(ordered())
    def test(pair: tuple[int, int]) -> None:
        assume(pair[0] % 3 == 0)
        assert pair[1] - pair[0] < 40

    assert "pair=(0, 40)" in failure_of(test, learner)


def test_interactive_data(learner: str) -> None:
    @SETTINGS
    @given(st.data())
    def test(data: st.DataObject) -> None:
        size = data.draw(st.integers(1, 8), label="size")
        values = data.draw(st.lists(st.integers(0, 30), min_size=size, max_size=size), label="values")
        assume(values == sorted(values))
        assert sum(values) < 50

    message = failure_of(test, learner)
    assert "Draw 1 (size): 2" in message
    assert "Draw 2 (values): [20, 30]" in message


def test_explicit_examples_come_first(learner: str) -> None:
    seen: list[int] = []

    @SETTINGS
    @given(st.integers(0, 10_000))
    @example(4242)
    @example(17).via("a colleague")
    def test(number: int) -> None:
        seen.append(number)
        assume(number % 2 == 0 or number == 17)
        assert number < 9000

    assert "number=9000" in failure_of(test, learner)
    assert set(seen[:2]) == {17, 4242}


def test_an_explicit_example_that_fails(learner: str) -> None:
    @SETTINGS
    @given(st.integers(0, 10))
    @example(99)
    def test(number: int) -> None:
        assert number != 99

    with configure(learner=learner, seed=7), pytest.raises(AssertionError) as failure:
        test()
    assert "number=99" in "\n".join(failure.value.__notes__)


def test_recursive(learner: str) -> None:
    trees = st.recursive(st.integers(0, 9), lambda inner: st.lists(inner, max_size=3), max_leaves=12)

    def depth(tree: Any) -> int:
        return 1 + max(map(depth, tree), default=0) if isinstance(tree, list) else 0

    @SETTINGS
    @given(trees)
    def test(tree: Any) -> None:
        assume(isinstance(tree, list) and tree)
        assert depth(tree) < 3

    assert "tree=[[[]]]" in failure_of(test, learner)


def test_recursive_by_deferral(learner: str) -> None:
    expressions: st.SearchStrategy[Any] = st.deferred(
        lambda: st.sampled_from("xyz") | st.tuples(st.sampled_from("+-"), expressions, expressions)
    )

    @SETTINGS
    @given(expressions)
    def test(expression: Any) -> None:
        assume(expression != "x")
        assert expression[0] != "-" or expression[1] == expression[2]

    assert "expression=('-', 'x', 'y')" in failure_of(test, learner)


@pytest.mark.parametrize("full", [True, False])
def test_regular_expressions(learner: str, full: bool) -> None:
    @SETTINGS
    @given(st.from_regex(r"(?P<year>[12][0-9]{3})-(0[1-9]|1[0-2])(T[0-9]{2})?", fullmatch=full))
    def test(stamp: str) -> None:
        assume("T" in stamp)
        assert "-12T" not in stamp

    assert "stamp='1000-12T00'" in failure_of(test, learner)


def test_types(learner: str) -> None:
    @SETTINGS
    @given(st.from_type(Person))
    def test(person: Person) -> None:
        assume(person.home is not None and person.age >= 0)
        assert not person.nicknames

    expected = "Person(name='', age=0, home=Address(street='', number=0), nicknames=[''])"
    assert expected in failure_of(test, learner)


def test_builds_with_inference(learner: str) -> None:
    @SETTINGS
    @given(st.builds(Person, age=st.integers(0, 120), home=st.none()), st.text("ab", min_size=1))
    def test(person: Person, prefix: str) -> None:
        assume(not person.name.startswith(prefix))
        assert person.age < 100

    assert "age=100, home=None, nicknames=[]" in failure_of(test, learner)


def test_functions(learner: str) -> None:
    def score(text: str) -> int: ...  # type: ignore[empty-body]

    @SETTINGS
    @given(st.functions(like=score, returns=st.integers(0, 100), pure=True))
    def test(function: Callable[[str], int]) -> None:
        assume(function("a") % 2 == 0)
        assert function("a") <= function("b") + 20

    message = failure_of(test, learner)
    assert "score(text='a') -> 22" in message
    assert "score(text='b') -> 0" in message


def test_targets_and_events(learner: str) -> None:
    @SETTINGS
    @given(st.lists(st.integers(0, 100), max_size=6))
    def test(values: list[int]) -> None:
        assume(len(values) != 1)
        event("length", len(values))
        target(float(sum(values)), label="sum")
        assert sum(values) < 250

    assert "values=[50, 100, 100]" in failure_of(test, learner)


def test_nested_flatmaps(learner: str) -> None:
    matrices = st.integers(1, 4).flatmap(
        lambda rows: st.integers(1, 4).flatmap(
            lambda columns: st.lists(
                st.lists(st.integers(0, 9), min_size=columns, max_size=columns), min_size=rows, max_size=rows
            )
        )
    )

    @SETTINGS
    @given(matrices)
    def test(matrix: list[list[int]]) -> None:
        assume(len(matrix) != 3)
        assert sum(map(sum, matrix)) < 9

    assert "matrix=[[9]]" in failure_of(test, learner)


@pytest.mark.parametrize("true_random", [False, True])
def test_random_generators(learner: str, true_random: bool) -> None:
    @SETTINGS
    @given(st.randoms(use_true_random=true_random), st.integers(1, 6))
    def test(random: Random, sides: int) -> None:
        assume(sides != 3)
        assert random.randint(1, sides) < 5

    assert "sides=5" in failure_of(test, learner)


def test_unique_collections_and_filters(learner: str) -> None:
    keys = st.text("abc", min_size=1, max_size=2).filter(lambda key: key != "aa")

    @SETTINGS
    @given(
        st.dictionaries(keys, st.sets(st.integers(0, 20), max_size=3), max_size=4),
        st.lists(st.integers(0, 8), unique=True),
        st.permutations("wxyz"),
    )
    def test(table: dict[str, set[int]], picks: list[int], order: list[str]) -> None:
        assume(len(table) >= 1)
        assert order[0] == "w" or len(picks) < 2

    message = failure_of(test, learner)
    assert "picks=[0, 1]" in message
    assert "order=['x', 'w', 'y', 'z']" in message


def test_times_numbers_and_identifiers(learner: str) -> None:
    @settings(SETTINGS, max_examples=100)
    @given(
        st.datetimes(),
        st.decimals(0, 10, places=2),
        st.fractions(0, 1, max_denominator=10),
        st.complex_numbers(max_magnitude=5),
        st.uuids(),
        st.ip_addresses(v=4),
        st.slices(10),
        st.binary(max_size=4),
    )
    def test(when: Any, price: Any, part: Any, z: Any, key: Any, ip: Any, cut: Any, raw: Any) -> None:
        assume(price != 0)
        assert when.year < 2500 or part != 0

    assert "when=datetime.datetime(2500, 1, 1, 0, 0)" in failure_of(test, learner)


def test_shared_strategies(learner: str) -> None:
    size = st.shared(st.integers(1, 5), key="size")
    vectors = size.flatmap(lambda n: st.lists(st.integers(-9, 9), min_size=n, max_size=n))

    @SETTINGS
    @given(vectors, vectors)
    def test(one: list[int], other: list[int]) -> None:
        assert len(one) == len(other)
        assume(one != other)
        assert one[-1] < 5

    message = failure_of(test, learner)
    assert "one=[5]" in message
    assert "other=[0]" in message


def test_methods_of_unittest(learner: str) -> None:
    class Case(unittest.TestCase):
        def setUp(self) -> None:
            self.limit = 70

        @SETTINGS
        @given(number=st.integers(0, 100))
        def test_it(self, number: int) -> None:
            assume(number % 5 != 1)
            self.assertLess(number, self.limit)  # noqa: PT009 (what such tests are written with)

    result = unittest.TestResult()
    with configure(learner=learner, seed=7):
        Case("test_it").run(result)
    ((_, report),) = result.failures
    assert "number=70" in report


def test_coroutines_through_an_executor(learner: str) -> None:
    class Case:
        def execute_example(self, function: Callable[[], Any]) -> Any:
            return asyncio.run(function())

        @settings(SETTINGS, max_examples=50)
        @given(number=st.integers(0, 100))
        async def test_it(self, number: int) -> None:
            await asyncio.sleep(0)
            assume(number % 5 != 1)
            assert number < 70

    assert "number=70" in failure_of(Case().test_it, learner)


class Shelf(RuleBasedStateMachine):
    """A stack of boxes that loses count when two like boxes lie on each other."""

    boxes = Bundle("boxes")

    @initialize(room=st.integers(2, 5))
    def build(self, room: int) -> None:
        self.room, self.stack, self.count = room, [], 0

    @rule(target=boxes, weight=st.integers(0, 20))
    def make(self, weight: int) -> int:
        assume(weight % 4 != 1)
        return weight

    @rule(box=boxes)
    def put(self, box: int) -> None:
        assume(len(self.stack) < self.room)
        self.count += bool(not self.stack or self.stack[-1] != box)
        self.stack.append(box)

    @rule(box=consumes(boxes))
    def scrap(self, box: int) -> None:
        assert box >= 0

    @invariant()
    def counted(self) -> None:
        assert self.count == len(getattr(self, "stack", ())), "lost count"


def test_state_machines(learner: str) -> None:
    class Case(Shelf.TestCase):  # type: ignore[misc, name-defined]
        settings = settings(SETTINGS, max_examples=100, stateful_step_count=12)

    message = failure_of(Case("runTest").runTest, learner)
    assert "lost count" in message
    assert message.count("state.make(") == 1
    assert message.count("state.put(") == 2
    assert "state.scrap(" not in message
