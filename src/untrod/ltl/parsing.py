"""From text to formulas. The grammar is lark's; the messages are ours (`mistakes.py`).

    formula := either -> formula
    either  := both | both | ...
    both    := until & until & ...
    until   := unary U until          also W, R; also with a bound: U[<=3], U[<=2s]
    unary   := ! unary | X unary | N unary | F unary | G unary | ( formula ) | atom | true | false

`F` and `G` take bounds, too. An atom is `[name ~ value]` or `[name = value]`; a value with brackets, quotes
or blanks at its ends stands in double quotes. `#` begins a comment. `unknown` and `[<=1.5s left]` are what
is left of a formula part way through a trace: they can be read so that every formula that is printed can be
read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, cast

from untrod.ltl.mistakes import FormulaError, bad_atom, bad_bound, diagnose
from untrod.ltl.nodes import (
    FALSE,
    TRUE,
    UNKNOWN,
    Always,
    And,
    Atom,
    Bound,
    Eventually,
    Formula,
    Implies,
    Next,
    Not,
    Operator,
    Or,
    Release,
    Until,
    WeakNext,
    WeakUntil,
    height,
)

if TYPE_CHECKING:
    from lark import Lark, Token

GRAMMAR = r"""
?formula: either | either "->" formula              -> implies
?either: both | both ("|" both)+                    -> either
?both: until | until ("&" until)+                   -> both
?until: unary | unary UNTIL bound until             -> until
?unary: "!" unary                                   -> negation
      | NEXT unary                                  -> next
      | EVENTUALLY bound unary                      -> eventually
      | "(" formula ")"
      | ATOM                                        -> atom
      | CONSTANT                                    -> constant
bound: BOUND?

NEXT: "X" | "N"
EVENTUALLY: "F" | "G"
UNTIL: "U" | "W" | "R"
CONSTANT.2: /(true|false|unknown)(?!\w)/
BOUND.2: /\[\s*<[^\]]*\]/
ATOM: /\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\]/s
COMMENT: /#[^\n]*/
%ignore /\s+/
%ignore COMMENT
"""

ATOM = re.compile(
    r"\[\s*(?P<name>[^\W\d][\w.\-]*)\s*(?P<operator>[~=])\s*"
    r'(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<bare>[^\s"=~\[][^"\[]*?))\s*\]',
    re.DOTALL,
)
BOUND = re.compile(r"\[\s*<=\s*(?P<limit>\d+(?:\.\d+)?)\s*(?P<unit>ms|s)?(?P<left>\s+left)?\s*\]")
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
UNESCAPED = {"n": "\n", "r": "\r", "t": "\t"}

BINARY = {"U": Until, "W": WeakUntil, "R": Release}
CONSTANTS = {"true": TRUE, "false": FALSE, "unknown": UNKNOWN}

DEEPEST = 200
"""Formulas nested more deeply than this are refused: everything below walks them recursively."""

LONGEST = 100_000


@lru_cache(maxsize=1024)
def parse(text: str) -> Formula:
    """The formula that is written in `text`. Raises FormulaError, with the place and what to do."""
    from lark import UnexpectedInput

    if len(text) > LONGEST:
        raise FormulaError(text[:60], 0, f"a formula of {len(text)} characters is too long", "split it up")
    try:
        formula = cast(Formula, _parser().parse(text))
    except UnexpectedInput as error:
        raise _located(text, error) from None
    except _BadToken as error:
        raise error.explain(text, error.start, error.token) from None
    if height(formula) > DEEPEST:
        raise FormulaError(text, 0, f"the formula is nested more than {DEEPEST} deep", "split it up")
    return formula


def _located(text: str, error: Any) -> FormulaError:
    """lark has several ways to be surprised, and tells the place of each in its own."""
    expected = getattr(error, "allowed", None) or getattr(error, "expected", None) or ()
    token = getattr(error, "token", None)
    at_end = error.pos_in_stream is None or (token is not None and token.type == "$END")
    return diagnose(text, len(text) if at_end else error.pos_in_stream, "ATOM" in expected)


class _BadToken(Exception):
    """A bracket whose inside makes no sense. The grammar only looks for where it ends."""

    def __init__(self, token: Token, explain: Callable[[str, int, str], FormulaError]) -> None:
        super().__init__(token)
        self.token = str(token)
        self.start = token.start_pos or 0
        self.explain = explain


class _Builder:
    """One method for each name in the grammar, called from the leaves up with what was built below."""

    def implies(self, parts: list[Formula]) -> Formula:
        return Implies(parts[0], parts[1])

    def either(self, parts: list[Formula]) -> Formula:
        return Or(tuple(parts))

    def both(self, parts: list[Formula]) -> Formula:
        return And(tuple(parts))

    def until(self, parts: tuple[Formula, Token, Bound | None, Formula]) -> Formula:
        left, operator, bound, right = parts
        return BINARY[operator](left, right, bound)

    def negation(self, parts: list[Formula]) -> Formula:
        return Not(parts[0])

    def next(self, parts: tuple[Token, Formula]) -> Formula:
        return Next(parts[1]) if parts[0] == "X" else WeakNext(parts[1])

    def eventually(self, parts: tuple[Token, Bound | None, Formula]) -> Formula:
        operator, bound, of = parts
        return Eventually(of, bound) if operator == "F" else Always(of, bound)

    def constant(self, parts: list[Token]) -> Formula:
        return CONSTANTS[parts[0]]

    def atom(self, parts: list[Token]) -> Formula:
        found = cast("re.Match[str]", ATOM.fullmatch(parts[0]))  # see _checked
        value = found["bare"]
        if value is None:
            value = re.sub(
                r"\\(.)", lambda escape: UNESCAPED.get(escape[1], escape[1]), found["quoted"], flags=re.S
            )
        return Atom(found["name"], cast(Operator, found["operator"]), value)

    def bound(self, parts: list[Token]) -> Bound | None:
        if not parts:
            return None
        found = BOUND.fullmatch(parts[0])
        if not found or (not found["unit"] and ("." in found["limit"] or found["left"])):
            raise _BadToken(parts[0], bad_bound)
        if not found["unit"]:
            return Bound(int(found["limit"]))
        limit = round(float(found["limit"]) * (1000 if found["unit"] == "s" else 1))
        return Bound(limit, "ms", found["left"] is not None)


def _checked(token: Token) -> Token:
    """Called as soon as a bracket is read. Later, the parser might stumble over what follows it."""
    if not ATOM.fullmatch(token):
        raise _BadToken(token, bad_atom)
    return token


@cache
def _parser() -> Lark:
    """Made at the first use: lark takes longer to import than a formula takes to read."""
    from lark import Lark

    builder = cast(Any, _Builder())  # any object with the right methods will do
    options: dict[str, Any] = {"parser": "lalr", "lexer": "contextual", "lexer_callbacks": {"ATOM": _checked}}
    return Lark(GRAMMAR, start="formula", transformer=builder, **options)
