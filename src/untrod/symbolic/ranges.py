"""Sets of integers, as ranges: what an input may be when a condition holds.

    below(7)                      # ((-inf, 6),)
    union(only(45), only(46))     # ((45, 46),)
    described(complement(only(45)))    # "!= 45"

Two conditions on one input that look different, and hold for the same values, have the same ranges.
"""

from __future__ import annotations

from math import inf

Ranges = tuple[tuple[float, float], ...]
"""(first, last), both included, in order, with a gap between them. The ends may be infinite."""
DEEPEST, MOST_PARTS = 20, 200
"""For those who read conditions: what is larger is no comparison with constants that anybody wrote."""


def only(value: int) -> Ranges:
    return ((value, value),)


def below(value: int) -> Ranges:
    return ((-inf, value - 1),)


def above(value: int) -> Ranges:
    return ((value + 1, inf),)


def compared(operator: str, value: int) -> Ranges:
    """What is `operator` than `value`: `<`, `<=`, `>`, `>=`, `==` or `!=`."""
    match operator:
        case "<" | ">=":
            found = below(value)
        case ">" | "<=":
            found = above(value)
        case _:
            found = only(value)
    return complement(found) if operator in (">=", "<=", "!=") else found


def union(*parts: Ranges) -> Ranges:
    found: list[tuple[float, float]] = []
    for first, last in sorted(one for part in parts for one in part):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return tuple(found)


def complement(ranges: Ranges) -> Ranges:
    found, start = [], -inf
    for first, last in ranges:
        if first > start:
            found.append((start, first - 1))
        start = last + 1
    return (*found, (start, inf)) if start < inf else tuple(found)


def intersection(*parts: Ranges) -> Ranges:
    return complement(union(*map(complement, parts)))


def shifted(ranges: Ranges, by: int) -> Ranges:
    """An end that is infinite stays so: Python cannot add a very large int to it."""
    return tuple(
        (first if first == -inf else first + by, last if last == inf else last + by) for first, last in ranges
    )


def described(ranges: Ranges) -> str:
    """`== 45`, `!= 45`, `<= 6`, `in 48..57,65..90`: short, and the same for the same set."""
    outside = complement(ranges)
    if len(outside) == 1 and outside[0][0] == outside[0][1]:
        return f"!= {outside[0][0]}"
    if len(ranges) == 1:
        first, last = ranges[0]
        if first == last:
            return f"== {first}"
        if first == -inf:
            return f"<= {last}"
        if last == inf:
            return f">= {first}"
    if len(outside) < len(ranges):
        return f"not in {_listed(outside)}"
    return f"in {_listed(ranges)}"


def _listed(ranges: Ranges) -> str:
    return ",".join(f"{first}" if first == last else f"{first}..{last}" for first, last in ranges)
