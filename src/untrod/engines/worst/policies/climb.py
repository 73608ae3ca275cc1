"""A hill-climber on concrete inputs: no solver, no symbols, thousands of runs in the time of one path.

It begins with rows that have a pattern, and with what was costly at the last size. Then it changes the best
row by one or a few mutations and keeps what costs no less: walking along a plateau is how it crosses it.
Mutations that helped are drawn more often. A start that has brought nothing for as long as it climbed before
is given up for a new one: a random input, or the best of all, shaken.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from untrod.core.seeds import derive
from untrod.core.vocabulary import Json
from untrod.engines.worst.arena import Arena, Attempt, Field, Inputs
from untrod.engines.worst.policies.base import Lesson
from untrod.engines.worst.policies.mutations import MUTATIONS, Limits, Row
from untrod.learn.serialise import dump_random, load_random

_RENEW = len(MUTATIONS)
"""The number of one more mutation, which needs the limits: any value that the place may have."""
_FLOOR = 0.2  # no mutation is ever given up
_FORGET = 0.95


class Climb:
    """See the module's text."""

    name = "climb"
    learning = False

    def __init__(self, seed: int) -> None:
        self._rng = Random(derive(seed, self.name))
        self._pay = [1.0] * (1 + _RENEW)
        self._limits: tuple[tuple[Field, ...], Limits] | None = None
        self._carried: list[Row] = []  # the costliest row of the last size, field by field
        self._begin()

    def _begin(self) -> None:
        self._starts: list[Row] | None = None
        self._row: Row = []
        self._cost = -1
        self._best: tuple[int, Row] = (-1, [])
        self._idle = self._climbed = 0  # attempts since the last gain, and from this start to that gain

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        return ()

    def grow(self, size: int, *, lesson: bool = False) -> None:
        self._begin()

    # -- one step ---------------------------------------------------------------------------------

    def step(self, arena: Arena) -> Attempt | None:
        limits = self._limits_of(arena)
        if not len(limits):
            return None
        row, used = self._next_row(arena, limits)
        attempt = replace(arena.run(arena.shape.build(limits.leaves(row))), by=self.name)
        gain = attempt.cost - self._cost
        if used:
            self._settle_pay(used, gain > 0)
        if gain >= 0:
            self._row, self._cost = row, attempt.cost
        self._idle += 1
        if gain > 0:
            self._climbed, self._idle = self._climbed + self._idle, 0
        if attempt.cost > self._best[0]:
            self._best = attempt.cost, row
            self._carried = [row[stretch.start : stretch.stop] for stretch in limits.stretches]
        return attempt

    def _limits_of(self, arena: Arena) -> Limits:
        """Made once for each shape: a large one has thousands of places."""
        fields = arena.shape.fields()
        if self._limits is None or self._limits[0] != fields:
            self._limits = fields, Limits(fields)
        return self._limits[1]

    def _next_row(self, arena: Arena, limits: Limits) -> tuple[Row, list[int]]:
        """The row to run, and the mutations it came about by."""
        if self._starts is None:
            first = _row(arena, arena.random(self._rng))
            self._starts = [first, *limits.starts()[::-1], *limits.stretched(self._carried)]
        best = arena.best
        if (
            best is not None
            and best.by != self.name
            and best.inputs is not None
            and best.cost > self._best[0]
        ):
            # Somebody else did better: climb on from there. Its cost is known, so only the change is run.
            self._row, self._cost, self._idle = _row(arena, best.inputs), best.cost, 0
            self._best = best.cost, self._row
        if self._starts:
            return self._starts.pop(), []
        if self._idle > max(200 + 20 * len(limits), self._climbed):
            return self._restart(arena, limits), []
        return self._mutant(self._row, limits, 1 + (self._rng.random() < 0.4) + (self._rng.random() < 0.1))

    def _restart(self, arena: Arena, limits: Limits) -> Row:
        self._idle = self._climbed = 0
        self._cost = -1
        if self._rng.random() < 0.5:
            return _row(arena, arena.random(self._rng))
        return self._mutant(self._best[1], limits, 2 + self._rng.randrange(8))[0]

    def _mutant(self, parent: Row, limits: Limits, changes: int) -> tuple[Row, list[int]]:
        rng, row, used = self._rng, list(parent), list[int]()
        for _ in range(20):
            stretch = rng.choice(limits.stretches)
            used += rng.choices(range(1 + _RENEW), self._pay)
            if used[-1] == _RENEW:
                place = rng.choice(stretch)
                row[place] = limits.random_value(place, row, rng)
            else:
                MUTATIONS[used[-1]](row, stretch, rng)
            limits.clamp(row, stretch)
            changes -= 1
            if changes <= 0 and row != parent:
                break
        return row, used

    def _settle_pay(self, used: list[int], won: bool) -> None:
        for number in used:
            self._pay[number] = max(_FLOOR, self._pay[number] * _FORGET + 0.5 * won)

    def offer(self, attempt: Attempt) -> None:
        """The arena's best is looked at before each step; nothing else is of use."""

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        return {
            "random": dump_random(self._rng),
            "pay": self._pay,
            "carried": self._carried,
            "starts": self._starts,
            "now": [self._row, self._cost, list(self._best), self._idle, self._climbed],
        }

    def load(self, state: Json) -> None:
        pay = [float(number) for number in state["pay"]]
        if len(pay) != 1 + _RENEW:
            raise ValueError("a climber with other mutations")
        row, cost, (best_cost, best_row), idle, climbed = state["now"]
        starts = state["starts"]
        load_random(self._rng, state["random"])
        self._pay, self._carried = pay, [list(map(int, part)) for part in state["carried"]]
        self._starts = None if starts is None else [list(map(int, start)) for start in starts]
        self._row, self._cost = list(map(int, row)), int(cost)
        self._idle, self._climbed = int(idle), int(climbed)
        self._best = int(best_cost), list(map(int, best_row))


def _row(arena: Arena, inputs: Inputs) -> Row:
    return [ord(leaf) if isinstance(leaf, str) else int(leaf) for leaf in arena.shape.flatten(inputs)]
