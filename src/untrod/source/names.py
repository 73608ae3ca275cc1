"""Names as source: identifiers or nothing.

Folders, modules, classes and attributes may be called anything, also `A; import os #`. What is no identifier
is never printed: it gives no test, and no code. Other text is printed by `quoting.quoted`.
"""

from __future__ import annotations

import keyword
import unicodedata
from functools import lru_cache

from untrod.core.text import one_line


class NoName(ValueError):
    """There is no way to write this as a name."""

    def __init__(self, text: str) -> None:
        super().__init__(f"`{one_line(text)}` is no name in Python")


def name(text: str) -> str:
    """`text`, if it is one identifier. Raises NoName."""
    if not is_name(text):
        raise NoName(text)
    return text


def dotted(text: str) -> str:
    """`text`, if it is identifiers with dots between them. Raises NoName."""
    if not is_dotted(text):
        raise NoName(text)
    return text


@lru_cache(maxsize=4096)
def is_name(text: str) -> bool:
    """Python reads some identifiers as others, `ﬁ` as `fi`: these are no names. Nor is `__debug__`."""
    if not text.isidentifier() or keyword.iskeyword(text) or text == "__debug__":
        return False
    return text.isascii() or unicodedata.normalize("NFKC", text) == text


def is_dotted(text: str) -> bool:
    return all(map(is_name, text.split(".")))
