"""Search and alignment with both strings symbolic, a backtracking matcher, and a parser with a threshold."""

from __future__ import annotations

from bench.worst.subjects.base import Subject
from untrod.symbolic.shapes import Text

LETTERS = "ab"
BASES = "ACGT"


def naive_search(text: str, pattern: str) -> int:
    for start in range(len(text) - len(pattern) + 1):
        matched = 0
        while matched < len(pattern) and text[start + matched] == pattern[matched]:
            matched += 1
        if matched == len(pattern):
            return start
    return -1


def boyer_moore(text: str, pattern: str) -> int:
    """The bad-character rule, its table looked up by comparing characters from the right, as grep's is."""
    length, start = len(pattern), 0
    while start <= len(text) - length:
        position = length - 1
        while position >= 0 and text[start + position] == pattern[position]:
            position -= 1
        if position < 0:
            return start
        wrong, earlier = text[start + position], position - 1
        while earlier >= 0 and pattern[earlier] != wrong:
            earlier -= 1
        start += position - earlier
    return -1


def smith_waterman(left: str, right: str) -> int:
    """Best local alignment: match 2, mismatch and gap -1."""
    above = [0] * (len(right) + 1)
    best = 0
    for a in left:
        row = [0]
        for j, b in enumerate(right, 1):
            score = above[j - 1] + (2 if a == b else -1)
            score = max(score, above[j] - 1, row[j - 1] - 1, 0)
            row.append(score)
            best = max(best, score)
        above = row
    return best


def matches(text: str) -> bool:
    """Does `text` match (a|b)*a(a|b)*b(a|b)*b$ ... by trying every split, as a backtracking matcher does?"""
    return _match(text, 0, "*a*b*b", 0)


def _match(text: str, at: int, pattern: str, step: int) -> bool:
    if step == len(pattern):
        return at == len(text)
    if pattern[step] == "*":
        return any(_match(text, after, pattern, step + 1) for after in range(at, len(text) + 1))
    return at < len(text) and bool(text[at] == pattern[step]) and _match(text, at + 1, pattern, step + 1)


THRESHOLD = 6


def parse_brackets(text: str) -> int:
    """Brackets and blanks. A long text is checked bracket against bracket before it is parsed (class 2):
    what costs most in a short text costs little in a long one.
    """
    if len(text) >= THRESHOLD:
        half = len(text) // 2
        for i in range(half):
            if text[i] == "(" and text[len(text) - 1 - i] == ")":
                for j in range(i):
                    if text[j] == " ":
                        return -1
            elif text[i] == ")":
                return -2
    depth = deepest = 0
    for position in range(len(text)):
        if text[position] == "(":
            depth += 1
            deepest = max(deepest, depth)
        elif text[position] == ")":
            depth -= 1
            if depth < 0:
                return -3
    return deepest if depth == 0 else -4


def text_and_half(n: int) -> tuple[Text, Text]:
    return Text(n, LETTERS), Text(max(1, n // 2), LETTERS)


def text_and_four(n: int) -> tuple[Text, Text]:
    return Text(n, LETTERS), Text(min(n, 4), LETTERS)


def two_sequences(n: int) -> tuple[Text, Text]:
    return Text(n, BASES), Text(3, BASES)


def letters(n: int) -> Text:
    return Text(n, LETTERS)


def brackets(n: int) -> Text:
    return Text(n, "() ")


SUBJECTS = (
    Subject("naive-search", naive_search, text_and_half, (3, 4, 5, 6), None, ("n^2", "n")),
    Subject("boyer-moore", boyer_moore, text_and_four, (4, 5, 6), irregular=True),
    Subject("smith-waterman", smith_waterman, two_sequences, (1, 2, 3)),
    Subject("backtracking-matcher", matches, letters, (4, 6, 8)),
    Subject("bracket-parser", parse_brackets, brackets, (4, 6, 8), irregular=True),
)
