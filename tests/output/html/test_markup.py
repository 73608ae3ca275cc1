"""Text stays text, whatever it holds."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untrod.core.text import block as printable
from untrod.output.html.markup import Html, code, join, table, tag, unfold, value


class Reader(HTMLParser):
    """What a browser would make of it: tags with their attributes, and the text."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


PIECES = [
    "<b>",
    "</p>",
    "<!--",
    "<script>",
    "&lt;",
    "&#0;",
    '" onclick="',
    "'",
    ">",
    "\n",
    "\x00",
    "\u202e",
    "\ud800",
]


@given(st.lists(st.sampled_from(PIECES) | st.characters(), max_size=12).map("".join))
def test_no_text_becomes_markup(text: str) -> None:
    read = Reader(tag("p", text, title=text))

    assert read.tags == ["p"]
    assert read.text == printable(text)
    assert read.attributes == [("title", printable(text))]
    read.text.encode()  # half a surrogate pair could not be written to a file


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [("\u202egpj", "\\u202egpj"), ("\x1b[2J", "\\x1b[2J"), ("\ud800", "\\ud800"), ("a\n\tb", "a\n\tb")],
)
def test_what_cannot_be_seen_is_shown_and_lines_stay(hostile: str, shown: str) -> None:
    assert printable(hostile) == shown


def test_a_megabyte_is_cut_and_says_so() -> None:
    assert printable("x" * 1_000_000).endswith("… (1,000,000 characters)")
    assert len(printable("x" * 1_000_000)) < 21_000


def test_children_nest_and_only_html_is_markup() -> None:
    assert join(["<", Html("<b>"), [None, ["&"]]]) == "&lt;<b>&amp;"
    assert code("<i>") == "<code>&lt;i&gt;</code>"
    assert unfold("more", "x", open=True) == "<details open><summary>more</summary>x</details>"
    assert 'class="value"' in value("x")


def test_attributes_that_do_not_apply_are_left_out() -> None:
    assert tag("img", src="a", hidden=False, id=None, class_="b", aria_label="c") == (
        '<img src="a" class="b" aria-label="c">'
    )


def test_columns_of_numbers_are_set_to_the_right() -> None:
    cells = Reader(table(("name", "count"), [("a", "1,200"), ("7", "3 s")]))

    assert [value for key, value in cells.attributes if key == "class"] == [
        "wide",
        "number",
        "number",
        "number",
    ]
    assert cells.tags.count("td") == 4
