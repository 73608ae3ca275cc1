"""Looking for articles: by name, with `*` for anything, and by price."""

from __future__ import annotations


def matches(pattern: str, name: str) -> bool:
    """(Planted: every star tries every rest again.)"""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return matches(pattern[1:], name) or (bool(name) and matches(pattern, name[1:]))
    return bool(name) and pattern[0] == name[0] and matches(pattern[1:], name[1:])


def cheapest_first(prices: list[int]) -> list[int]:
    """Quicksort. (Planted: the first price parts the others, which is no parting when they are in order.)"""
    if len(prices) < 2:
        return prices
    first, *rest = prices
    lower = [price for price in rest if price < first]
    others = [price for price in rest if price >= first]
    return [*cheapest_first(lower), first, *cheapest_first(others)]
