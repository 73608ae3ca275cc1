"""A teacher for RobustFill: writes down what the missing goals look for, in several ways, and keeps the best.

The expert's idea (`explorers/robustfill_expert.py`), with two differences. It tries its texts before it
advises one. And where a plain text is good enough, it takes that: all matches of one regex, then those of the
next, always in the same order, with `a`, `A`, `Ab` and `7` for letters and digits. A student learns from
teachers who always say the same thing in the same way; from shuffled letters it would learn to shuffle.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from untrod.engines.explore.programs.explorers.robustfill_expert import merge, wants
from untrod.engines.explore.programs.robustfill.feasible import UNITS
from untrod.engines.explore.programs.robustfill.nodes import DELIMITERS, TOKENS
from untrod.engines.explore.programs.robustfill.world import RobustFillWorld

ENOUGH = 0.75
"""Of what is missing: a plain text that covers so much is advised, whether or not there is a better one."""
SHUFFLES = 16
FILLS = ("Ab7 ", "a", "7")
_ORDER = {regex: place for place, regex in enumerate((*reversed(TOKENS), *DELIMITERS))}


def advise(world: RobustFillWorld, seen: int, random: Random) -> str | None:
    """None: nothing that was tried covers anything new."""
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
