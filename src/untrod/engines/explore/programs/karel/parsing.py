r"""From text to Karel programs. `#` begins a comment.

Keywords are read in any case; parentheses behind names and semicolons may be left out. The format of the
published data set is read, too, which has a letter with each bracket: `DEF run m( move IFELSE c(
markersPresent c) i( ... i) ELSE e( ... e) REPEAT R=4 r( ... r) m)`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from untrod.engines.explore.programs.karel.language import (
    ACTIONS,
    CONDITIONS,
    DEEPEST,
    MOST_TIMES,
    Action,
    Block,
    Condition,
    If,
    Program,
    Repeat,
    Statement,
    While,
)
from untrod.engines.explore.programs.parsing import BadValue, Mistake, ProgramError, read

if TYPE_CHECKING:
    from lark import Lark, Token

EXAMPLE = "for example: def run() { while (frontIsClear()) { move(); } }"
KEYWORDS = ("while", "if", "ifelse", "repeat")
GRAMMAR = rf"""
program: _DEF _RUN _empty? block
block: "{{" statement+ "}}" | "m(" statement+ "m)" | "w(" statement+ "w)"
     | "i(" statement+ "i)" | "e(" statement+ "e)" | "r(" statement+ "r)"
?statement: ACTION _empty? ";"?                            -> action
          | _WHILE condition block                         -> loop
          | _IF condition block (_ELSE block)?             -> conditional
          | _IFELSE condition block _ELSE block            -> conditional
          | _REPEAT times block                            -> repeat
?condition: "(" test ")" | _C_OPEN test _C_CLOSE
test: CONDITION _empty?                                    -> plain
    | _NOT CONDITION _empty?                               -> negated
    | _NOT "(" CONDITION _empty? ")"                       -> negated
    | _NOT _C_OPEN CONDITION _empty? _C_CLOSE              -> negated
times: NUMBER | "(" NUMBER ")"
_empty: "(" ")"

ACTION: /({"|".join(ACTIONS)})(?!\w)/
CONDITION: /({"|".join(CONDITIONS)})(?!\w)/
NUMBER: /R=\d+|\d+/
_DEF: /(?ai:def)(?!\w)/
_RUN: /(?ai:run)(?!\w)/
_WHILE: /(?ai:while)(?!\w)/
_IF: /(?ai:if)(?!\w)/
_IFELSE: /(?ai:ifelse)(?!\w)/
_ELSE: /(?ai:else)(?!\w)/
_REPEAT: /(?ai:repeat)(?!\w)/
_NOT: /(?ai:not)(?!\w)/
_C_OPEN: "c("
_C_CLOSE: "c)"
%ignore /\s+/
%ignore /#[^\n]*/
"""

_PAIRS = {"{": "}", "m(": "m)", "w(": "w)", "i(": "i)", "e(": "e)", "r(": "r)"}
_CONDITION_PAIRS = {"(": ")", "c(": "c)"}
_TOKEN = re.compile(
    r"(?P<skip>\s+|\#[^\n]*)|(?P<bracket>[mcwier][()])|(?P<number>R=\d+|\d+)"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<sign>[(){};])"
)


def parse(text: str) -> Program:
    """The program in `text`. Raises ProgramError with line, column and what to write instead."""
    program: Program = read(_parser(), text, _TOKEN, EXAMPLE, _explain)
    if _depth(program) > DEEPEST:
        what, hint = f"this is nested more than {DEEPEST} deep", "make it flatter"
        raise ProgramError(text, _too_deep(text), what, hint)
    return program


class _Builder:
    """One method for each name in the grammar, called from the leaves up with what was built below."""

    def program(self, parts: list[Block]) -> Program:
        return Program(parts[0])

    def block(self, parts: list[Statement]) -> Block:
        return tuple(parts)

    def action(self, parts: list[Token]) -> Action:
        return Action(str(parts[0]))

    def loop(self, parts: tuple[Condition, Block]) -> While:
        return While(*parts)

    def conditional(self, parts: tuple[Condition, Block] | tuple[Condition, Block, Block]) -> If:
        return If(*parts)

    def repeat(self, parts: tuple[int, Block]) -> Repeat:
        return Repeat(*parts)

    def plain(self, parts: list[Token]) -> Condition:
        return Condition(str(parts[0]))

    def negated(self, parts: list[Token]) -> Condition:
        return Condition(str(parts[0]), negated=True)

    def times(self, parts: list[Token]) -> int:
        digits = parts[0].removeprefix("R=")
        if len(digits) > 9 or not 1 <= int(digits) <= MOST_TIMES:
            raise BadValue(parts[0], f"{digits} times is out of range", f"1 to {MOST_TIMES}")
        return int(digits)


@cache
def _parser() -> Lark:
    """Made at the first use: lark takes longer to import than a program takes to read."""
    from lark import Lark

    builder = cast(Any, _Builder())  # any object with the right methods will do
    return Lark(GRAMMAR, start="program", parser="lalr", lexer="contextual", transformer=builder)


def _depth(program: Program) -> int:
    """How many blocks lie within one another; without recursion, for whatever a file may hold."""
    deepest, waiting = 0, [(program.body, 0)]
    while waiting:
        block, depth = waiting.pop()
        deepest = max(deepest, depth)
        for statement in block:
            match statement:
                case While(_, body) | Repeat(_, body):
                    waiting.append((body, depth + 1))
                case If(_, then, otherwise):
                    waiting += [(then, depth + 1), (otherwise or (), depth + 1)]
    return deepest


def _too_deep(text: str) -> int:
    """Where the first block opens that lies too deep."""
    depth = -1
    for token in _TOKEN.finditer(text):
        depth += (token[0] in _PAIRS) - (token[0] in _PAIRS.values())
        if depth > DEEPEST:
            return token.start()
    return 0


def _explain(mistake: Mistake) -> ProgramError:
    expected, error = mistake.expected, mistake.error
    if "_DEF" in expected and not mistake.found:
        return error("it is empty", EXAMPLE)
    if expected & {"_DEF", "_RUN"}:
        return error("a program begins with def run()", EXAMPLE)
    if "$END" in expected:
        return error("the program has ended before this", "put it inside of def run() { }")
    if "ACTION" in expected:
        return _no_statement(mistake)
    if "_ELSE" in expected:
        return error("ELSE is missing", "IFELSE has two blocks; with one of them, write IF")
    if "LBRACE" in expected:
        return error("{ is missing", "statements stand in braces: { move(); }")
    if "CONDITION" in expected:
        return mistake.unknown("condition", CONDITIONS)
    if "_C_OPEN" in expected:
        return error("( is missing", "a condition stands in parentheses: (frontIsClear())")
    if "NUMBER" in expected:
        return error("how many times is missing", "write repeat (3) { ... }")
    last = mistake.before[-1]
    if last[0] == "(":
        return error(") is missing", "nothing stands in these parentheses")
    if last.lastgroup == "number":
        return error(") is missing", "close it by )")
    closing = _CONDITION_PAIRS[_open(mistake, _CONDITION_PAIRS)[0]]
    return error(f"{closing} is missing", f"close the condition by {closing}")


def _no_statement(mistake: Mistake) -> ProgramError:
    """Something stands where a statement or the end of a block could."""
    opened, found = _open(mistake, _PAIRS), mistake.found
    closing = _PAIRS[opened[0]]
    if not found:
        return mistake.error("this is never closed", f"close it by {closing}", opened.start())
    if found == closing:
        return mistake.error("this block is empty", "give it a statement, or leave it out", opened.start())
    if found.lower() == "else":
        return mistake.error("this else belongs to no if", "it stands right behind the } of an if")
    if found in CONDITIONS:
        return mistake.error(f"{found} is a condition", f"write if ({found}()) {{ ... }}")
    if mistake.kind != "name":
        return mistake.error(f"{found} means nothing here", f"actions are {', '.join(ACTIONS)}")
    return mistake.unknown("statement", (*ACTIONS, *KEYWORDS))


def _open(mistake: Mistake, pairs: dict[str, str]) -> re.Match[str]:
    """The last of these brackets that is not closed yet."""
    opened: list[re.Match[str]] = []
    for token in mistake.before:
        if token[0] in pairs:
            opened.append(token)
        elif token[0] in pairs.values():
            opened.pop()
    return opened[-1]
