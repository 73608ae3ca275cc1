"""A line that rejects says what it wants: what it mentions is drawn more often, until something is valid."""

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
from untrod.engines.inputs.backend.entry import register
from untrod.engines.inputs.backend.mentions import Mentions

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


def mentioned_by(reject: Callable[[], object]) -> set[str]:
    mentions = Mentions()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `assume` outside a test
        with pytest.raises(UnsatisfiedAssumption) as raised:
            reject()
    mentions.add(raised.value)
    return mentions.words


def test_the_constants_of_the_call_that_rejected() -> None:
    kind = "unknown"

    def reject() -> None:
        assume(kind != "not this line's business")
        assume(kind == "gift" or kind in ("letter", 7))

    assert mentioned_by(reject) == {"'gift'", "'letter'", "7"}


def test_a_call_of_several_lines_and_a_generator_inside() -> None:
    def reject() -> None:
        assume(
            any(
                part == "lam"  # one line
                for part in ("app",)
            )
        )

    assert {"'lam'", "'app'"} <= mentioned_by(reject)


def test_preference_is_given_to_what_is_mentioned_and_to_nothing_if_that_is_all() -> None:
    mentions = Mentions()
    mentions.words = {"'a'", "'b'"}
    assert mentions.preference(("'a'", "'x'", "'b'")) == [4.0, 1.0, 4.0]
    assert mentions.preference(("'a'", "'b'")) is None
    assert mentions.preference(("'x'", "'y'")) is None


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
