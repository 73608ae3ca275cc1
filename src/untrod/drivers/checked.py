"""JSON that a person may have written, read so that a complaint names the field that is wrong."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Any, NoReturn

from untrod.core.errors import UntrodError
from untrod.core.shapes import MOST
from untrod.core.text import one_line
from untrod.core.vocabulary import Json

MISSING: Any = object()


class JsonField:
    """A value and its path, such as `screens.main.actions[1].to`."""

    def __init__(self, value: Json, path: str = "") -> None:
        self.value = value
        self.path = path

    def refuse(self, what: str, hint: str) -> NoReturn:
        raise UntrodError(f"{self.path}: {what}" if self.path else what, hint)

    def fields(self, *names: str) -> None:
        """Nothing but these. A misspelt name would otherwise be ignored without a word."""
        for name, member in self.members().items():
            if name not in names:
                member.refuse("nobody knows this name", _suggestion(name, names))

    def get(self, name: str, default: Any = MISSING) -> JsonField:
        members = self.members()
        if name in members:
            return members[name]
        if default is MISSING:
            self.refuse(f'"{name}" is missing', f'add "{name}"')
        return JsonField(default, self._member(name))

    def members(self) -> dict[str, JsonField]:
        if not isinstance(self.value, dict):
            self.refuse(f"should be an object, is {_kind(self.value)}", 'write {"name": value, ...}')
        return {name: JsonField(value, self._member(name)) for name, value in self.value.items()}

    def items(self) -> list[JsonField]:
        if not isinstance(self.value, list):
            self.refuse(f"should be a list, is {_kind(self.value)}", "write [ ... ]")
        return [JsonField(value, f"{self.path}[{number}]") for number, value in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            self.refuse(
                f"should be a text, is {_kind(self.value)}",
                f"write {one_line(json.dumps(str(self.value)), 60)}",
            )
        return self.value

    def texts(self) -> tuple[str, ...]:
        """One or several."""
        if isinstance(self.value, str):
            return (self.value,)
        return tuple(item.text() for item in self.items())

    def number(self, least: int = 0) -> int:
        if type(self.value) is not int or not least <= self.value <= MOST:
            self.refuse(f"should be a whole number, {least} or more", f"write {least} or more")
        return self.value

    def one_of(self, known: Collection[str], what: str = "there is no") -> str:
        value = self.text()
        if value not in known:
            self.refuse(f'{what} "{value}"', _suggestion(value, known))
        return value

    def _member(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name


def _suggestion(name: str, known: Iterable[str]) -> str:
    names = list(known)
    close = get_close_matches(name, names, 1)
    if close:
        return f'did you mean "{close[0]}"?'
    return "known are " + ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")


def _kind(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
    return "an object"
