"""Small functions whose paths are known. Not a test module: pytest would rewrite its code."""

from __future__ import annotations

import sys

from untrod.core.validity import assume


def insertion_sort(items: list[int]) -> list[int]:
    for i in range(1, len(items)):
        key = items[i]
        j = i - 1
        while j >= 0 and items[j] > key:
            items[j + 1] = items[j]
            j -= 1
        items[j + 1] = key
    return items


def triangle(a: int, b: int, c: int) -> str:
    if a <= 0 or b <= 0 or c <= 0:
        return "none"
    if a + b <= c or a + c <= b or b + c <= a:
        return "flat"
    if a == b and b == c:
        return "equilateral"
    if a == b or b == c or a == c:  # noqa: SIM109
        return "isosceles"
    return "scalene"


def three_letters(text: str) -> str:
    if text[0] == "a":
        if text[1] == "b":
            return "ab"
        return "a"
    if text[2].isdigit():
        return "digit"
    return "other"


def contradiction(number: int) -> str:
    if number > 5:
        if number < 3:
            return "impossible"
        return "big"
    return "small"


def asks_twice(number: int) -> int:
    first = number > 3
    second = number > 3
    return (2 if first else 0) + (1 if second else 0)


def counts_to(number: int) -> int:
    total = 0
    for _ in range(number):
        total += 1
    return total


def flags(left: bool, right: bool) -> str:
    return ("L" if left else "l") + ("R" if right else "r")


def raises(number: int) -> int:
    if number == 17:
        raise KeyError(number)
    if number == 18:
        sys.exit(3)
    if number == 19:
        return raises_deep(0)
    assume(number != 20)
    return 0


def raises_deep(depth: int) -> int:
    return raises_deep(depth + 1)


def endless(number: int) -> int:
    while number != 0:
        number += 1
    return number


CALLS = 0


def remembers(number: int) -> int:
    """Not deterministic: every call asks another question."""
    global CALLS
    CALLS += 1
    return 1 if number > 10 * CALLS else 2
