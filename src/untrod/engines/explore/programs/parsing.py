"""What the parsers of the two languages share: the grammars are lark's, the messages are ours.

lark says where it was surprised, and which terminals it would have taken there. With the tokens before that
place this is all a `Mistake` has; each language says in its `parsing.py` what it means for a person.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from untrod.core.catalogue import nearest
from untrod.core.errors import Misread, UntrodError

if TYPE_CHECKING:
    from lark import Lark, Token

LONGEST = 100_000


class ProgramError(Misread):
    """A program that cannot be read: line, column, and what to write instead. Told in one line, since
    programs are files that an editor can show; `caret` has the line itself."""

    __str__ = UntrodError.__str__


class BadValue(Exception):
    """Raised while a tree is built: a token that the grammar takes, with a value that makes no sense."""

    def __init__(self, token: Token, what: str, hint: str) -> None:
        super().__init__(what)
        self.start, self.what, self.hint = token.start_pos or 0, what, hint


class Mistake:
    """A place where a program stops making sense.

    `found` is the token there, empty at the end, and `kind` the name of its group in the language's pattern;
    `before` are the tokens on its left; `expected` are the names of the terminals that could have stood
    there.
    """

    def __init__(self, text: str, at: int, expected: Iterable[str], pattern: re.Pattern[str]) -> None:
        self.text, self.at = text, at
        self.expected = frozenset(expected)
        self.before = [token for token in pattern.finditer(text, 0, at) if token.lastgroup != "skip"]
        here = pattern.match(text, at)
        at_end = at >= len(text.rstrip())
        self.found = "" if at_end else here[0] if here else text[at]
        self.kind = "end" if at_end else (here.lastgroup or "") if here else ""

    def error(self, what: str, hint: str, at: int | None = None) -> ProgramError:
        """The error to raise, for this place or for another one."""
        if at is None and not self.found:
            what = f"the program stops too early: {what}"
        return ProgramError(self.text, self.at if at is None else at, what, hint)

    def unknown(self, what: str, names: Iterable[str]) -> ProgramError:
        """The error for a name that does not exist, with the nearest that does."""
        by_lower = {name.lower(): name for name in names}
        hint = nearest(self.found.lower(), by_lower)
        for lower, name in by_lower.items():
            hint = re.sub(rf"\b{lower}\b", name, hint)
        return self.error(f"{self.found} is no {what}" if self.found else f"a {what} is missing", hint)


def read(
    parser: Lark,
    text: str,
    pattern: re.Pattern[str],
    hint: str,
    explain: Callable[[Mistake], ProgramError],
) -> Any:
    """What `parser` makes of `text`. Raises ProgramError: `explain` has the words for what surprised lark,
    and `hint` is for a character that begins no token. `pattern` matches one token, or what is
    `skip`ped."""
    from lark import UnexpectedInput

    if len(text) > LONGEST:
        raise ProgramError(text[:60], 0, f"a program of {len(text)} characters is too long", "split it up")
    try:
        return parser.parse(text)
    except BadValue as error:
        raise ProgramError(text, error.start, error.what, error.hint) from None
    except UnexpectedInput as error:
        mistake = _mistake(text, error, pattern)
    if not mistake.kind:
        raise mistake.error(f"{mistake.found!r} means nothing here", hint)
    raise explain(mistake)


def _mistake(text: str, error: Any, pattern: re.Pattern[str]) -> Mistake:
    """lark has several ways to be surprised, and tells the place of each in its own."""
    expected = error.interactive_parser.accepts()  # its other lists have what goes on nowhere in this place
    token = getattr(error, "token", None)
    at_end = error.pos_in_stream is None or (token is not None and token.type == "$END")
    return Mistake(text, len(text.rstrip()) if at_end else error.pos_in_stream, expected, pattern)
