"""Programs as text: `parse(text(program)) == program`."""

from __future__ import annotations

from dataclasses import fields

from untrod.engines.explore.programs.robustfill.nodes import (
    CASES,
    TOKENS,
    Concat,
    ConstStr,
    Expression,
    Nest,
    Nesting,
    Offset,
    Position,
    RegPos,
    SubStr,
)


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
