"""RobustFill programs do what the language says, and reach the goals that the paper's figure counts."""

from __future__ import annotations

from random import Random

import pytest

from untrod.engines.explore.programs.robustfill.inputs import Texts
from untrod.engines.explore.programs.robustfill.language import (
    Concat,
    ConstStr,
    Expression,
    GetAll,
    GetFirst,
    GetFrom,
    GetToken,
    GetUpto,
    Nest,
    Offset,
    Position,
    RegPos,
    Replace,
    SubStr,
    ToCase,
    Trim,
)
from untrod.engines.explore.programs.robustfill.parsing import parse
from untrod.engines.explore.programs.robustfill.running import Machine, goals_of
from untrod.engines.explore.programs.robustfill.sampling import sample

FIGURE_6 = """
Concat(
    SubStr(('"', 2, Start), (Lower, 2, Start)),
    SubStr((Lower, 3, End), (Lower, 2, End)),
    SubStr(-1, ('"', 4, Start)),
    ConstStr(","),
    SubStr(('"', 1, End), ('"', 2, End))
)"""


@pytest.mark.parametrize(
    ("given", "output", "coverage"),
    [
        ("F:ua.q3'2s:PhTG,IqIz", "3'2s,", 0.36),
        ('\'Ym71zA9Nm2XmXAf""""', 'zA9Nm2XmXAf"A9Nm","', 1.0),
    ],
)
def test_figure_6_of_the_paper(given: str, output: str, coverage: float):
    program = parse(FIGURE_6)
    goals = [goal for each in program.expressions for goal in goals_of(each)]
    made, mask = Machine(program).run(given)
    assert made == output
    assert round(mask.bit_count() / len(goals), 2) == coverage


@pytest.mark.parametrize(
    ("expression", "given", "output", "goals"),
    [
        ("SubStr(0, 3)", "abcdef", "abc", "1"),
        ("SubStr(3, 0)", "abcdef", "abc", "1"),
        ("SubStr(-1, -3)", "abcdef", "ef", "1"),
        ("SubStr(2, 2)", "abcdef", "", "0"),
        ("SubStr(0, 7)", "abcdef", "", "0"),
        ("SubStr(0, -8)", "abcdef", "", "0"),
        ("GetSpan(Number, 2, Start, Word, -1, End)", "1a 22bb", "22bb", "111"),
        ("GetSpan(Number, 3, Start, Word, -1, End)", "1a 22bb", "", "010"),
        ("GetToken(AllCaps, -2)", "AB cD EF", "D", "1"),
        ("GetToken(AllCaps, 4)", "AB cD EF", "", "0"),
        ("ToCase(Proper)", "ab CD", "Ab Cd", "1"),
        ('Replace(",", ".")', "1,2,3", "1.2.3", "1"),
        ('Replace(",", ".")', "123", "123", "0"),
        ("Trim()", "  a ", "a", "1"),
        ("Trim()", "   ", "", "0"),
        ("GetUpto(Digit)", "ab12", "ab1", "1"),
        ("GetFrom(Digit)", "ab12", "2", "1"),
        ("GetFrom(Digit)", "ab1", "", "0"),
        ("GetFirst(Lower, 2)", "a1b2c", "ab", "1"),
        ("GetFirst(Lower, 4)", "a1b2c", "", "0"),
        ("GetAll(Lower)", "a1b2c", "a b c", "1"),
        ("GetToken(Digit, 1)(GetToken(Word, 1))", "ab12", "", "10"),
        ("ToCase(AllCaps)(SubStr(0, 2))", "abc", "AB", "11"),
        ('ConstStr("x")', "", "x", ""),
    ],
)
def test_each_expression(expression: str, given: str, output: str, goals: str):
    """`goals` has a digit for each goal, the first one first."""
    program = parse(f"Concat({expression})")
    assert Machine(program).run(given) == (output, int(goals[::-1] or "0", 2))
    assert len(goals_of(program.expressions[0])) == len(goals)


def test_compiled_programs_agree_with_a_plain_evaluator():
    random = Random(3)
    texts = Texts()
    for _ in range(300):
        program = sample(random)
        machine = Machine(program)
        for _ in range(5):
            given = texts.draw(random)
            assert machine.run(given) == naive(program, given)


def naive(program: Concat, given: str) -> tuple[str, int]:
    """The definition, as plainly as it can be put: no regular expressions, no closures."""
    bits: list[bool] = []
    output = "".join(_value(each, given, bits) for each in program.expressions)
    return output, sum(1 << place for place, bit in enumerate(bits) if bit)


def _value(of: Expression, text: str, bits: list[bool]) -> str:
    match of:
        case ConstStr(constant):
            return constant
        case Nest(outer, inner):
            return _value(outer, _value(inner, text, bits), bits)
        case SubStr(left, right):
            places = [_place(left, text, bits), _place(right, text, bits)]
            made = "" if None in places else text[min(places) : max(places)]
        case Replace(old, new):
            bits.append(old in text)
            return text.replace(old, new)
        case GetToken(token, index):
            found = [text[start:stop] for start, stop in _matches(token, text)]
            made = _pick(found, index) or ""
        case ToCase(case):
            made = {"Proper": text.title(), "AllCaps": text.upper(), "Lower": text.lower()}[case]
        case Trim():
            made = text.strip(" ")
        case GetUpto(regex):
            first = _pick(_matches(regex, text), 1)
            made = text[: first[1]] if first else ""
        case GetFrom(regex):
            first = _pick(_matches(regex, text), 1)
            made = text[first[1] :] if first else ""
        case GetFirst(token, count):
            found = [text[start:stop] for start, stop in _matches(token, text)]
            made = "".join(found[:count]) if len(found) >= count else ""
        case GetAll(token):
            made = " ".join(text[start:stop] for start, stop in _matches(token, text))
    bits.append(made != "")
    return made


def _place(of: Position, text: str, bits: list[bool]) -> int | None:
    if isinstance(of, Offset):
        gap = of.at if of.at >= 0 else len(text) + 1 + of.at
        return gap if 0 <= gap <= len(text) else None
    found = _pick(_matches(of.regex, text), of.index)
    bits.append(found is not None)
    return None if found is None else found[of.boundary == "End"]


def _pick(found: list, index: int):
    at = index - 1 if index > 0 else len(found) + index
    return found[at] if 0 <= at < len(found) else None


UPPER, LOWER, DIGIT = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"
RUNS = {
    "Number": DIGIT,
    "Word": UPPER + LOWER,
    "Alphanum": UPPER + LOWER + DIGIT,
    "AllCaps": UPPER,
    "Lower": LOWER,
}
SINGLE = {"Digit": DIGIT, "Char": UPPER + LOWER + DIGIT}


def _matches(regex: str, text: str) -> list[tuple[int, int]]:
    found, start = [], 0
    while start < len(text):
        stop = start
        if regex in RUNS:
            while stop < len(text) and text[stop] in RUNS[regex]:
                stop += 1
        elif regex == "PropCase":
            if text[start] in UPPER:
                stop = start + 1
                while stop < len(text) and text[stop] in LOWER:
                    stop += 1
                stop = start if stop == start + 1 else stop
        elif text[start] in SINGLE.get(regex, regex):
            stop = start + 1
        if stop > start:
            found.append((start, stop))
        start = max(stop, start + 1)
    return found


def test_there_is_a_plain_reading_of_every_position():
    assert _matches("PropCase", "ABc dEf") == [(1, 3), (5, 7)]
    assert isinstance(parse(FIGURE_6).expressions[0], SubStr)
    assert RegPos("Lower", 2, "End") == parse(FIGURE_6).expressions[1].right
