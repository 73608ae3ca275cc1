"""What a person would do with a RobustFill program: read what it looks for, and write that down.

For goals not yet reached, in random order, the tokens and delimiters that they ask for go into the text, each
as often as the index says, as long as there is room. What would run together is kept apart by a blank, and
the rest is filled up, since offsets want long texts.
"""

from __future__ import annotations

from random import Random

from untrod.engines.explore.programs.robustfill.inputs import ALPHABET
from untrod.engines.explore.programs.robustfill.nodes import (
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
