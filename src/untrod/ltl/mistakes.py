"""What is wrong with a formula that cannot be read: the place, in words, and what to write instead."""

from __future__ import annotations

import re

from untrod.core.errors import Misread

# ruff: noqa: RUF001  (signs that look like letters are the point)
INSTEAD = {
    "=>": "->",
    "==>": "->",
    "-->": "->",
    "→": "->",
    "⇒": "->",
    "&&": "&",
    "/\\": "&",
    "∧": "&",
    "||": "|",
    "\\/": "|",
    "∨": "|",
    "¬": "!",
    "~": "!",
    "○": "X",
    "◯": "X",
    "◇": "F",
    "<>": "F",
    "□": "G",
    "⊤": "true",
    "⊥": "false",
    "and": "&",
    "or": "|",
    "not": "!",
    "implies": "->",
    "next": "X",
    "eventually": "F",
    "finally": "F",
    "always": "G",
    "globally": "G",
    "never": "G !",
    "until": "U",
    "release": "R",
    "unless": "W",
    "<->": "(a -> b) & (b -> a)",
    "<=>": "(a -> b) & (b -> a)",
    "↔": "(a -> b) & (b -> a)",
    "M": "b U (a & b)",
}
"""Spellings from elsewhere, and ours."""

OPERATORS = "the operators are ! & | -> X N F G U W R"
ATOMS = "what is seen is written [name ~ value] or [name = value]"
BOUNDS = "bounds are written [<=3] for steps, [<=2s] or [<=500ms] for time"

_SIGNS = sorted((sign for sign in INSTEAD if not sign[0].isalpha()), key=len, reverse=True)
_BRACKET = re.compile(r'\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\]', re.DOTALL)
_SILENT = re.compile(_BRACKET.pattern + r"|(?P<comment>#[^\n]*)", re.DOTALL)


class FormulaError(Misread):
    """A formula that cannot be read. Most are a single line, whose number would tell nothing."""

    always_names_line = False


def diagnose(text: str, position: int, wants_formula: bool) -> FormulaError:
    """Why reading stopped at `position`, where a formula or else an operator was expected."""
    if position >= len(text):
        return _too_short(text)
    rest = text[position:]
    sign = _wrong_sign(text, position)
    start, word = _word(text, position)
    if rest[0] == "[" and not _BRACKET.match(rest):
        return _unclosed(text, position)
    if sign is not None:
        return _instead(text, sign[0], sign[1])
    if word in INSTEAD or word.lower() in INSTEAD:
        return _instead(text, start, word)
    if len(word) > 1:
        return FormulaError(text, start, f"the word {word} means nothing here", ATOMS)
    if rest[0] == ")":
        return _closing(text, position)
    if rest.startswith("[<"):
        return FormulaError(text, position, "a bound belongs right behind F, G, U, W or R", BOUNDS)
    if wants_formula and (rest[0] in "&|UWR" or rest.startswith("->")):
        operator = "->" if rest[0] == "-" else rest[0]
        return FormulaError(text, position, f"{operator} needs a formula on its left", ATOMS)
    if not wants_formula and rest[0] in "[(!XNFG":
        return FormulaError(text, position, "an operator is missing here", "join formulas by &, |, -> or U")
    return FormulaError(text, position, f"{rest[0]} means nothing here", OPERATORS)


def bad_atom(text: str, position: int, bracket: str) -> FormulaError:
    """A bracket that closes, and is no atom."""
    inside = bracket[1:-1].strip()
    if re.fullmatch(r"<=\s*\d+(\.\d+\s*m?s|\s*m?s)?", inside):
        return FormulaError(text, position, "a bound belongs right behind F, G, U, W or R", BOUNDS)
    if re.match(r"[<>\d]", inside):
        return FormulaError(text, position, f"{bracket} is not a bound", BOUNDS)
    negated = re.match(r"([\w.\-]+)\s*(?:!=|!~|<>)\s*(.*)", inside)
    if negated:
        sign = "~" if "!~" in inside else "="
        hint = f"write ![{negated[1]} {sign} {negated[2]}]"
        return FormulaError(text, position, f"{bracket} is not a label", hint)
    doubled = re.match(r"([\w.\-]+)\s*([=~]{2,})\s*(.*)", inside)
    if doubled:
        sign = "~" if "~" in doubled[2] else "="
        hint = f"write [{doubled[1]} {sign} {doubled[3]}]"
        return FormulaError(text, position, f"{bracket} is not a label", hint)
    if re.fullmatch(r"[\w.\-]+", inside):
        hint = f"write [{inside} ~ value] or [{inside} = true]"
        return FormulaError(text, position, f"{bracket} says nothing about {inside}", hint)
    if re.fullmatch(r"[\w.\-]+\s*[~=]", inside):
        return FormulaError(
            text, position, f"{bracket} has no value", f'write [{inside} ""] for the empty one'
        )
    if re.match(r"[~=]", inside):
        return FormulaError(text, position, f"{bracket} has no name", ATOMS)
    if '"' in inside:
        what = "a quoted value begins and ends with a quote"
        return FormulaError(text, position, what, 'write [text ~ "a [b] c"], with \\" for a quote inside')
    if "[" in inside:
        hint = 'close the first one, or quote the value: [text ~ "a [b] c"]'
        return FormulaError(text, position, "there is a bracket inside this bracket", hint)
    return FormulaError(text, position, f"{bracket} is not a label", ATOMS)


def bad_bound(text: str, position: int, bracket: str) -> FormulaError:
    return FormulaError(text, position, f"{bracket} is not a bound", BOUNDS)


def _too_short(text: str) -> FormulaError:
    if not _SILENT.sub(lambda found: "" if found["comment"] else found[0], text).strip():
        return FormulaError(text, 0, "the formula is empty", "for example: F [text ~ Saved]")
    opened = _open_parentheses(text)
    if opened:
        return FormulaError(text, opened[-1], "this parenthesis is never closed", "close it by )")
    return FormulaError(text, len(text.rstrip()), "the formula stops too early", "a formula must follow here")


def _unclosed(text: str, position: int) -> FormulaError:
    rest = text[position:].partition("\n")[0]
    if rest.count('"') % 2:
        return FormulaError(text, position + rest.rindex('"'), "this quote is never closed", ATOMS)
    return FormulaError(text, position, "this bracket is never closed", ATOMS)


def _closing(text: str, position: int) -> FormulaError:
    if _open_parentheses(text[:position]):
        return FormulaError(text, position, "a formula is missing before this parenthesis", ATOMS)
    return FormulaError(text, position, "this parenthesis was never opened", "leave it out")


def _instead(text: str, position: int, wrong: str) -> FormulaError:
    right = INSTEAD.get(wrong) or INSTEAD[wrong.lower()]
    return FormulaError(text, position, f"{wrong} is not an operator", f"write {right}")


def _wrong_sign(text: str, position: int) -> tuple[int, str] | None:
    """A sign from elsewhere at this place, or one whose first half we took for ours: `&&`, `->>`."""
    for start in (position - 1, position):
        for sign in _SIGNS:
            if start >= 0 and text.startswith(sign, start) and start + len(sign) > position:
                return start, sign
    return None


def _word(text: str, position: int) -> tuple[int, str]:
    """The whole word around this place: of `Until`, reading took the first letter for an operator."""
    start = position
    while start and text[start - 1].isalnum():
        start -= 1
    found = re.compile(r"\w+").match(text, start)
    return (start, found[0]) if found and text[position].isalnum() else (position, "")


def _open_parentheses(text: str) -> list[int]:
    opened: list[int] = []
    for place, sign in enumerate(_SILENT.sub(lambda found: " " * len(found[0]), text)):
        if sign == "(":
            opened.append(place)
        elif sign == ")" and opened:
            opened.pop()
    return opened
