"""Constants in a line that rejects are drawn more often, until something is valid."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable, UnsatisfiedAssumption

from untrod.engines.inputs.backend import configure
from untrod.engines.inputs.backend.bootstrap import RejectingConstants
from untrod.engines.inputs.backend.entry import register

register()

SETTINGS = settings(
    backend="untrod",
    max_examples=300,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
WORDS = tuple(f"word {number}" for number in range(20))


def constants_of(reject: Callable[[], object]) -> set[str]:
    constants = RejectingConstants()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `assume` outside a test
        with pytest.raises(UnsatisfiedAssumption) as raised:
            reject()
    constants.add(raised.value)
    return constants.wanted


def test_the_constants_of_the_call_that_rejected() -> None:
    kind = "unknown"

    def reject() -> None:
        assume(kind != "not this line's business")
        assume(kind == "gift" or kind in ("letter", 7))

    assert constants_of(reject) == {"'gift'", "'letter'", "7"}


def test_a_call_of_several_lines_and_a_generator_inside() -> None:
    def reject() -> None:
        assume(
            any(
                part == "lam"  # one line
                for part in ("app",)
            )
        )

    assert {"'lam'", "'app'"} <= constants_of(reject)


def test_constants_are_preferred_unless_all_elements_are_constants() -> None:
    constants = RejectingConstants()
    constants.wanted = {"'a'", "'b'"}
    assert constants.preference(("'a'", "'x'", "'b'")) == [4.0, 1.0, 4.0]
    assert constants.preference(("'a'", "'b'")) is None
    assert constants.preference(("'x'", "'y'")) is None


def drawn(reward: str, valid_at: int | None) -> Counter[str]:
    """How often each word came; from attempt number `valid_at` on, all are valid."""
    seen: list[str] = []

    @SETTINGS
    @given(st.sampled_from(WORDS), st.integers())
    def test(word: str, number: int) -> None:
        seen.append(word)
        if valid_at is None or len(seen) < valid_at:
            assume(word == "word 7" and len(seen) < 0)

    with suppress(Unsatisfiable), configure(seed=1, reward=reward):
        test()
    return Counter(seen[:250])


def test_it_is_drawn_more_often_while_nothing_is_valid() -> None:
    assert drawn("greybox", None)["word 7"] > 2 * drawn("blackbox", None)["word 7"]


def test_the_first_valid_input_ends_it() -> None:
    assert drawn("greybox", 20)["word 7"] < drawn("greybox", None)["word 7"] / 2
