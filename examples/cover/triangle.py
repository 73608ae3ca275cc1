"""The triangle of every testing textbook, for `untrod cover`."""

from __future__ import annotations


def triangle(a: int, b: int, c: int) -> str:
    """What kind of triangle has sides of these lengths?"""
    if a <= 0 or b <= 0 or c <= 0:
        raise ValueError("a side has a length")
    if a + b <= c or a + c <= b or b + c <= a:
        return "no triangle"
    if a == b == c:
        return "equilateral"
    if a in (b, c) or b == c:
        return "isosceles"
    longest = max(a, b, c)
    rest = a * a + b * b + c * c - longest * longest
    if rest == longest * longest:
        return "right-angled"
    return "scalene"
