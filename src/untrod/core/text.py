"""Text of others, made harmless: titles, messages, values and paths come from the code under test.

They may hold newlines, terminal escapes, half a surrogate pair, a right-to-left override, or a megabyte.
Whatever shows them, a terminal, Markdown, HTML or a comment of a test, takes them from `one_line`, `block`,
`code_span` or `escaped`.
"""

from __future__ import annotations

import re

TITLE = 160
VALUE = 400
PATH = 4_096
BLOCK = 20_000
"""Characters of several lines: they are to be read."""
_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def one_line(text: str, limit: int = TITLE) -> str:
    """`text` on one line of printable characters, at most about `limit` long; says how much it left out."""
    shown = "".join(map(_visible, text[:limit]))
    if len(shown) <= limit and len(text) <= limit:
        return shown
    note = f"… ({len(text):,} characters)"
    return shown[: max(0, limit - len(note))] + note


def block(text: str, limit: int | None = BLOCK) -> str:
    """`text` on as many lines as it has, each of printable characters and tabs; says how much it left out."""
    shown = text[:limit]
    if not shown.isprintable():
        shown = "".join(char if char in "\n\t" else _visible(char) for char in shown)
    return shown if limit is None or len(text) <= limit else f"{shown}\n… ({len(text):,} characters)"


def code_span(text: str, limit: int = VALUE) -> str:
    """`text` as a Markdown code span that nothing inside can end."""
    shown = one_line(text, limit)
    fence = "`" * (max(map(len, re.findall(r"`+", shown)), default=0) + 1)
    padding = " " if not shown.strip() or shown[0] == "`" or shown[-1] == "`" else ""
    return f"{fence}{padding}{shown}{padding}{fence}"


def escaped(text: str, limit: int | None = BLOCK) -> str:
    """`text` as HTML or SVG, between tags or in a quoted attribute, without any markup of its own."""
    return block(text, limit).translate(_MARKUP)


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 finding`, `2,000 findings`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def duration(seconds: float) -> str:
    """`0.4s`, `12s`, `3m 05s`, `2h 00m`."""
    if seconds < 9.95:  # from there on it would round to 10.0
        return f"{max(0.0, seconds):.1f}s"
    whole = int(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m {whole % 60:02d}s"
    return f"{whole // 3600}h {whole % 3600 // 60:02d}m"


def _visible(char: str) -> str:
    return char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode("ascii")
