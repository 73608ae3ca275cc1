"""When two test cases are the same input: by the values drawn, not by how they were drawn.

The value of an argument is its repr, taken the moment it was drawn, before the test could change it. Where
a repr tells nothing (`<Node object at 0x7f..>`) or not everything (arrays print with gaps), the answers that
made it stand in: finer than the value, and never confusing two different ones.
"""

from __future__ import annotations

from collections.abc import Hashable
from hashlib import blake2b
from typing import Any

MISSING = object()
"""Stands for a value that could not be had."""

_GAPPY = ("numpy", "pandas", "torch")


class Identity:
    def __init__(self, max_keys: int = 1_000_000) -> None:
        self._seen: set[Hashable] = set()
        self._max_keys = max_keys

    def of(self, texts: list[str | None], answers: list[Any]) -> Hashable:
        """A short digest, the same for equal inputs in every process. `texts` come from `text_of`."""
        shown = repr(answers) if None in texts or not texts else "\x00".join(map(str, texts))
        return blake2b(shown.encode("utf-8", "backslashreplace"), digest_size=12).hexdigest()

    def knows(self, key: Hashable) -> bool:
        return key in self._seen

    def add(self, key: Hashable) -> bool:
        """True when `key` was never seen."""
        if key in self._seen:
            return False
        if len(self._seen) >= self._max_keys:
            self._seen.clear()
        self._seen.add(key)
        return True


def text_of(value: Any) -> str | None:
    """What tells `value` apart from others, or None."""
    if value is MISSING or type(value).__module__.partition(".")[0] in _GAPPY:
        return None
    try:
        text = repr(value)
    except Exception:  # a class of the user's, with a repr that cannot cope: not ours to report
        return None
    return None if " at 0x" in text else text
