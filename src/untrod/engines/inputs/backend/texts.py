"""Strings over large alphabets and byte strings, as arms: by length and by kind of character."""

from __future__ import annotations

import string
from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis.internal.intervalsets import IntervalSet

from untrod.engines.inputs.backend.arms import Arms, arms_of
from untrod.engines.inputs.backend.plain import PlainDraws

_LENGTHS = (0, 1, 2, 4, 8)
_ALPHABETS = (string.ascii_lowercase, string.digits, string.ascii_letters + string.digits + " _-.")
_BYTES = (b"\x00", bytes(range(32, 127)), bytes(range(128, 256)), string.ascii_letters.encode())


def string_arms(intervals: IntervalSet, min_size: int, max_size: int, plain: PlainDraws) -> Arms[str]:
    """The empty or shortest strings one by one; then each kind of character at each length; then anything."""
    alphabets = [[letter for letter in letters if ord(letter) in intervals] for letters in _ALPHABETS]
    first = intervals.char_in_shrink_order(0)
    values = list(dict.fromkeys([first * min_size, *_one_more(first, min_size, max_size)]))
    buckets: list[tuple[float, Callable[[Random], str]]] = [
        (6.0, lambda rng: plain.draw_string(intervals, min_size=min_size, max_size=max_size))
    ]
    for letters in alphabets:
        for size in _sizes(min_size, max_size):
            if letters and size:
                buckets.append((0.5, _text_of(letters, size)))
    return arms_of(values, buckets)


def bytes_arms(min_size: int, max_size: int, plain: PlainDraws) -> Arms[bytes]:
    values = list(dict.fromkeys([b"\x00" * min_size, *_one_more(b"\x00", min_size, max_size)]))
    buckets: list[tuple[float, Callable[[Random], bytes]]] = [
        (6.0, lambda rng: plain.draw_bytes(min_size, max_size))
    ]
    for kinds in _BYTES:
        for size in _sizes(min_size, max_size):
            if size:
                buckets.append((0.5, _bytes_of(kinds, size)))
    return arms_of(values, buckets)


def _sizes(min_size: int, max_size: int) -> list[int]:
    sizes = {min(max(min_size, length), max_size) for length in _LENGTHS} | {min_size}
    return sorted(sizes)


def _one_more(unit: Any, min_size: int, max_size: int) -> list[Any]:
    return [unit * (min_size + 1)] if max_size > min_size else []


def _text_of(letters: list[str], size: int) -> Callable[[Random], str]:
    return lambda rng: "".join(rng.choice(letters) for _ in range(size))


def _bytes_of(kinds: bytes, size: int) -> Callable[[Random], bytes]:
    return lambda rng: bytes(rng.choice(kinds) for _ in range(size))
