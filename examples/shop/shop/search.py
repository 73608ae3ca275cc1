"""Looking for articles by name, with `*` for anything."""

from __future__ import annotations


def matches(pattern: str, name: str) -> bool:
    """(Planted: every star tries every rest again.)"""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return matches(pattern[1:], name) or (bool(name) and matches(pattern, name[1:]))
    return bool(name) and pattern[0] == name[0] and matches(pattern[1:], name[1:])


def cheapest(prices: list[int]) -> int:
    """The place of the lowest price, or -1."""
    best = -1
    for place, price in enumerate(prices):
        if best < 0 or price < prices[best]:
            best = place
    return best
