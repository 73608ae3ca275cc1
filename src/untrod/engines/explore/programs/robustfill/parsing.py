r"""From text to RobustFill programs. `#` begins a comment.

Names are read in any case, and so are the spellings of the GMetaExp paper: `Substr((Num, 3, End), ...)`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from untrod.engines.explore.programs.parsing import BadValue, Mistake, ProgramError, read
from untrod.engines.explore.programs.robustfill.language import (
    BOUNDARIES,
    CASES,
    DELIMITERS,
    FUNCTIONS,
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
    RegPos,
    Replace,
    SubStr,
    ToCase,
    Trim,
)

if TYPE_CHECKING:
    from lark import Lark, Token

MOST_EXPRESSIONS = 1000
EXAMPLE = 'for example: Concat(GetToken(Word, 1), ConstStr(","), SubStr(0, 3))'
HINT = 'delimiters and constants stand in quotes, as in GetUpto(",")'
ALIASES = {"num": "Number", "proper": "PropCase", "strconcat": "Concat", "conststring": "ConstStr"}
ARGUMENTS = {"Trim": 0, "GetToken": 2, "GetFirst": 2, "Replace": 2, "SubStr": 2, "GetSpan": 6}
"""Of functions with other than one."""


def _any_case(*names: str) -> str:
    """A terminal for these names and their aliases."""
    spellings = [*names, *(alias for alias, name in ALIASES.items() if name in names)]
    return rf"/(?ai:{'|'.join(spellings)})(?!\w)/"


GRAMMAR = rf"""
program: _CONCAT "(" expression ("," expression)* ")"
?expression: substring | nesting | constant | nest
nest: nesting "(" (nesting | substring) ")"
constant: _CONSTSTR "(" QUOTED ")"
substring: _SUBSTR "(" position "," position ")" | _GETSPAN "(" triple "," triple ")"
?position: OFFSET                                          -> offset
         | "(" triple ")"
triple: regex "," index "," BOUNDARY
?nesting: _GETTOKEN "(" token "," index ")"                -> get_token
        | _GETFIRST "(" token "," count ")"                -> get_first
        | _REPLACE "(" delimiter "," delimiter ")"         -> replace
        | _TOCASE "(" CASE ")"                             -> to_case
        | _GETUPTO "(" regex ")"                           -> get_upto
        | _GETFROM "(" regex ")"                           -> get_from
        | _GETALL "(" token ")"                            -> get_all
        | _TRIM "(" ")"                                    -> trim
?regex: token | delimiter
token: TOKEN
delimiter: QUOTED
index: INDEX
count: COUNT

_CONCAT: {_any_case("Concat")}
{"".join(f"_{name.upper()}: {_any_case(name)}" + chr(10) for name in FUNCTIONS)}
TOKEN: {_any_case(*TOKENS)}
CASE: /(?ai:{"|".join(CASES)})(?!\w)/
BOUNDARY: {_any_case(*BOUNDARIES)}
OFFSET: /[+-]?\d+/
INDEX: /[+-]?\d+/
COUNT: /[+-]?\d+/
QUOTED: /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/
%ignore /\s+/
%ignore /#[^\n]*/
"""

_TOKEN = re.compile(
    r"(?P<skip>\s+|\#[^\n]*)|(?P<name>[A-Za-z_]\w*)|(?P<number>[+-]?\d+)"
    r"|(?P<quoted>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|(?P<sign>[(),])"
)
_ESCAPED = re.compile(r"\\(.)")


def parse(text: str) -> Concat:
    """The program in `text`. Raises ProgramError with line, column and what to write instead."""
    program: Concat = read(_parser(), text, _TOKEN, HINT, _explain)
    if len(program.expressions) > MOST_EXPRESSIONS:
        what = f"there are more than {MOST_EXPRESSIONS} expressions"
        raise ProgramError(text, len(text.rstrip()) - 1, what, "split it up")
    return program


class _Builder:
    """One method for each name in the grammar, called from the leaves up with what was built below."""

    def program(self, parts: list[Expression]) -> Concat:
        return Concat(tuple(parts))

    def nest(self, parts: tuple[Nesting, Nesting | SubStr]) -> Nest:
        return Nest(*parts)

    def constant(self, parts: list[Token]) -> ConstStr:
        return ConstStr(_unquoted(parts[0]))

    def substring(self, parts: tuple[Position, Position]) -> SubStr:
        return SubStr(*parts)

    def offset(self, parts: list[Token]) -> Offset:
        return Offset(_within(parts[0], "an offset", -FURTHEST_OFFSET, FURTHEST_OFFSET))

    def triple(self, parts: tuple[str, int, Token]) -> RegPos:
        regex, index, boundary = parts
        return RegPos(regex, index, _canonical(boundary, BOUNDARIES))

    def get_token(self, parts: tuple[str, int]) -> GetToken:
        return GetToken(*parts)

    def get_first(self, parts: tuple[str, int]) -> GetFirst:
        return GetFirst(*parts)

    def replace(self, parts: tuple[str, str]) -> Replace:
        return Replace(*parts)

    def to_case(self, parts: list[Token]) -> ToCase:
        return ToCase(_canonical(parts[0], CASES))

    def get_upto(self, parts: list[str]) -> GetUpto:
        return GetUpto(*parts)

    def get_from(self, parts: list[str]) -> GetFrom:
        return GetFrom(*parts)

    def get_all(self, parts: list[str]) -> GetAll:
        return GetAll(*parts)

    def trim(self, parts: list[str]) -> Trim:
        return Trim(*parts)

    def token(self, parts: list[Token]) -> str:
        return _canonical(parts[0], tuple(TOKENS))

    def delimiter(self, parts: list[Token]) -> str:
        found = _unquoted(parts[0])
        if len(found) != 1 or found not in DELIMITERS:
            raise BadValue(parts[0], f"{parts[0]} is no delimiter", f"choose from {DELIMITERS}")
        return found

    def index(self, parts: list[Token]) -> int:
        found = _within(parts[0], "an index", -HIGHEST_INDEX, HIGHEST_INDEX)
        if not found:
            raise BadValue(parts[0], "the index 0 names no match", "1 is the first, -1 the last")
        return found

    def count(self, parts: list[Token]) -> int:
        return _within(parts[0], "a count", 1, HIGHEST_INDEX)


@cache
def _parser() -> Lark:
    """Made at the first use: lark takes longer to import than a program takes to read."""
    from lark import Lark

    builder = cast(Any, _Builder())  # any object with the right methods will do
    return Lark(GRAMMAR, start="program", parser="lalr", lexer="contextual", transformer=builder)


def _unquoted(token: Token) -> str:
    return _ESCAPED.sub(lambda found: "\n" if found[1] == "n" else found[1], token[1:-1])


def _within(token: Token, what: str, low: int, high: int) -> int:
    if len(token) > 9 or not low <= int(token) <= high:
        raise BadValue(token, f"{what} of {token} is out of range", f"{low} to {high}")
    return int(token)


def _canonical(spelling: str, names: tuple[str, ...]) -> str:
    """The name among `names` that is meant, whatever its case; or else an empty text."""
    by_lower = {name.lower(): name for name in names}
    alias = ALIASES.get(spelling.lower(), "")
    return by_lower.get(spelling.lower()) or (alias if alias in names else "")


def _explain(mistake: Mistake) -> ProgramError:
    expected, error = mistake.expected, mistake.error
    if "_CONCAT" in expected:
        what = "a program begins with Concat(" if mistake.found else "it is empty"
        return error(what, EXAMPLE)
    if "$END" in expected:
        return error("the program has ended before this", "leave it out")
    if "_TRIM" in expected:
        return _no_expression(mistake)
    if "TOKEN" in expected:
        return mistake.unknown("token", TOKENS)
    if "CASE" in expected:
        return mistake.unknown("case", CASES)
    if "BOUNDARY" in expected:
        return mistake.unknown("boundary", BOUNDARIES)
    numbers = {
        "OFFSET": ("an offset", -FURTHEST_OFFSET, FURTHEST_OFFSET),
        "INDEX": ("an index", -HIGHEST_INDEX, HIGHEST_INDEX),
        "COUNT": ("a count", 1, HIGHEST_INDEX),
    }
    for terminal, (what, low, high) in numbers.items():
        if terminal in expected:
            return error(f"{what} is missing", f"write a number from {low} to {high}")
    function, commas = _call(mistake)
    if "QUOTED" in expected:
        what = "a constant" if function == "ConstStr" else "a delimiter"
        return error(f"{what} in quotes is missing", 'as in ","')
    if expected == {"LPAR"}:
        name = _canonical(mistake.before[-1][0], FUNCTIONS)
        return error("( is missing", f"arguments follow in parentheses: {name}(...)" if name else EXAMPLE)
    return _not_closed(mistake, function, commas)


def _no_expression(mistake: Mistake) -> ProgramError:
    nested = "_CONSTSTR" not in mistake.expected
    if nested and _canonical(mistake.found, FUNCTIONS) == "ConstStr":
        return mistake.error("a constant cannot be nested", "nest a substring or a nesting")
    if mistake.kind == "quoted" and not nested:
        return mistake.error("a constant needs a name", f"write ConstStr({mistake.found})")
    return mistake.unknown("expression", FUNCTIONS)


def _not_closed(mistake: Mistake, function: str, commas: int) -> ProgramError:
    """A comma or a closing parenthesis is missing, in a call of `function` with so many commas by now."""
    if function == "Concat":
        return mistake.error(") is missing", "expressions are separated by commas, and ) closes Concat")
    if function.endswith(")"):
        if mistake.found == "(":
            return mistake.error("this is nested a third time", "a nesting takes one other, as in n(n)")
        return mistake.error(") is missing", f"close {function.rstrip(')')} by )")
    count = ARGUMENTS.get(function, 1) if function else 3
    sign = "," if commas < count - 1 else ")"
    if not function or (function == "GetSpan" and sign == "," and commas != 2):
        return mistake.error(f"{sign} is missing", "a position is (regex, index, Start or End)")
    taken = f"{count} argument{'s' * (count != 1)}" if count else "no argument"
    return mistake.error(f"{sign} is missing", f"{function} takes {taken}")


def _call(mistake: Mistake) -> tuple[str, int]:
    """The innermost call that is open, and how many commas it has by now: a function, `function)` for what
    stands behind a nesting, or an empty text for a position in parentheses."""
    calls: list[tuple[str, int]] = []
    last = closed = ""
    for token in mistake.before:
        if token[0] == "(":
            calls.append((f"{closed})" if last == ")" else _canonical(last, ("Concat", *FUNCTIONS)), 0))
        elif token[0] == ")":
            closed = calls.pop()[0].rstrip(")")
        elif token[0] == ",":
            calls[-1] = (calls[-1][0], calls[-1][1] + 1)
        last = token[0]
    return calls[-1] if calls else ("Concat", 0)
