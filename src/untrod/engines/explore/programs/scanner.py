"""Reading a small language token by token: what the two parsers of this folder share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from untrod.core.errors import Misread, UntrodError

LONGEST = 100_000


class ProgramError(Misread):
    """A program that cannot be read: line, column, and what to write instead. Told in one line, since
    programs are files that an editor can show; `caret` has the line itself."""

    __str__ = UntrodError.__str__


@dataclass(frozen=True, slots=True)
class Token:
    kind: str  # the name of the group that matched; "end" behind the last one
    text: str
    start: int


class Scanner:
    """Cuts `text` into tokens by `pattern`, whose groups have names; the group `skip` is left out."""

    def __init__(self, text: str, pattern: re.Pattern[str], hint: str) -> None:
        if len(text) > LONGEST:
            raise ProgramError(
                text[:60], 0, f"a program of {len(text)} characters is too long", "split it up"
            )
        self.text = text
        self._tokens: list[Token] = []
        self._at = 0
        position = 0
        while position < len(text):
            found = pattern.match(text, position)
            if found is None:
                raise ProgramError(text, position, f"{text[position]!r} means nothing here", hint)
            if found.lastgroup != "skip":
                self._tokens.append(Token(found.lastgroup or "", found[0], position))
            position = found.end()
        self._tokens.append(Token("end", "", len(text.rstrip())))

    @property
    def here(self) -> Token:
        return self._tokens[self._at]

    def take(self) -> Token:
        token = self.here
        if token.kind != "end":
            self._at += 1
        return token

    def accept(self, *texts: str) -> bool:
        """Take the next token if it is one of these."""
        if self.here.kind != "end" and self.here.text in texts:
            self._at += 1
            return True
        return False

    def expect(self, text: str, hint: str) -> Token:
        if self.here.text != text or self.here.kind == "end":
            raise self.mistake(f"{text} is missing", hint)
        return self.take()

    def mistake(self, what: str, hint: str, token: Token | None = None) -> ProgramError:
        """The error to raise for a mistake at `token`, or else at the next one."""
        token = token or self.here
        if token.kind == "end":
            what = f"the program stops too early: {what}"
        return ProgramError(self.text, token.start, what, hint)

    def unknown(self, what: str, token: Token, names: Iterable[str]) -> ProgramError:
        """The error for a name that nobody knows, with the nearest that somebody does."""
        names = tuple(names)
        by_lower = {name.lower(): name for name in names}
        near = get_close_matches(token.text.lower(), by_lower, 1, 0.6)
        hint = f"did you mean {by_lower[near[0]]}?" if near else f"choose from {', '.join(names)}"
        shown = f"{token.text} is no {what}" if token.text else f"a {what} is missing"
        return self.mistake(shown, hint, token)
