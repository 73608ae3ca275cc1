"""Random programs. The published data set of the paper is not available: this sampler stands in for it.

One to ten expressions. Of these, 30% are substrings, 25% nestings, 15% a nesting of a nesting, 15% a nesting
of a substring, 15% constants. Half of the substrings are offsets, half spans. Offsets lie within the longest
text. A regular expression is a token in 56% of cases. Indices from 1 to 5 have the odds 3:2:2:1:1, and either
sign: with these, random inputs cover what the paper says they do (0.73 with 10 of them, 0.85 with 100).
Programs without a goal, constants only, are drawn again.
"""

from __future__ import annotations

from random import Random

from untrod.engines.explore.programs.robustfill.inputs import ALPHABET, LONGEST
from untrod.engines.explore.programs.robustfill.language import (
    BOUNDARIES,
    CASES,
    DELIMITERS,
    HIGHEST_INDEX,
    TOKENS,
    Concat,
    ConstStr,
    Expression,
    GetAll,
    GetFirst,
    GetFrom,
    GetToken,
    GetUpto,
    Nest,
    Nesting,
    Offset,
    Regex,
    RegPos,
    Replace,
    SubStr,
    ToCase,
    Trim,
)
from untrod.engines.explore.programs.robustfill.running import goals_of

MOST = 10
_TOKENS = tuple(TOKENS)
_REGEXES: tuple[Regex, ...] = (*TOKENS, *DELIMITERS)
_INDICES = (1, 1, 1, 2, 2, 3, 3, 4, 5)


def sample(random: Random, most: int = MOST) -> Concat:
    """A program of 1 to `most` expressions, with at least one goal."""
    while True:
        expressions = tuple(_expression(random) for _ in range(random.randint(1, most)))
        if any(map(goals_of, expressions)):
            return Concat(expressions)


def _expression(random: Random) -> Expression:
    kind = random.random()
    if kind < 0.30:
        return _substring(random)
    if kind < 0.55:
        return _nesting(random)
    if kind < 0.70:
        return Nest(_nesting(random), _nesting(random))
    if kind < 0.85:
        return Nest(_nesting(random), _substring(random))
    return ConstStr(random.choice(ALPHABET))


def _substring(random: Random) -> SubStr:
    if random.random() < 0.5:
        return SubStr(Offset(_offset(random)), Offset(_offset(random)))
    return SubStr(_position(random), _position(random))


def _offset(random: Random) -> int:
    return random.randint(-LONGEST, LONGEST)


def _position(random: Random) -> RegPos:
    return RegPos(_regex(random), _index(random), random.choice(BOUNDARIES))


def _index(random: Random) -> int:
    return random.choice(_INDICES) * random.choice((1, -1))


def _regex(random: Random) -> Regex:
    return random.choice(_REGEXES if random.random() < 0.6 else _TOKENS)


def _nesting(random: Random) -> Nesting:
    match random.randrange(8):
        case 0:
            return GetToken(random.choice(_TOKENS), _index(random))
        case 1:
            return ToCase(random.choice(CASES))
        case 2:
            return Replace(random.choice(DELIMITERS), random.choice(DELIMITERS))
        case 3:
            return Trim()
        case 4:
            return GetUpto(_regex(random))
        case 5:
            return GetFrom(_regex(random))
        case 6:
            return GetFirst(random.choice(_TOKENS), random.randint(1, HIGHEST_INDEX))
        case _:
            return GetAll(random.choice(_TOKENS))
