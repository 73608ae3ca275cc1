"""Why was it rejected? Told in the words of the test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from untrod.engines.inputs.backend import configure
from untrod.engines.inputs.backend.entry import register
from untrod.engines.inputs.backend.provider import UntrodProvider
from untrod.engines.inputs.backend.rejections import Reason, RejectionCounts, busiest_lines
from untrod.engines.inputs.backend.spans import Span

register()

SETTINGS = settings(
    backend="untrod",
    max_examples=200,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def reasons(test: Callable[[], None], learner: str = "auto", seed: int = 3) -> list[Reason]:
    started: list[UntrodProvider] = []
    with configure(started=started.append, learner=learner, seed=seed):
        test()
    return started[0].rejections(Path(__file__).parent)


def choices(test: Callable[[], None], **options: Any) -> list[str]:
    return [reason.choice for reason in reasons(test, **options)]


@dataclass
class Order:
    country: str
    total: int


@st.composite
def dependency(draw: st.DrawFn) -> tuple[str, str, list[int]]:
    scope = draw(st.sampled_from(["compile", "system", "test"]))
    kind = draw(st.sampled_from(["plain", "exclusion", "optional"]))
    versions = [draw(st.integers(3, 20)) for _ in range(2)]
    return scope, kind, versions


def test_an_argument_of_the_test() -> None:
    @SETTINGS
    @given(st.integers(0, 30), st.sampled_from(["test", "compile", "system"]))
    def test(number: int, scope: str) -> None:
        assume(scope != "system")

    (reason,) = reasons(test)
    assert reason.choice == "`scope='system'`"
    assert reason.valid == 0
    assert reason.tried >= 8
    assert reason.at.startswith("test_rejections.py:")
    assert reason.source == 'assume(scope != "system")'
    assert str(reason).startswith(f"`scope='system'`: 0 of {reason.tried} valid (test_rejections.py:")


def test_a_field_of_a_class_that_is_built() -> None:
    @SETTINGS
    @given(
        st.lists(st.builds(Order, country=st.sampled_from(["de", "us"]), total=st.integers(5, 9)), max_size=3)
    )
    def test(orders: list[Order]) -> None:
        assume(all(order.country != "us" for order in orders))

    assert choices(test) == ["`country='us'` in `Order`"]


def test_a_variable_of_a_composite_function() -> None:
    @SETTINGS
    @given(dependency())
    def test(value: tuple[str, str, list[int]]) -> None:
        assume(value[0] != "system")

    assert choices(test) == ["`scope='system'` in `dependency`"]


def test_integers_are_told_by_value_and_comprehensions_by_variable() -> None:
    @settings(SETTINGS, max_examples=400)
    @given(dependency())
    def test(value: tuple[str, str, list[int]]) -> None:
        assume(7 not in value[2])

    assert choices(test, learner="montecarlo") == ["`versions[i]=7` in `dependency`"]


def test_two_choices_that_do_not_go_together() -> None:
    @settings(SETTINGS, max_examples=400)
    @given(st.lists(dependency(), min_size=1, max_size=2))
    def test(values: list[tuple[str, str, list[int]]]) -> None:
        for scope, kind, _ in values:
            assume(not (scope == "system" and kind == "exclusion"))

    assert choices(test, learner="exonerate") == ["`kind='exclusion'` in `dependency`, with `scope='system'`"]


def test_elements_letters_keys_and_branches() -> None:
    @SETTINGS
    @given(xs=st.lists(st.booleans(), max_size=3))
    def elements(xs: list[bool]) -> None:
        assume(True not in xs)

    @SETTINGS
    @given(text=st.text("abc", max_size=4))
    def letters(text: str) -> None:
        assume("c" not in text)

    @SETTINGS
    @given(entry=st.fixed_dictionaries({"id": st.integers(0, 3), "name": st.just("x")}))
    def keys(entry: dict[str, Any]) -> None:
        assume(entry["id"] != 2)

    @SETTINGS
    @given(value=st.none() | st.integers(0, 3))
    def branches(value: int | None) -> None:
        assume(value is not None)

    assert choices(elements) == ["`xs[i]=True`"]
    assert choices(letters) == ["`text[i]='c'`"]
    assert choices(keys) == ["`'id'=2`"]
    assert choices(branches) == ["`value[...]=none()`"]


def test_letters_in_a_row() -> None:
    @settings(SETTINGS, max_examples=300)
    @given(note=st.text("ab", max_size=4))
    def test(note: str) -> None:
        assume("aa" not in note)

    assert "`note[i]='a'`, right after `note[i]='a'`" in choices(test, learner="montecarlo")


def test_where_no_choice_is_to_blame_the_line_is_named() -> None:
    @SETTINGS
    @given(st.integers(0, 60), st.integers(0, 60))
    def test(one: int, other: int) -> None:
        assume(hash((one, other)) % 5 == 0)

    lines = [str(reason) for reason in reasons(test, learner="exonerate")]
    assert len(lines) == 1
    assert lines[0].startswith("`assume(hash((one, other)) % 5 == 0)` (test_rejections.py:")
    assert " rejects " in lines[0]


def test_where_most_inputs_are_valid_nothing_is_said() -> None:
    @SETTINGS
    @given(st.integers(0, 60), st.integers(0, 60))
    def test(one: int, other: int) -> None:
        assume(hash((one, other)) % 5 != 0)

    assert reasons(test, learner="exonerate") == []


def test_where_nothing_is_valid_what_one_line_always_stops_is_named() -> None:
    @SETTINGS
    @given(st.sampled_from(["compile", "system"]), st.integers(0, 9))
    def test(scope: str, number: int) -> None:
        assume(scope == "compile")
        assume(number > 20)

    started: list[UntrodProvider] = []
    with configure(started=started.append, seed=1), pytest.raises(Unsatisfiable):
        test()
    assert [reason.choice for reason in started[0].rejections()] == ["`scope='system'`"]
    busiest = [reason.source for reason in busiest_lines(started[0].rejection_counts, Path.cwd())]
    assert set(busiest) == {'assume(scope == "compile")', "assume(number > 20)"}


def test_the_memory_of_a_tally_is_bounded() -> None:
    rejection_counts = RejectionCounts()
    span = Span("Integers", 0, Span("", 0))
    for number in range(20_000):
        rejection_counts.add([(("int", "Integers", 0, ""), number, span)], False, "x.py:1")
    assert len(rejection_counts.singles) == 10_000
    assert rejection_counts.all.tried == 20_000


def test_a_test_that_rejects_everything_is_told_in_one_line(project: Any) -> None:
    project.write(
        "test_never.py",
        "from hypothesis import assume, given, strategies as st\n\n"
        "@given(scope=st.sampled_from(['compile', 'system']), n=st.integers(0, 9))\n"
        "def test_never(scope, n):\n"
        "    assume(scope == 'compile')\n"
        "    assume(n > 20)\n",
    )
    result = project.untrod("inputs", "test_never.py", "--budget", 1000, "--json")
    (notice,) = [event["text"] for event in result.of("notice") if "no input is valid" in event["text"]]
    assert "`scope='system'`: 0 of" in notice
    assert "`assume(n > 20)` (test_never.py:6) rejects" in notice
    (told,) = result.of("campaign-finished")[0]["extra"]["rejections"]["test_never.py::test_never"]
    assert (told["choice"], told["valid"], told["at"]) == ("`scope='system'`", 0, "test_never.py:5")
