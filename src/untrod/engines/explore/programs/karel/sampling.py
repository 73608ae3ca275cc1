"""Random programs. The published data set is not used: this sampler stands in for it.

Blocks have one statement and, each with one chance in two, one more, up to five. A statement is an action in
55% of cases (`move` twice as likely as each other one), else a loop or conditional up to four levels deep:
while, if and if-else 12% each, repeat 9%, 2 to 10 times. One condition in ten is negated. Programs have one
to six conditions.

A program is kept only if every outcome of every condition, and every block, is reached in `WORLDS` random
grids: what nobody can reach should not count, and what is hardly ever reached could not be told from it.
"""

from __future__ import annotations

from random import Random

from untrod.engines.explore.programs.karel.grids import Grids
from untrod.engines.explore.programs.karel.language import (
    ACTIONS,
    CONDITIONS,
    Action,
    Block,
    Condition,
    If,
    Program,
    Repeat,
    Statement,
    While,
    branches,
)
from untrod.engines.explore.programs.karel.running import Machine

WORLDS = 100
_LEVELS = 4
_LONGEST = 5
_MOST_CONDITIONS = 6
_WEIGHTS = (4, 2, 2, 2, 2)


def sample(random: Random) -> Program:
    """A program with at least one condition, all of whose branches can be reached."""
    grids = Grids()
    while True:
        program = Program(_block(random, _LEVELS))
        found = branches(program)
        conditions = sum(branch.kind in ("leave", "skip", "else") for branch in found)
        if not 1 <= conditions <= _MOST_CONDITIONS:
            continue
        everything = (1 << len(found)) - 1
        machine, seen = Machine(program), 0
        for _ in range(WORLDS):
            seen |= machine.mask(grids.draw(random))
            if seen == everything:
                return program


def _block(random: Random, levels: int) -> Block:
    length = 1
    while random.random() < 0.5 and length < _LONGEST:
        length += 1
    return tuple(_statement(random, levels) for _ in range(length))


def _statement(random: Random, levels: int) -> Statement:
    kind = random.random()
    if levels == 0 or kind < 0.55:
        return Action(random.choices(ACTIONS, _WEIGHTS)[0])
    if kind < 0.67:
        return While(_condition(random), _block(random, levels - 1))
    if kind < 0.79:
        return If(_condition(random), _block(random, levels - 1))
    if kind < 0.91:
        return If(_condition(random), _block(random, levels - 1), _block(random, levels - 1))
    return Repeat(random.randint(2, 10), _block(random, levels - 1))


def _condition(random: Random) -> Condition:
    return Condition(random.choice(CONDITIONS), random.random() < 0.1)
