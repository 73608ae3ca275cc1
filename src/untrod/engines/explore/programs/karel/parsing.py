"""From text to Karel programs. The grammar is in `nodes.py`; `#` begins a comment.

The format of the published data set is read, too: `DEF run m( move IFELSE c( markersPresent c) i( ... i) ELSE
e( ... e) REPEAT R=4 r( ... r) m)`. Keywords are read in any case; parentheses behind names and semicolons may
be left out.
"""

from __future__ import annotations

import re

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
from untrod.engines.explore.programs.parsing import Scanner, Token

EXAMPLE = "for example: def run() { while (frontIsClear()) { move(); } }"
KEYWORDS = ("while", "if", "ifelse", "repeat")
_OPENING = ("{", "m(", "w(", "i(", "e(", "r(")
_CLOSING = ("}", "m)", "w)", "i)", "e)", "r)")
_PAIRS = dict(zip(_OPENING, _CLOSING, strict=True))
_TOKEN = re.compile(
    r"(?P<skip>\s+|\#[^\n]*)|(?P<bracket>[mcwier][()])|(?P<number>R=\d+|\d+)"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<sign>[(){};])"
)


def parse(text: str) -> Program:
    """The program in `text`. Raises ProgramError with line, column and what to write instead."""
    return _Parser(Scanner(text, _TOKEN, EXAMPLE)).program()


class _Parser:
    """Recursive descent, one method for each line of the grammar."""

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner

    def program(self) -> Program:
        if self.scanner.here.kind == "end":
            raise self.scanner.mistake("it is empty", EXAMPLE)
        self.keyword("def")
        self.keyword("run")
        self.empty_parentheses()
        body = self.block(0)
        if self.scanner.here.kind != "end":
            raise self.scanner.mistake("the program has ended before this", "put it inside of def run() { }")
        return Program(body)

    def keyword(self, word: str) -> None:
        if self.scanner.here.text.lower() != word:
            raise self.scanner.mistake("a program begins with def run()", EXAMPLE)
        self.scanner.take()

    def block(self, depth: int) -> Block:
        opened = self.scanner.here
        if opened.text not in _OPENING:
            raise self.scanner.mistake("{ is missing", "statements stand in braces: { move(); }")
        if depth > DEEPEST:
            raise self.scanner.mistake(f"this is nested more than {DEEPEST} deep", "make it flatter")
        self.scanner.take()
        closing = _PAIRS[opened.text]
        statements: list[Statement] = []
        while self.scanner.here.text != closing:
            if self.scanner.here.kind == "end":
                raise self.scanner.mistake("this is never closed", f"close it by {closing}", opened)
            statements.append(self.statement(depth))
        self.scanner.take()
        if not statements:
            raise self.scanner.mistake("this block is empty", "give it a statement, or leave it out", opened)
        return tuple(statements)

    def statement(self, depth: int) -> Statement:
        token = self.scanner.here
        word = token.text.lower()
        made: Statement
        if word == "while":
            self.scanner.take()
            made = While(self.condition(), self.block(depth + 1))
        elif word in ("if", "ifelse"):
            self.scanner.take()
            made = self.conditional(word, depth)
        elif word == "repeat":
            self.scanner.take()
            made = Repeat(self.times(), self.block(depth + 1))
        else:
            return self.action(token)
        return made

    def conditional(self, word: str, depth: int) -> If:
        holds, then = self.condition(), self.block(depth + 1)
        if self.scanner.here.text.lower() == "else":
            self.scanner.take()
            return If(holds, then, self.block(depth + 1))
        if word == "ifelse":
            raise self.scanner.mistake("ELSE is missing", "IFELSE has two blocks; with one of them, write IF")
        return If(holds, then)

    def action(self, token: Token) -> Action:
        if token.text.lower() == "else":
            raise self.scanner.mistake("this else belongs to no if", "it stands right behind the } of an if")
        if token.text in CONDITIONS:
            raise self.scanner.mistake(f"{token.text} is a condition", f"write if ({token.text}()) {{ ... }}")
        if token.text not in ACTIONS:
            if token.kind != "name":
                hint = f"actions are {', '.join(ACTIONS)}"
                raise self.scanner.mistake(f"{token.text} means nothing here", hint)
            raise self.scanner.unknown("statement", token, (*ACTIONS, *KEYWORDS))
        self.scanner.take()
        self.empty_parentheses()
        self.scanner.accept(";")
        return Action(token.text)

    def condition(self) -> Condition:
        opened = self.scanner.here
        if not self.scanner.accept("(", "c("):
            raise self.scanner.mistake("( is missing", "a condition stands in parentheses: (frontIsClear())")
        closing = "c)" if opened.text == "c(" else ")"
        negated = self.scanner.here.text.lower() == "not"
        inner = ""
        if negated:
            self.scanner.take()
            inner = {"c(": "c)", "(": ")"}.get(self.scanner.here.text, "")
            self.scanner.accept("c(", "(")
        token = self.scanner.here
        if token.text not in CONDITIONS:
            raise self.scanner.unknown("condition", token, CONDITIONS)
        self.scanner.take()
        self.empty_parentheses()
        for bracket in (inner, closing):
            if bracket:
                self.scanner.expect(bracket, f"close the condition by {bracket}")
        return Condition(token.text, negated)

    def times(self) -> int:
        parentheses = self.scanner.accept("(")
        token = self.scanner.here
        digits = token.text.removeprefix("R=")
        if token.kind != "number":
            raise self.scanner.mistake("how many times is missing", "write repeat (3) { ... }")
        if len(digits) > 9 or not 1 <= int(digits) <= MOST_TIMES:
            raise self.scanner.mistake(f"{digits} times is out of range", f"1 to {MOST_TIMES}")
        self.scanner.take()
        if parentheses:
            self.scanner.expect(")", "close it by )")
        return int(digits)

    def empty_parentheses(self) -> None:
        if self.scanner.accept("("):
            self.scanner.expect(")", "nothing stands in these parentheses")
