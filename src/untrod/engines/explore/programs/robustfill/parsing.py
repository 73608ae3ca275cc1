"""From text to RobustFill programs. The grammar is in `nodes.py`; `#` begins a comment.

Names are read in any case, and so are the spellings of the GMetaExp paper: `Substr((Num, 3, End), ...)`.
"""

from __future__ import annotations

import re

from untrod.engines.explore.programs.parsing import Scanner
from untrod.engines.explore.programs.robustfill.language import (
    BOUNDARIES,
    CASES,
    DELIMITERS,
    FURTHEST_OFFSET,
    HIGHEST_INDEX,
    TOKENS,
    Concat,
    ConstStr,
    Expression,
    GetAll,
    GetFirst,
    GetFrom,
    GetToken,
    GetUpto,
    Nest,
    Nesting,
    Offset,
    Position,
    Regex,
    RegPos,
    Replace,
    SubStr,
    ToCase,
    Trim,
)

MOST_EXPRESSIONS = 1000
EXAMPLE = 'for example: Concat(GetToken(Word, 1), ConstStr(","), SubStr(0, 3))'
ALIASES = {"num": "Number", "proper": "PropCase", "strconcat": "Concat", "conststring": "ConstStr"}
NESTINGS = ("GetToken", "ToCase", "Replace", "Trim", "GetUpto", "GetFrom", "GetFirst", "GetAll")
FUNCTIONS = ("SubStr", "GetSpan", "ConstStr", *NESTINGS)

_TOKEN = re.compile(
    r"(?P<skip>\s+|\#[^\n]*)|(?P<name>[A-Za-z_]\w*)|(?P<number>[+-]?\d+)"
    r"|(?P<quoted>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|(?P<sign>[(),])"
)
_ESCAPED = re.compile(r"\\(.)")


def parse(text: str) -> Concat:
    """The program in `text`. Raises ProgramError with line, column and what to write instead."""
    hint = 'delimiters and constants stand in quotes, as in GetUpto(",")'
    return _Parser(Scanner(text, _TOKEN, hint)).program()


class _Parser:
    """Recursive descent, one method for each line of the grammar."""

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner

    def program(self) -> Concat:
        token = self.scanner.here
        if token.kind == "end":
            raise self.scanner.mistake("it is empty", EXAMPLE)
        if _canonical(token.text, ("Concat",)) != "Concat":
            raise self.scanner.mistake("a program begins with Concat(", EXAMPLE)
        self.scanner.take()
        self.scanner.expect("(", EXAMPLE)
        expressions = [self.expression()]
        while self.scanner.accept(","):
            expressions.append(self.expression())
            if len(expressions) > MOST_EXPRESSIONS:
                raise self.scanner.mistake(
                    f"there are more than {MOST_EXPRESSIONS} expressions", "split it up"
                )
        self.scanner.expect(")", "expressions are separated by commas, and ) closes Concat")
        if self.scanner.here.kind != "end":
            raise self.scanner.mistake("the program has ended before this", "leave it out")
        return Concat(tuple(expressions))

    def expression(self) -> Expression:
        token = self.scanner.here
        if token.kind == "quoted":
            raise self.scanner.mistake("a constant needs a name", f"write ConstStr({token.text})")
        name = self.function()
        if name == "ConstStr":
            return ConstStr(self.constant())
        if name in ("SubStr", "GetSpan"):
            return self.substring(name)
        outer = self.nesting(name)
        if not self.scanner.accept("("):
            return outer
        at = self.scanner.here
        name = self.function()
        if name == "ConstStr":
            raise self.scanner.mistake("a constant cannot be nested", "nest a substring or a nesting", at)
        inner = self.substring(name) if name in ("SubStr", "GetSpan") else self.nesting(name)
        if self.scanner.here.text == "(":
            raise self.scanner.mistake("this is nested a third time", "a nesting takes one other, as in n(n)")
        self.scanner.expect(")", f"close {type(outer).__name__} by )")
        return Nest(outer, inner)

    def function(self) -> str:
        token = self.scanner.here
        name = _canonical(token.text, FUNCTIONS) if token.kind == "name" else None
        if name is None:
            raise self.scanner.unknown("expression", token, FUNCTIONS)
        self.scanner.take()
        return name

    def constant(self) -> str:
        self.open("ConstStr")
        found = self.quoted("a constant in quotes")
        self.close("ConstStr", 1)
        return found

    def substring(self, name: str) -> SubStr:
        self.open(name)
        if name == "GetSpan":
            left = self.triple()
            self.comma(name, 6)
            span = SubStr(left, self.triple())
            self.close(name, 6)
            return span
        start = self.position()
        self.comma(name, 2)
        between = SubStr(start, self.position())
        self.close(name, 2)
        return between

    def position(self) -> Position:
        if self.scanner.accept("("):
            found = self.triple()
            self.scanner.expect(")", "a position is an offset, or (regex, index, Start or End)")
            return found
        return Offset(self.integer("an offset", -FURTHEST_OFFSET, FURTHEST_OFFSET))

    def triple(self) -> RegPos:
        regex = self.regex()
        self.scanner.expect(",", "a position is (regex, index, Start or End)")
        index = self.index()
        self.scanner.expect(",", "a position is (regex, index, Start or End)")
        return RegPos(regex, index, self.word("boundary", BOUNDARIES))

    def nesting(self, name: str) -> Nesting:
        self.open(name)
        made: Nesting
        count = 1
        match name:
            case "GetToken":
                token, count = self.token(), 2
                self.comma(name, 2)
                made = GetToken(token, self.index())
            case "GetFirst":
                token, count = self.token(), 2
                self.comma(name, 2)
                made = GetFirst(token, self.integer("a count", 1, HIGHEST_INDEX))
            case "Replace":
                old, count = self.delimiter(), 2
                self.comma(name, 2)
                made = Replace(old, self.delimiter())
            case "ToCase":
                made = ToCase(self.word("case", CASES))
            case "GetUpto":
                made = GetUpto(self.regex())
            case "GetFrom":
                made = GetFrom(self.regex())
            case "GetAll":
                made = GetAll(self.token())
            case _:
                made, count = Trim(), 0
        self.close(name, count)
        return made

    def regex(self) -> Regex:
        return self.delimiter() if self.scanner.here.kind == "quoted" else self.token()

    def token(self) -> str:
        return self.word("token", tuple(TOKENS))

    def delimiter(self) -> str:
        at = self.scanner.here
        found = self.quoted("a delimiter in quotes")
        if len(found) != 1 or found not in DELIMITERS:
            raise self.scanner.mistake(f"{at.text} is no delimiter", f"choose from {DELIMITERS}", at)
        return found

    def index(self) -> int:
        at = self.scanner.here
        found = self.integer("an index", -HIGHEST_INDEX, HIGHEST_INDEX)
        if not found:
            raise self.scanner.mistake("the index 0 names no match", "1 is the first, -1 the last", at)
        return found

    def integer(self, what: str, low: int, high: int) -> int:
        token = self.scanner.here
        if token.kind != "number":
            raise self.scanner.mistake(f"{what} is missing", f"write a number from {low} to {high}")
        if len(token.text) > 9 or not low <= int(token.text) <= high:
            raise self.scanner.mistake(f"{what} of {token.text} is out of range", f"{low} to {high}")
        return int(self.scanner.take().text)

    def word(self, what: str, names: tuple[str, ...]) -> str:
        token = self.scanner.here
        name = _canonical(token.text, names) if token.kind == "name" else None
        if name is None:
            raise self.scanner.unknown(what, token, names)
        self.scanner.take()
        return name

    def quoted(self, what: str) -> str:
        if self.scanner.here.kind != "quoted":
            raise self.scanner.mistake(f"{what} is missing", 'as in ","')
        inside = self.scanner.take().text[1:-1]
        return _ESCAPED.sub(lambda found: "\n" if found[1] == "n" else found[1], inside)

    def open(self, name: str) -> None:
        self.scanner.expect("(", f"arguments follow in parentheses: {name}(...)")

    def comma(self, name: str, count: int) -> None:
        self.scanner.expect(",", f"{name} takes {count} arguments")

    def close(self, name: str, count: int) -> None:
        taken = f"{count} argument{'s' * (count != 1)}" if count else "no argument"
        self.scanner.expect(")", f"{name} takes {taken}")


def _canonical(spelling: str, names: tuple[str, ...]) -> str | None:
    """The name among `names` that is meant, whatever its case."""
    by_lower = {name.lower(): name for name in names}
    alias = ALIASES.get(spelling.lower(), "")
    return by_lower.get(spelling.lower()) or (alias if alias in names else None)
