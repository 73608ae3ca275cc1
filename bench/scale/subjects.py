"""Generators of two prices: an episode of tens of microseconds, and one of some milliseconds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any


def cheap(choose: Callable[..., Any]) -> list[int]:
    return [choose(range(100)) for _ in range(choose(range(1, 10)))]


def dear(choose: Callable[..., Any]) -> list[int]:
    """The same, and then work that no worker can save."""
    numbers = cheap(choose)
    hashlib.pbkdf2_hmac("sha256", bytes(numbers), b"salt", 10_000)
    return numbers
