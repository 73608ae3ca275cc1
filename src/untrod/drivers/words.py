"""What is typed into a field: a few words for each kind of field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LEAVES = ("log out", "logout", "sign out", "signout")
"""Names of what ends a session, which is seldom what a test is about: not operated by default."""

WORDS: dict[str, tuple[str, ...]] = {
    "text": ("milk", "  two words ", "<b>7</b>"),
    "search": ("milk", "zzz"),
    "email": ("ann@example.org", "ann"),
    "password": ("correct horse 7",),
    "number": ("7", "-1"),
    "url": ("http://127.0.0.1/",),
    "tel": ("555 0100",),
    "date": ("2030-01-31",),
    "time": ("09:30",),
    "datetime-local": ("2030-01-31T09:30",),
    "month": ("2030-01",),
    "week": ("2030-W05",),
    "color": ("#ff0000",),
    "range": ("7",),
}
"""Few on purpose: each is an action of its own. Plain, padded and with markup; right and wrong."""


class Dictionary:
    """The words above, with the user's own put in: by the kind of a field, or by its name."""

    def __init__(self, own: Mapping[str, Sequence[str]] | None = None) -> None:
        self._words = {**WORDS, **{key: tuple(words) for key, words in (own or {}).items()}}

    def words(self, kind: str, name: str) -> tuple[str, ...]:
        """A field's name counts more than its kind. An unknown kind is a text."""
        return self._words.get(name) or self._words.get(kind) or self._words["text"]
