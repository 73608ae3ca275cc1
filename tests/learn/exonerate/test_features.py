"""The key of a place determines its features: otherwise two decisions would share what they must not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from untrod.core.vocabulary import Choice, Context
from untrod.learn.exonerate.suspects import context_key, features

few = st.integers(0, 1)
frames = st.builds(
    lambda way, answers, heads: SimpleNamespace(entered_from=way, answers=answers, heads=heads),
    few,
    st.lists(few, max_size=9) | st.lists(few, min_size=6, max_size=9),
    st.just([]) | st.lists(few, max_size=8),
)


@st.composite
def pairs(draw: Any) -> tuple[Choice, Choice]:
    """Two contexts, the second mostly the first with one thing changed: likely to be taken for it."""
    levels = draw(st.lists(frames, max_size=2) | st.lists(frames, max_size=8))
    other = [SimpleNamespace(**vars(level)) for level in levels]
    if other:
        changed = other[draw(st.integers(0, len(other) - 1))]
        part = draw(st.sampled_from(["answers", "heads", "entered_from"]))
        if part == "entered_from":
            changed.entered_from = draw(few)
        else:
            values = list(getattr(changed, part))
            where = draw(st.integers(0, len(values)))
            setattr(changed, part, [*values[:where], draw(few), *values[where + draw(few) :]])
    return Choice(Context(frames=levels), "s", 2), Choice(Context(frames=other), "s", 2)


@settings(max_examples=400)
@given(pairs())
def test_equal_keys_have_equal_features(pair: tuple[Choice, Choice]) -> None:
    one, other = pair
    if context_key(one) == context_key(other):
        assert features(one) == features(other)


def test_what_the_target_gave_is_the_key() -> None:
    one, other = (Choice(Context(given=given), "s", 2) for given in ((1, 2), (2,)))
    assert context_key(one) != context_key(other)
