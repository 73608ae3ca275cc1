"""Cold starts: what a test brings along is tried first, and learned from."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.database import (
    DirectoryBasedExampleDatabase,
    ExampleDatabase,
    InMemoryExampleDatabase,
    choices_to_bytes,
)
from hypothesis.errors import Unsatisfiable
from hypothesis.internal.reflection import function_digest

from untrod.engines.inputs.backend import configure
from untrod.engines.inputs.backend.bootstrap import invert
from untrod.engines.inputs.backend.entry import register
from untrod.engines.inputs.backend.provider import UntrodProvider
from untrod.engines.inputs.backend.running import saved_failures
from untrod.engines.inputs.corpus import entry_of

register()

SETTINGS = settings(
    backend="untrod",
    max_examples=15,
    database=None,
    deadline=None,
    derandomize=False,
    suppress_health_check=list(HealthCheck),
)


def run(test: Callable[[], None], **config: Any) -> UntrodProvider:
    started: list[UntrodProvider] = []
    with configure(started=started.append, **{"seed": 5, **config}):
        test()
    return started[0]


def is_rising(values: list[int]) -> bool:
    return all(low < high for low, high in pairwise(values))


SIX = st.lists(st.integers(0, 40), min_size=6, max_size=6)


def rising_test(seen: list[list[int]], database: ExampleDatabase | None = None) -> Any:
    @settings(SETTINGS, database=database)
    @given(xs=SIX)
    def test(xs: list[int]) -> None:
        seen.append(list(xs))
        assume(is_rising(xs))

    return test


@dataclass
class Order:
    country: str
    total: int


@pytest.mark.parametrize(
    ("strategy", "value"),
    [
        (st.integers(), 12345678901234567890),
        (st.booleans(), True),
        (st.floats(), 2.5),
        (st.text(), "häuser"),
        (st.text("ab"), "abba"),
        (st.binary(), b"\x00\xff"),
        (st.sampled_from("xyz"), "z"),
        (st.none() | st.integers(0, 9) | st.text(), "one of"),
        (st.tuples(st.just(1), st.integers(), st.booleans()), (1, 5, False)),
        (st.lists(st.lists(st.integers(), max_size=3)), [[1], [], [2, 3]]),
        (st.lists(st.integers(), unique=True, min_size=1), [3, 1]),
        (st.dictionaries(st.text(), st.integers()), {"a": 1, "b": 2}),
        (st.fixed_dictionaries({"a": st.integers()}, optional={"b": st.text()}), {"a": 1, "b": "x"}),
        (st.builds(Order, country=st.sampled_from(["de", "fr"]), total=st.integers()), Order("fr", 7)),
        (st.recursive(st.integers(0, 9), lambda inner: st.tuples(inner, inner), max_leaves=4), (1, (2, 3))),
        (st.integers().filter(lambda number: number % 7 == 3), 10),
    ],
    ids=repr,
)
def test_a_value_becomes_the_choices_that_draw_it(strategy: st.SearchStrategy[Any], value: Any) -> None:
    script = invert({"value": strategy}, {"value": value})
    assert script is not None
    drawn: list[Any] = []

    @settings(SETTINGS, phases=[Phase.generate], max_examples=3)
    @given(value=strategy)
    def test(value: Any) -> None:
        drawn.append(value)

    run(test, corpus=(script,))
    assert value in drawn[:2]  # the very first input is Hypothesis's own


def test_what_cannot_be_inverted_is_passed_over() -> None:
    @st.composite
    def pair(draw: st.DrawFn) -> int:
        return draw(st.integers()) + draw(st.integers())

    assert invert({"n": pair()}, {"n": 3}) is None
    assert invert({"n": st.integers(0, 9)}, {"n": 10}) is None
    assert invert({"n": st.integers().filter(lambda number: 1 // 0)}, {"n": 10}) is None
    assert invert({"n": st.integers()}, {"m": 1}) is None


def first_valid(seen: list[list[int]]) -> int:
    """How many inputs were rejected before a valid one, which is not the `@example` itself."""
    return [is_rising(xs) for xs in seen].index(True, 1)


@pytest.mark.parametrize("seed", [1, 3])
def test_an_example_teaches_the_learner_what_is_valid(seed: int) -> None:
    taught: list[list[int]] = []
    alone: list[list[int]] = []
    run(example(xs=[2, 3, 5, 7, 11, 13])(rising_test(taught)), seed=seed)
    with suppress(Unsatisfiable):
        run(example(xs=[2, 3, 5, 7, 11, 13])(rising_test(alone)), seed=seed, bootstrap=False)
    assert first_valid(taught) <= 4
    assert not any(is_rising(xs) for xs in alone[1:6])
    assert len({tuple(xs) for xs in taught if is_rising(xs)}) > 1  # and more than the lesson itself


def test_positional_examples_are_understood_too() -> None:
    seen: list[list[int]] = []

    @SETTINGS
    @given(SIX, st.booleans())
    @example([2, 3, 5, 7, 11, 13], True)
    def test(xs: list[int], flag: bool) -> None:
        seen.append(xs)
        assume(is_rising(xs))

    run(test)
    assert seen.count([2, 3, 5, 7, 11, 13]) >= 2  # as an example, and as a lesson


def test_what_the_test_brings_along_waits_until_something_is_rejected() -> None:
    seen: list[int] = []

    @SETTINGS
    @given(n=st.integers())
    @example(n=4711)
    def test(n: int) -> None:
        seen.append(n)

    provider = run(test)
    assert seen.count(4711) == 1
    assert provider.unique == 0  # nobody looked at what was drawn


def test_a_corpus_is_tried_even_when_nothing_is_rejected() -> None:
    seen: list[int] = []

    @settings(SETTINGS, phases=[Phase.generate])
    @given(n=st.integers(), m=st.integers())
    def test(n: int, m: int) -> None:
        seen.append(n)

    entries = tuple(entry_of(line, text) for line, text in [(3, '{"n": 4711, "m": 1}'), (5, "[1]"), (6, "8")])
    provider = run(test, entries=entries)
    assert 4711 in seen[:3]
    assert provider.used_lines == {3}
    assert provider.learner.awake is False


def test_saved_choices_are_played_even_where_hypothesis_forces_some() -> None:
    drawn: list[Any] = []

    @settings(SETTINGS, phases=[Phase.generate], max_examples=3)
    @given(st.lists(st.integers(0, 99), min_size=2, max_size=3), st.integers(0, 9))
    def test(xs: list[int], n: int) -> None:
        drawn.append((xs, n))

    # Two of the three "go on" are forced, and so is the end: a provider is not asked for them.
    run(test, corpus=((True, 11, True, 22, True, 33, False, 7),))
    assert ([11, 22, 33], 7) in drawn[:2]


def test_saved_failures_that_hold_no_more_are_learned_from() -> None:
    seen: list[list[int]] = []
    database = InMemoryExampleDatabase()
    test = rising_test(seen, database)
    key = function_digest(test.hypothesis.inner_test)
    database.save(key, choices_to_bytes((2, 3, 5, 7, 11, 13)))
    run(test)
    assert seen[0] == [2, 3, 5, 7, 11, 13]  # Hypothesis's own replay
    assert seen.count([2, 3, 5, 7, 11, 13]) >= 2  # and the lesson


@pytest.mark.parametrize("profile", ["default", "ci"])
def test_the_database_is_the_projects(profile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HYPOTHESIS_STORAGE_DIRECTORY", raising=False)
    usual = saved_failures(settings.get_profile(profile), tmp_path)
    assert usual._wrapped.path == tmp_path / ".hypothesis" / "examples"  # type: ignore[attr-defined]
    monkeypatch.setenv("HYPOTHESIS_STORAGE_DIRECTORY", "elsewhere")
    moved = saved_failures(settings.get_profile(profile), tmp_path)
    assert moved._wrapped.path == tmp_path / "elsewhere" / "examples"  # type: ignore[attr-defined]
    own = saved_failures(settings(database=DirectoryBasedExampleDatabase("own")), tmp_path)
    assert own._wrapped.path == tmp_path / "own"  # type: ignore[attr-defined]


FAILING = """
from hypothesis import example, given, strategies as st

@given(n=st.integers(0, 10**12))
def test_saved(n):
    assert n != 123456789012

@given(n=st.integers(0, 10**12).map(lambda n: n + 1))
@example(n=-5)
def test_example(n):
    assert n != -5
"""


@pytest.mark.parametrize("ci", ["", "true"])
def test_failures_that_hypothesis_has_saved_are_found_at_once(
    project: Any, monkeypatch: pytest.MonkeyPatch, ci: str
) -> None:
    monkeypatch.delenv("HYPOTHESIS_STORAGE_DIRECTORY", raising=False)
    monkeypatch.setenv("CI", ci) if ci else monkeypatch.delenv("CI", raising=False)
    path = project.write("test_kept.py", FAILING)
    spec = importlib.util.spec_from_file_location("kept_by_hypothesis", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    database = DirectoryBasedExampleDatabase(project.folder / ".hypothesis" / "examples")
    key = function_digest(module.test_saved.hypothesis.inner_test)
    database.save(key, choices_to_bytes((123456789012,)))
    result = project.untrod("inputs", "test_kept.py", "--budget", 20, "--json")
    found = {event["finding"]["detail"]["test"]: event["finding"] for event in result.of("finding")}
    assert found["test_kept.py::test_saved"]["detail"]["value"]["text"] == "{'n': 123456789012}"
    assert found["test_kept.py::test_example"]["detail"]["value"]["text"] == "{'n': -5}"
    (written,) = result.of("test-written")
    assert len(written["findings"]) == 2  # replayed, so not flaky, and tried out
    assert list(database.fetch(key)) == [choices_to_bytes((123456789012,))]


def test_a_corpus_file_finds_failures_and_names_what_fits_nothing(project: Any) -> None:
    project.write("test_kept.py", FAILING)
    project.write("corpus.jsonl", '{"n": 5}\n{"m": 1}\n{"n": 123456789012}\n')
    target = "test_kept.py::test_saved"
    result = project.untrod("inputs", target, "--budget", 10, "--corpus", "corpus.jsonl", "--json")
    assert [event["finding"]["detail"]["value"]["text"] for event in result.of("finding")] == [
        "{'n': 123456789012}"
    ]
    assert any("line 2 of the corpus" in event["text"] for event in result.of("notice"))
