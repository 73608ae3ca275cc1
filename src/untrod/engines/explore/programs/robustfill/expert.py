"""What a person would do with a RobustFill program: read what it looks for, and write that down.

`RobustFillExpert` is the explorer of that name; `advise` is the teacher for imitation, which tries its
texts before it advises one.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from untrod.engines.explore.programs.robustfill.feasible import UNITS
from untrod.engines.explore.programs.robustfill.inputs import ALPHABET
from untrod.engines.explore.programs.robustfill.language import (
    DELIMITERS,
    TOKENS,
    GetAll,
    GetFirst,
    GetFrom,
    GetToken,
    GetUpto,
    RegPos,
    Replace,
)
from untrod.engines.explore.programs.robustfill.running import Goal
from untrod.engines.explore.programs.robustfill.world import RobustFillWorld

UPPER, LOWER, DIGITS = ALPHABET[26:52], ALPHABET[:26], ALPHABET[52:62]


class RobustFillExpert:
    """For goals not yet reached, in random order, the tokens and delimiters that they ask for go into the
    text, each as often as the index says, as long as there is room. What would run together is kept apart
    by a blank, and the rest is filled up, since offsets want long texts."""

    name = "expert"

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._world: RobustFillWorld
        self._seen = 0

    def begin(self, world: RobustFillWorld) -> None:
        self._world = world
        self._seen = 0

    def observe(self, given: str, mask: int) -> None:
        self._seen |= mask

    def propose(self) -> str:
        random, longest = self._random, self._world.inputs.longest
        left = self._world.counted & ~self._seen
        goals = [goal for bit, goal in enumerate(self._world.goals) if left >> bit & 1]
        random.shuffle(goals)
        asked: dict[str, int] = {}
        for goal in goals:
            regex, count = wants(goal)
            wider = {**asked, regex: max(asked.get(regex, 0), count)} if regex else asked
            if sum(2 * times for times in wider.values()) <= longest + 2:
                asked = wider
        pieces = [self._piece(regex) for regex, count in asked.items() for _ in range(count)]
        random.shuffle(pieces)
        text = ""
        for piece in pieces:
            text += " " + piece if text and merge(text[-1], piece[0]) else piece
        while len(text) < longest:
            text += random.choice(ALPHABET)
        return text[:longest]

    def _piece(self, regex: str) -> str:
        """A match of `regex`."""
        choice = self._random.choice
        match regex:
            case "Number" | "Digit":
                return choice(DIGITS)
            case "AllCaps":
                return choice(UPPER)
            case "PropCase":
                return choice(UPPER) + choice(LOWER)
            case "Word" | "Lower":
                return choice(LOWER)
            case "Alphanum" | "Char":
                return choice(LOWER + DIGITS)
        return regex


def wants(goal: Goal) -> tuple[str, int]:
    """Which match, and how many of them; "" where the goal asks for none."""
    match goal:
        case RegPos(regex, index, _):
            return regex, abs(index)
        case GetToken(token, index):
            return token, abs(index)
        case GetFirst(token, count):
            return token, count
        case GetUpto(regex) | GetFrom(regex):
            return regex, 1
        case Replace(old, _):
            return old, 1
        case GetAll(token):
            return token, 1
    return "", 0


def merge(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum()


ENOUGH = 0.75
"""Of what is missing: a plain text that covers so much is advised, whether or not there is a better one."""
SHUFFLES = 16
FILLS = ("Ab7 ", "a", "7")
_ORDER = {regex: place for place, regex in enumerate((*reversed(TOKENS), *DELIMITERS))}


def advise(world: RobustFillWorld, seen: int, random: Random) -> str | None:
    """The best of several texts; None: nothing that was tried covers anything new.

    Where a plain text is good enough, that is it: all matches of one regex, then those of the next, always
    in the same order, with `a`, `A`, `Ab` and `7` for letters and digits. A student learns from teachers
    who always say the same thing in the same way; from shuffled letters it would learn to shuffle.
    """
    left = world.counted & ~seen
    goals = [wants(goal) for bit, goal in enumerate(world.goals) if left >> bit & 1]
    best, most, enough = None, 0, ENOUGH * left.bit_count()
    for text in _texts([want for want in goals if want[0]], world.inputs.longest, random):
        count = (world.run(text) & left).bit_count()
        if count > most:
            best, most = text, count
        if most >= enough:
            return best
        enough = left.bit_count()  # of the others only the whole is enough
    return best


def _texts(goals: list[tuple[str, int]], longest: int, random: Random) -> Iterator[str]:
    asked = _fitting(sorted(goals, key=lambda want: (want[1], _ORDER[want[0]])), longest)
    regexes = sorted(asked, key=_ORDER.__getitem__)
    blocks = [_unit(regex) for regex in regexes for _ in range(asked[regex])]
    turns = range(max(asked.values(), default=0))
    in_turns = [_unit(regex) for turn in turns for regex in regexes if turn < asked[regex]]
    for pieces in (blocks, in_turns, blocks[::-1], in_turns[::-1]):
        yield _joined(pieces, FILLS[0], longest)
    for number in range(SHUFFLES):
        shuffled = _fitting(random.sample(goals, len(goals)), longest)
        pieces = [_unit(regex) for regex, count in shuffled.items() for _ in range(count)]
        random.shuffle(pieces)
        yield _joined(pieces, FILLS[number % len(FILLS)], longest)


def _fitting(goals: list[tuple[str, int]], longest: int) -> dict[str, int]:
    """How often each regex is asked for, by as many of the goals as there is room for."""
    asked: dict[str, int] = {}
    for regex, count in goals:
        wider = {**asked, regex: max(asked.get(regex, 0), count)}
        if sum(2 * times for times in wider.values()) <= longest + 2:
            asked = wider
    return asked


def _unit(regex: str) -> str:
    return {"AllCaps": "A"}.get(regex) or UNITS.get(regex, regex)


def _joined(pieces: list[str], fill: str, longest: int) -> str:
    text = ""
    for piece in pieces:
        text += " " + piece if text and merge(text[-1], piece[0]) else piece
    return (text + fill * longest)[:longest]
