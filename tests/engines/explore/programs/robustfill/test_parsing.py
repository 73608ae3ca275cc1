"""RobustFill programs are read, printed and read again; mistakes are told with their place."""

from __future__ import annotations

from random import Random

import pytest

from untrod.engines.explore.programs.parsing import ProgramError
from untrod.engines.explore.programs.robustfill.language import (
    Concat,
    ConstStr,
    GetToken,
    Nest,
    Offset,
    RegPos,
    SubStr,
    ToCase,
    Trim,
    text,
)
from untrod.engines.explore.programs.robustfill.parsing import parse
from untrod.engines.explore.programs.robustfill.sampling import sample


def test_a_program_is_a_row_of_expressions():
    program = parse("""
        Concat(                                # a comment
            GetToken(Word, -1),
            ConstStr(", "),
            ToCase(Proper)(SubStr(0, 3)),
            Trim()
        )""")
    assert program == Concat(
        (
            GetToken("Word", -1),
            ConstStr(", "),
            Nest(ToCase("Proper"), SubStr(Offset(0), Offset(3))),
            Trim(),
        )
    )


def test_the_spelling_of_the_paper_is_read():
    """Appendix B.2 of the GMetaExp paper."""
    program = parse("Concat(Substr((Num,3,End),(Proper,2,Start)), Substr((';',1,End),(',',4,Start)))")
    assert program == Concat(
        (
            SubStr(RegPos("Number", 3, "End"), RegPos("PropCase", 2, "Start")),
            SubStr(RegPos(";", 1, "End"), RegPos(",", 4, "Start")),
        )
    )


def test_a_span_and_a_substring_between_two_expressions_are_the_same():
    assert parse('Concat(GetSpan(Lower, 1, End, ",", 2, Start))') == parse(
        'Concat(SubStr((Lower, 1, End), (",", 2, Start)))'
    )


def test_printed_programs_are_read_as_what_they_were():
    random = Random(1)
    for _ in range(300):
        program = sample(random)
        assert parse(text(program)) == program


@pytest.mark.parametrize("constant", ['"', "'", "\\", "#", "(", "a\nb", '\\"', ""])
def test_constants_of_any_characters_survive(constant: str):
    program = Concat((ConstStr(constant),))
    assert parse(text(program)) == program


@pytest.mark.parametrize(
    ("program", "line", "column", "what", "hint"),
    [
        ("", 1, 1, "it is empty", "for example: Concat("),
        ("  # nothing", 1, 12, "it is empty", "for example: Concat("),
        ("Trim()", 1, 1, "begins with Concat", "for example: Concat("),
        ("Concat(", 1, 8, "stops too early", "choose from SubStr"),
        ("Concat()", 1, 8, ") is no expression", "choose from SubStr"),
        ("Concat(Trim()", 1, 14, ") is missing", "separated by commas"),
        ("Concat(Trim() Trim())", 1, 15, ") is missing", "separated by commas"),
        ("Concat(Trim())\nTrim()", 2, 1, "has ended before this", "leave it out"),
        ("Concat(\n  GetTokn(Word, 1))", 2, 3, "GetTokn is no expression", "did you mean GetToken?"),
        ("Concat(GetToken(Wrd, 1))", 1, 17, "Wrd is no token", "did you mean Word?"),
        ("Concat(GetToken(Word))", 1, 21, ", is missing", "GetToken takes 2 arguments"),
        ("Concat(GetToken(Word, 1, 2))", 1, 24, ") is missing", "GetToken takes 2 arguments"),
        ("Concat(Trim(1))", 1, 13, ") is missing", "Trim takes no argument"),
        ("Concat(GetToken(Word, 0))", 1, 23, "the index 0 names no match", "1 is the first"),
        ("Concat(GetToken(Word, 6))", 1, 23, "out of range", "-5 to 5"),
        ("Concat(SubStr(1, 101))", 1, 18, "out of range", "-100 to 100"),
        ("Concat(SubStr(1, 9999999999999999999999))", 1, 18, "out of range", "-100 to 100"),
        ("Concat(SubStr(1, Word))", 1, 18, "an offset is missing", "from -100 to 100"),
        ("Concat(GetFirst(Word, -1))", 1, 23, "out of range", "1 to 5"),
        ('Concat(GetUpto("ab"))', 1, 16, "is no delimiter", "choose from &,.?"),
        ('Concat(Replace("a", ","))', 1, 16, "is no delimiter", "choose from &,.?"),
        ("Concat(GetUpto(,))", 1, 16, "is no token", "choose from Number"),
        ("Concat(ToCase(Upper))", 1, 15, "Upper is no case", "did you mean Proper?"),
        ("Concat(GetSpan(Word, 1, Begin, Word, 2, End))", 1, 25, "Begin is no boundary", "Start, End"),
        ('Concat("a")', 1, 8, "a constant needs a name", 'write ConstStr("a")'),
        ("Concat(ConstStr(a))", 1, 17, "a constant in quotes is missing", 'as in ","'),
        ('Concat(Trim()(ConstStr("a")))', 1, 15, "a constant cannot be nested", "nest a substring"),
        ("Concat(Trim()(Trim()(Trim())))", 1, 21, "nested a third time", "n(n)"),
        ("Concat(GetUpto(;))", 1, 16, "';' means nothing here", "stand in quotes"),
        ('Concat(GetUpto(";))', 1, 16, "means nothing here", "stand in quotes"),
    ],
)
def test_mistakes_are_told_with_place_and_hint(program: str, line: int, column: int, what: str, hint: str):
    with pytest.raises(ProgramError) as caught:
        parse(program)
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert what in error.message
    assert f"line {line}, column {column}" in error.message
    assert hint in error.hint


def test_whatever_is_cut_off_or_mixed_up_gives_a_program_or_a_mistake():
    random = Random(2)
    for _ in range(400):
        whole = text(sample(random, most=3))
        at, other = random.randrange(len(whole)), random.randrange(len(whole))
        for broken in (whole[:at], whole[:at] + whole[other] + whole[at:], whole[:at] + whole[at + 1 :]):
            try:
                parse(broken)
            except ProgramError:
                continue


def test_a_program_that_is_far_too_long_is_refused():
    with pytest.raises(ProgramError, match="too long"):
        parse("Concat(" + "Trim()," * 50_000 + "Trim())")
    with pytest.raises(ProgramError, match="more than 1000 expressions"):
        parse("Concat(" + "Trim()," * 2_000 + "Trim())")
