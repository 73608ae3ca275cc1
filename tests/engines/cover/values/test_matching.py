"""Texts that match a regular expression."""

from __future__ import annotations

import re
from random import Random

import pytest

from untrod.engines.cover.values.matching import match_patterns, matching_texts
from untrod.engines.cover.values.words import Words

ROMAN = r"^M{0,4}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})$"


@pytest.mark.parametrize(
    ("pattern", "flags"),
    [
        (ROMAN, 0),
        (r"(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])", 0),
        (r"[^a-z\d\s]+\S\W?.", re.DOTALL),
        (r"(['\"])x*?\1", 0),
        (r"(a)?(?(1)b|c)", 0),
        (r"  \w+  # a word", re.VERBOSE),
        (r"(?>é|[ä-ö]+)[\]\-]", 0),
        (r"(?i:abc)(?=d)d(?!e)", 0),
    ],
)
def test_they_match_and_differ(pattern: str, flags: int) -> None:
    texts = matching_texts(pattern, flags, 10, Random(1))
    assert len(set(texts)) == len(texts) > 0
    assert all(re.search(pattern, text, flags) for text in texts)
    assert texts == matching_texts(pattern, flags, 10, Random(1))


@pytest.mark.parametrize("pattern", ["(", "a(?=b)c", "[^\x00-\U0010ffff]"])
def test_what_cannot_be_matched_gives_nothing(pattern: str) -> None:
    assert matching_texts(pattern, 0, 5, Random(1)) == []


def test_words_get_texts_of_all_patterns() -> None:
    words = Words(patterns=[("a{2}", 0), ("b", 0), (")", 0)])
    match_patterns(words)
    assert words.matching == ["aa", "b"]
