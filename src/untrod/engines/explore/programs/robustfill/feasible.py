"""Which goals of an expression some input can reach: those for which an input was found that does.

There are goals that no text reaches. `GetToken(Number, 1)(GetToken(Word, 1))` looks for digits among letters;
`SubStr(60, 70)` wants a longer text than there is; and a span from a place to itself is always empty.
Counting them would make full coverage impossible and every figure lower for no fault of the explorer.

A goal counts when there is a *witness*, a text within the longest length that reaches it. Goals of one
expression depend on no other expression, so witnesses are sought for each expression alone:

1. *patterns*: texts made of the tokens and delimiters that the expression names, repeated, in turns, with
   something before and behind, in several lengths;
2. *search*: `TRIES` texts, half of them neighbours of the pattern that reached most, half drawn from the
   expression's own characters. They come from a stream of their own, so that the answer is always the same.

A witness is a proof. That a goal has none is not: the share of goals that longer searches still find is in
`docs/explore-programs.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import lru_cache

from untrod.core.seeds import stream
from untrod.engines.explore.programs.robustfill.inputs import ALPHABET, LONGEST, Texts
from untrod.engines.explore.programs.robustfill.language import (
    HIGHEST_INDEX,
    Expression,
    Nest,
    Replace,
    SubStr,
)
from untrod.engines.explore.programs.robustfill.language import expression as text_of
from untrod.engines.explore.programs.robustfill.running import compiled, goals_of

TRIES = 400
UNITS = {
    "Number": "7",
    "Word": "a",
    "Alphanum": "a",
    "AllCaps": "B",
    "PropCase": "Ab",
    "Lower": "a",
    "Digit": "7",
    "Char": "7",
}
"""A shortest match of each token; a delimiter matches itself."""


@lru_cache(maxsize=1 << 16)
def feasible(expression: Expression, longest: int = LONGEST, alphabet: str = ALPHABET) -> int:
    """The mask of the expression's goals, counted from bit 0, for which there is a witness."""
    piece, count = compiled(expression)
    everything = (1 << count) - 1
    seen = [0]
    best, most = "", -1
    for text in _patterns(expression, longest):
        if not set(text) <= set(alphabet):
            continue
        before, seen[0] = seen[0], 0
        piece(text, seen)
        if seen[0].bit_count() > most:
            best, most = text, seen[0].bit_count()
        seen[0] |= before
        if seen[0] == everything:
            return everything
    random = stream(0, "feasible", text_of(expression), longest, alphabet)
    neighbours = Texts(longest, alphabet)
    own = Texts(longest, "".join(sorted(set(best))) or alphabet)
    for number in range(TRIES):
        piece(neighbours.mutate(best, random) if number % 2 else own.draw(random), seen)
        if seen[0] == everything:
            break
    return seen[0]


def units_of(expression: Expression) -> list[str]:
    """What the expression looks for: a match of each token and delimiter that it names."""
    names: list[str] = []
    for goal in goals_of(expression):
        if isinstance(goal, Replace):
            names.append(goal.old)
        elif not isinstance(goal, SubStr):
            names += [getattr(goal, field.name) for field in fields(goal) if field.name in ("regex", "token")]
    return list(dict.fromkeys(UNITS.get(name, name) for name in names))


def _patterns(expression: Expression, longest: int) -> Iterator[str]:
    """Texts in which the units come often enough, in either order, apart from one another."""
    units = units_of(expression) or ["a"]
    if isinstance(expression, Nest | SubStr) or len(units) == 1:
        units = units[:3]
    gaps = [gap for gap in (",", " ", "a", "7", "") if gap not in units]
    for order in (units, units[::-1]):
        for gap in gaps:
            once = gap.join(order) + gap
            for times in (longest, HIGHEST_INDEX, 2, 1):
                repeated = once * times
                yield repeated[:longest]
                yield ("a " + repeated)[:longest]
                yield (repeated * 2)[:longest].strip(" ")
            inside = (order[-1] + gap) * HIGHEST_INDEX
            for times in (1, 3):
                yield (order[0] * times + inside + order[len(order) // 2] * times)[:longest]
            blocks = "".join((unit + gap) * HIGHEST_INDEX for unit in order)
            yield blocks[:longest]
            yield blocks[-longest:]
    for length in range(1, longest + 1):
        yield ("Ab7, " * longest)[:length]
