"""Ways to look for a text in a text, for `untrod worst`: both texts are chosen by the hunt."""

from __future__ import annotations

from untrod.symbolic.shapes import Text


def find(text: str, pattern: str) -> int:
    """The naive search: try every place."""
    for start in range(len(text) - len(pattern) + 1):
        length = 0
        while length < len(pattern) and text[start + length] == pattern[length]:
            length += 1
        if length == len(pattern):
            return start
    return -1


def text_and_pattern(size: int) -> tuple[Text, Text]:
    """A shape: a text of `size` characters and a pattern of half that, over two letters."""
    return Text(size, "ab"), Text(max(1, size // 2), "ab")


def matches(pattern: str, text: str) -> bool:
    """A backtracking matcher: `*` stands for any characters, `?` for one."""
    if not pattern:
        return not text
    if pattern[0] == "*":
        return matches(pattern[1:], text) or (bool(text) and matches(pattern, text[1:]))
    return bool(text) and pattern[0] in ("?", text[0]) and matches(pattern[1:], text[1:])


def wildcard_and_text(size: int) -> tuple[Text, Text]:
    return Text(max(1, size // 2), "a*"), Text(size, "ab")
