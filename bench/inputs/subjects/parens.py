"""Balanced brackets of two kinds, four to sixteen characters."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from bench.inputs.subjects.base import Assume, Bug, Subject, branch_trace

MAX_SIZE = 16
PAIRS = ("()", "[]")


def is_balanced(text: str) -> bool:
    pending: list[str] = []
    for character in text:
        if character == "(":
            pending.append(")")
        elif character == "[":
            pending.append("]")
        elif not pending or pending.pop() != character:
            return False
    return not pending


def check(text: str, assume: Assume) -> None:
    assume(is_balanced(text) and len(text) >= 4)


def construct(random: Random) -> str:
    return _balanced(random, random.randint(2, MAX_SIZE // 2))


def _balanced(random: Random, pairs: int) -> str:
    if pairs == 0:
        return ""
    inside = random.randrange(pairs)
    pair = random.choice(PAIRS)
    return f"{pair[0]}{_balanced(random, inside)}{pair[1]}{_balanced(random, pairs - 1 - inside)}"


def admits(text: str) -> bool:
    return len(text) <= MAX_SIZE and set(text) <= set("()[]")


def depth(text: str) -> int:
    level = deepest = 0
    for character in text:
        level += 1 if character in "([" else -1
        deepest = max(deepest, level)
    return deepest


BUGS = (
    Bug("one kind inside the other", lambda text: "([" in text or "[(" in text),
    Bug("four deep", lambda text: depth(text) >= 4),
    Bug(
        "fourteen characters, both kinds at the top",
        lambda text: len(text) >= 14 and text[0] + text[-1] == "(]",
    ),
)

SUBJECT = Subject(
    "parens",
    st.text("()[]", max_size=MAX_SIZE),
    check,
    construct,
    admits,
    branch_trace(is_balanced),
    BUGS,
    str,
)
