"""Text of others is shown, whatever it holds, and does nothing."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untrod.core.text import block, code_span, escaped, one_line

ANYTHING = st.text(st.characters(codec=None))
BIDI = "".join(map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]))


@given(ANYTHING)
def test_one_line_is_one_printable_line(text: str) -> None:
    assert one_line(text).isprintable()
    one_line(text).encode()  # half a surrogate pair could not be written


@given(ANYTHING)
def test_a_block_keeps_its_lines_and_tabs_and_nothing_else_that_moves_the_cursor(text: str) -> None:
    shown = block(text)

    assert shown.replace("\n", "").replace("\t", "").isprintable()
    assert shown.count("\n") == text.count("\n")
    shown.encode()


@pytest.mark.parametrize("show", [one_line, block, code_span])
def test_escapes_surrogates_and_writing_direction_are_shown_escaped(show) -> None:
    shown = show(f"\x1b[31m \ud800 \x9b {BIDI}")

    for sign in (r"\x1b[31m", r"\ud800", r"\x9b", r"\u202a", r"\u202e", r"\u2066", r"\u2069"):
        assert sign in shown


@given(ANYTHING)
def test_escaped_text_is_no_markup(text: str) -> None:
    assert escaped(text) == html.escape(block(text))
    assert not set(escaped(text)) & set("<>\"'")
    assert escaped("x" * 50_000, None) == "x" * 50_000


def test_a_block_is_cut_where_that_is_asked_for() -> None:
    assert block("x" * 50, 10) == "x" * 10 + "\n… (50 characters)"
    assert block("x" * 50_000, None) == "x" * 50_000
