"""The language of RobustFill (Devlin et al. 2017, appendix), as frozen dataclasses, and programs as text.

    program    := Concat(expression, ...)
    expression := substring | nesting | nesting(nesting) | nesting(substring) | ConstStr(text)
    substring  := SubStr(position, position) | GetSpan(regex, index, boundary, regex, index, boundary)
    position   := offset | (regex, index, boundary)
    nesting    := GetToken(token, index) | ToCase(case) | Replace(delimiter, delimiter) | Trim()
                | GetUpto(regex) | GetFrom(regex) | GetFirst(token, count) | GetAll(token)
    regex      := token | delimiter
    token      := Number | Word | Alphanum | AllCaps | PropCase | Lower | Digit | Char
    case       := Proper | AllCaps | Lower
    boundary   := Start | End

`GetSpan` is a `SubStr` whose positions are both regular expressions; the tree has one node for the two. The
GMetaExp paper also mixes the kinds, `SubStr(-1, (Number, 2, Start))`, and so do we.

`parse(text(program)) == program`; `parsing.py` has the parser.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeAlias

TOKENS = {
    "Number": "[0-9]+",
    "Word": "[A-Za-z]+",
    "Alphanum": "[A-Za-z0-9]+",
    "AllCaps": "[A-Z]+",
    "PropCase": "[A-Z][a-z]+",
    "Lower": "[a-z]+",
    "Digit": "[0-9]",
    "Char": "[A-Za-z0-9]",
}
DELIMITERS = "&,.?!@()[]%{}/:;$#\"' "
CASES = ("Proper", "AllCaps", "Lower")
BOUNDARIES = ("Start", "End")
NESTINGS = ("GetToken", "ToCase", "Replace", "Trim", "GetUpto", "GetFrom", "GetFirst", "GetAll")
FUNCTIONS = ("SubStr", "GetSpan", "ConstStr", *NESTINGS)
FURTHEST_OFFSET = 100
HIGHEST_INDEX = 5

Regex: TypeAlias = str
"""The name of a token, or a single character: a delimiter."""


@dataclass(frozen=True, slots=True)
class Offset:
    """A gap between characters, counted from the left from 0, or from the right from -1."""

    at: int


@dataclass(frozen=True, slots=True)
class RegPos:
    """The start or the end of the `index`-th match; of the last but so many where `index` is negative."""

    regex: Regex
    index: int
    boundary: str


Position: TypeAlias = Offset | RegPos


@dataclass(frozen=True, slots=True)
class SubStr:
    """The text between two positions, whichever comes first."""

    left: Position
    right: Position


@dataclass(frozen=True, slots=True)
class GetToken:
    token: str
    index: int


@dataclass(frozen=True, slots=True)
class ToCase:
    case: str


@dataclass(frozen=True, slots=True)
class Replace:
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Trim:
    """Without blanks at both ends."""


@dataclass(frozen=True, slots=True)
class GetUpto:
    """Up to the end of the first match."""

    regex: Regex


@dataclass(frozen=True, slots=True)
class GetFrom:
    """From the end of the first match."""

    regex: Regex


@dataclass(frozen=True, slots=True)
class GetFirst:
    """The first `count` matches, one behind the other; nothing if there are fewer."""

    token: str
    count: int


@dataclass(frozen=True, slots=True)
class GetAll:
    """All matches, with blanks between them."""

    token: str


Nesting: TypeAlias = GetToken | ToCase | Replace | Trim | GetUpto | GetFrom | GetFirst | GetAll


@dataclass(frozen=True, slots=True)
class Nest:
    """`outer` of what `inner` gives."""

    outer: Nesting
    inner: Nesting | SubStr


@dataclass(frozen=True, slots=True)
class ConstStr:
    text: str


Expression: TypeAlias = SubStr | Nesting | Nest | ConstStr


@dataclass(frozen=True, slots=True)
class Concat:
    expressions: tuple[Expression, ...]


def text(program: Concat) -> str:
    """One expression on each line."""
    return "Concat(\n" + ",\n".join(f"    {expression(each)}" for each in program.expressions) + "\n)\n"


def expression(of: Expression) -> str:
    match of:
        case ConstStr(constant):
            return f"ConstStr({quoted(constant)})"
        case Nest(outer, inner):
            return f"{_call(outer)}({expression(inner)})"
        case SubStr(RegPos() as left, RegPos() as right):
            return f"GetSpan({_triple(left)}, {_triple(right)})"
        case SubStr(left, right):
            return f"SubStr({position(left)}, {position(right)})"
        case _:
            return _call(of)


def position(of: Position) -> str:
    return str(of.at) if isinstance(of, Offset) else f"({_triple(of)})"


def quoted(characters: str) -> str:
    return '"' + characters.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def word(argument: str | int) -> str:
    """An argument as it is written: names and numbers as they are, delimiters in quotes."""
    known = isinstance(argument, int) or argument in TOKENS or argument in CASES
    return str(argument) if known else quoted(str(argument))


def _triple(of: RegPos) -> str:
    return f"{word(of.regex)}, {of.index}, {of.boundary}"


def _call(of: Nesting) -> str:
    arguments = (word(getattr(of, field.name)) for field in fields(of))
    return f"{type(of).__name__}({', '.join(arguments)})"
