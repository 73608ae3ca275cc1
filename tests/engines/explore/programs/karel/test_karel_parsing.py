"""Karel programs are read, printed and read again; mistakes are told with their place."""

from __future__ import annotations

from random import Random

import pytest

from untrod.engines.explore.programs.karel.language import (
    Action,
    Condition,
    If,
    Program,
    Repeat,
    While,
    lines,
    text,
)
from untrod.engines.explore.programs.karel.parsing import parse
from untrod.engines.explore.programs.karel.sampling import sample
from untrod.engines.explore.programs.parsing import ProgramError

EVERYTHING = Program(
    (
        Action("turnRight"),
        While(Condition("rightIsClear"), (Action("putMarker"), Action("move"))),
        If(Condition("markersPresent", negated=True), (Action("turnLeft"),), (Action("pickMarker"),)),
        Repeat(4, (If(Condition("frontIsClear"), (Action("move"),)),)),
    )
)


def test_a_program_in_braces():
    assert (
        parse("""
        def run() {                     # a comment
            turnRight();
            while (rightIsClear()) { putMarker(); move(); }
            if (not markersPresent()) { turnLeft(); } else { pickMarker(); }
            repeat (4) { if (frontIsClear()) { move(); } }
        }""")
        == EVERYTHING
    )


def test_a_program_as_the_published_data_set_has_it():
    assert (
        parse(
            "DEF run m( turnRight WHILE c( rightIsClear c) w( putMarker move w) "
            "IFELSE c( not c( markersPresent c) c) i( turnLeft i) ELSE e( pickMarker e) "
            "REPEAT R=4 r( IF c( frontIsClear c) i( move i) r) m)"
        )
        == EVERYTHING
    )


def test_printed_programs_are_read_as_what_they_were():
    random = Random(1)
    for _ in range(100):
        program = sample(random)
        assert parse(text(program)) == program


def test_each_branch_belongs_to_the_line_where_it_is_taken():
    assert [(line.strip(), goals) for line, goals in lines(EVERYTHING) if goals] == [
        ("while (rightIsClear()) {", (0, 1)),
        ("if (not markersPresent()) {", (2,)),
        ("} else {", (3,)),
        ("repeat (4) {", (4,)),
        ("if (frontIsClear()) {", (5, 6)),
    ]


def nested(depth: int) -> str:
    return "def run() " + "{ if (frontIsClear()) " * depth + "{ move(); }" + " }" * depth


def test_programs_nest_twelve_deep_and_no_deeper():
    parse(nested(12))
    with pytest.raises(ProgramError, match="nested more than 12 deep"):
        parse(nested(13))
    with pytest.raises(ProgramError, match="nested more than 12 deep"):
        parse(nested(2000))


@pytest.mark.parametrize(
    ("program", "line", "column", "what", "hint"),
    [
        ("", 1, 1, "it is empty", "for example: def run()"),
        ("move();", 1, 1, "begins with def run()", "for example: def run()"),
        ("def walk() { move(); }", 1, 5, "begins with def run()", "for example: def run()"),
        ("def run() move();", 1, 11, "{ is missing", "statements stand in braces"),
        ("def run() { move();", 1, 11, "this is never closed", "close it by }"),
        ("def run() { }", 1, 11, "this block is empty", "give it a statement"),
        ("def run() { move(); } move();", 1, 23, "has ended before this", "inside of def run"),
        ("def run() {\n    mvoe();\n}", 2, 5, "mvoe is no statement", "did you mean move?"),
        ("def run() {\n  Move();\n}", 2, 3, "Move is no statement", "did you mean move?"),
        ("def run() { move(3); }", 1, 18, ") is missing", "nothing stands in these parentheses"),
        ("def run() { if frontIsClear() { move(); } }", 1, 16, "( is missing", "stands in parentheses"),
        ("def run() { if (frontIsOpen()) { move(); } }", 1, 17, "no condition", "did you mean frontIsClear?"),
        ("def run() { if () { move(); } }", 1, 17, ") is no condition", "choose from frontIsClear"),
        ("def run() { if (frontIsClear( { move(); } }", 1, 31, ") is missing", "nothing stands in these"),
        ("def run() { frontIsClear(); }", 1, 13, "is a condition", "write if (frontIsClear())"),
        ("def run() { else { move(); } }", 1, 13, "belongs to no if", "right behind"),
        ("def run() { repeat { move(); } }", 1, 20, "how many times is missing", "write repeat (3)"),
        ("def run() { repeat (0) { move(); } }", 1, 21, "0 times is out of range", "1 to 100"),
        ("def run() { repeat (9999999999) { move(); } }", 1, 21, "out of range", "1 to 100"),
        ("def run() { move(); } }", 1, 23, "has ended before this", "inside of def run"),
        ("def run() { ) }", 1, 13, ") means nothing here", "actions are move"),
        ("def run() { move(); @ }", 1, 21, "'@' means nothing here", "for example"),
        ("DEF run m( IFELSE c( frontIsClear c) i( move i) m)", 1, 49, "ELSE is missing", "write IF"),
        ("DEF run m( move w)", 1, 17, "w) means nothing here", "actions are move"),
        ("DEF run m( IF c( frontIsClear ) i( move i) m)", 1, 31, "c) is missing", "close the condition"),
    ],
)
def test_mistakes_are_told_with_place_and_hint(program: str, line: int, column: int, what: str, hint: str):
    with pytest.raises(ProgramError) as caught:
        parse(program)
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert what in error.message
    assert hint in error.hint


def test_whatever_is_cut_off_or_mixed_up_gives_a_program_or_a_mistake():
    random = Random(2)
    for _ in range(100):
        whole = text(sample(random))
        at, other = random.randrange(len(whole)), random.randrange(len(whole))
        for broken in (whole[:at], whole[:at] + whole[other] + whole[at:], whole[:at] + whole[at + 1 :]):
            try:
                parse(broken)
            except ProgramError:
                continue
