"""A hill-climber on concrete inputs: no solver, no symbols, thousands of runs in the time of one path.

It begins with vectors that have a pattern, and with what was costly at the last size. Then it changes the
best vector by one or a few mutations and keeps what costs no less: so it crosses plateaus.
Mutations that helped are drawn more often. A start that has brought nothing for as long as it climbed before
is given up for a new one: a random input, or the best of all, shaken.

Worst cases are rarely noise. They are sorted, repeated, alternating, equal but for the last. So besides
changing a single value, a mutation orders, reverses, copies or repeats a stretch. Every mutation gets the
vector, the stretch of one field it may change, and the random stream, and changes the vector in place.
`Limits` keeps each value within its field.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from untrod.core.seeds import derive
from untrod.core.vocabulary import Json
from untrod.engines.worst.protocol import Attempt, Environment, Field, Inputs, Lesson
from untrod.learn.serialise import dump_random, load_random

Vector = list[int]
"""The leaves of an input, as numbers."""
Mutation = Callable[[Vector, range, Random], None]


class Limits:
    """The values that each place of a vector may have, and the structured vectors to begin with."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self.stretches: list[range] = []
        self.lows: list[int | None] = []
        self.highs: list[int | None] = []
        self._kinds: list[Callable[[int], Any]] = []
        for field in fields:
            start = len(self.lows)
            self.lows += [field.low] * field.length
            self.highs += [field.high] * field.length
            self._kinds += [chr if field.kind is str else field.kind] * field.length
            if field.length:
                self.stretches.append(range(start, start + field.length))

    def __len__(self) -> int:
        return len(self.lows)

    def leaves(self, vector: Vector) -> list[Any]:
        """The values that these numbers stand for."""
        return [kind(number) for kind, number in zip(self._kinds, vector, strict=True)]

    def clamp(self, vector: Vector, stretch: range | None = None) -> None:
        """The whole vector, or the stretch that has changed."""
        for place in range(len(vector)) if stretch is None else stretch:
            low, high = self.lows[place], self.highs[place]
            if low is not None and vector[place] < low:
                vector[place] = low
            elif high is not None and vector[place] > high:
                vector[place] = high

    def starts(self) -> list[Vector]:
        """With a pattern in every field: equal, rising, falling, alternating, a peak, equal but one."""
        patterns: list[Callable[[int, int], int]] = [
            lambda place, length: 0,
            lambda place, length: place,
            lambda place, length: length - 1 - place,
            lambda place, length: place % 2,
            lambda place, length: min(place, length - 1 - place),
            lambda place, length: int(place == length - 1),
            lambda place, length: int(place > 0),
        ]
        vectors = [self._patterned([pattern] * len(self.stretches)) for pattern in patterns]
        if len(self.stretches) == 2:
            vectors += [self._patterned([patterns[0], pattern]) for pattern in patterns[1:]]
        elif len(self.stretches) > 2:
            vectors += [self._across(pattern) for pattern in _ACROSS]
        return vectors

    def _across(self, pattern: Callable[[int, int], int]) -> Vector:
        """Many fields, as the rows of a matrix: a pattern over both indices, pressed into the bounds."""
        vector = []
        for number, stretch in enumerate(self.stretches):
            low, high = self.lows[stretch.start], self.highs[stretch.start]
            base = low if low is not None else min(0, high) if high is not None else 0
            most = max(len(stretch), len(self.stretches)) ** 2
            for place in range(len(stretch)):
                value = pattern(number, place)
                vector.append(
                    base + (value if high is None or most <= high - base else value * (high - base) // most)
                )
        self.clamp(vector)
        return vector

    def _patterned(self, patterns: Sequence[Callable[[int, int], int]]) -> Vector:
        vector = []
        for stretch, pattern in zip(self.stretches, patterns, strict=True):
            low, high = self.lows[stretch.start], self.highs[stretch.start]
            base = low if low is not None else min(0, high) if high is not None else 0
            reach = None if high is None else high - base + 1
            for place in range(len(stretch)):
                value = pattern(place, len(stretch))
                if reach is not None and reach < len(stretch) > 2:
                    value = value * reach // len(stretch) if value > 1 else value
                vector.append(base + value)
        self.clamp(vector)
        return vector

    def stretched(self, old: Sequence[Vector]) -> list[Vector]:
        """What was costly at another size, field by field: each value repeated, and the whole repeated."""
        if len(old) != len(self.stretches) or not all(old):
            return []
        pulled, tiled = [], []
        for stretch, values in zip(self.stretches, old, strict=True):
            length = len(stretch)
            pulled += [values[place * len(values) // length] for place in range(length)]
            tiled += [values[place % len(values)] for place in range(length)]
        for vector in (pulled, tiled):
            self.clamp(vector)
        return [pulled, tiled]

    def random_value(self, place: int, vector: Vector, rng: Random) -> int:
        low, high = self.lows[place], self.highs[place]
        if low is None:
            low = min(vector) - 1 if high is None else high - len(vector)
        return rng.randint(low, max(vector) + 1 if high is None else high)


_ACROSS: tuple[Callable[[int, int], int], ...] = (
    lambda row, column: abs(row - column),
    lambda row, column: (row - column) ** 2,
    lambda row, column: row * column,
    lambda row, column: row + column,
)
"""In a graph's matrix the first two are nodes on a line: a detour costs nothing, or saves."""


def swap(vector: Vector, stretch: range, rng: Random) -> None:
    a, b = rng.choice(stretch), rng.choice(stretch)
    vector[a], vector[b] = vector[b], vector[a]


def move(vector: Vector, stretch: range, rng: Random) -> None:
    value = vector.pop(rng.choice(stretch))
    vector.insert(rng.choice(stretch), value)


def copy(vector: Vector, stretch: range, rng: Random) -> None:
    """A value from anywhere, another field included: `text` made of the letters of `pattern`."""
    vector[rng.choice(stretch)] = vector[rng.randrange(len(vector))]


def nudge(vector: Vector, stretch: range, rng: Random) -> None:
    """Just above or below some value of the vector: only the order of values may matter."""
    vector[rng.choice(stretch)] = vector[rng.randrange(len(vector))] + rng.choice((-1, 1))


def leap(vector: Vector, stretch: range, rng: Random) -> None:
    """A power of two away from some value: what looks different, and is the same to a hash table."""
    vector[rng.choice(stretch)] = vector[rng.randrange(len(vector))] + (
        rng.choice((-1, 1)) << rng.randint(1, 16)
    )


def extreme(vector: Vector, stretch: range, rng: Random) -> None:
    vector[rng.choice(stretch)] = rng.choice((min(vector) - 1, max(vector) + 1))


def fill(vector: Vector, stretch: range, rng: Random) -> None:
    part = _part(stretch, rng)
    vector[part] = [vector[rng.choice(stretch)]] * (part.stop - part.start)


def sort(vector: Vector, stretch: range, rng: Random) -> None:
    part = _part(stretch, rng)
    vector[part] = sorted(vector[part], reverse=rng.random() < 0.5)


def reverse(vector: Vector, stretch: range, rng: Random) -> None:
    part = _part(stretch, rng)
    vector[part] = vector[part][::-1]


def rotate(vector: Vector, stretch: range, rng: Random) -> None:
    part = _part(stretch, rng)
    by = rng.randrange(part.stop - part.start)
    vector[part] = vector[part][by:] + vector[part][:by]


def transplant(vector: Vector, stretch: range, rng: Random) -> None:
    """A part from anywhere over a part of this stretch."""
    part = _part(stretch, rng)
    length = part.stop - part.start
    start = rng.randrange(len(vector) - length + 1)
    vector[part] = vector[start : start + length]


def repeat(vector: Vector, stretch: range, rng: Random) -> None:
    """A short block, over and over."""
    part = _part(stretch, rng)
    length = part.stop - part.start
    block = vector[part][: rng.randint(1, min(4, length))]
    vector[part] = (block * length)[:length]


def stride(vector: Vector, stretch: range, rng: Random) -> None:
    """Equal steps, a power of two each: far apart, and neighbours or the same to whatever counts modulo."""
    part = _part(stretch, rng)
    first, step = vector[rng.randrange(len(vector))], rng.choice((-1, 1)) << rng.randint(0, 12)
    vector[part] = [first + step * place for place in range(part.stop - part.start)]


MUTATIONS: tuple[Mutation, ...] = (
    swap,
    move,
    copy,
    nudge,
    leap,
    extreme,
    fill,
    sort,
    reverse,
    rotate,
    transplant,
    repeat,
    stride,
)


def _part(stretch: range, rng: Random) -> slice:
    a, b = sorted((rng.choice(stretch), rng.choice(stretch)))
    return slice(a, b + 1)


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
        self._carried: list[Vector] = []  # the costliest vector of the last size, field by field
        self._begin()

    def _begin(self) -> None:
        self._starts: list[Vector] | None = None
        self._vector: Vector = []
        self._cost = -1
        self._best: tuple[int, Vector] = (-1, [])
        self._idle = self._climbed = 0  # attempts since the last gain, and from this start to that gain

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        return ()

    def grow(self, size: int, *, lesson: bool = False) -> None:
        self._begin()

    # -- one step ---------------------------------------------------------------------------------

    def step(self, env: Environment) -> Attempt | None:
        limits = self._limits_of(env)
        if not len(limits):
            return None
        vector, used = self._next_vector(env, limits)
        attempt = replace(env.run(env.encoding.build(limits.leaves(vector))), by=self.name)
        gain = attempt.cost - self._cost
        if used:
            self._settle_pay(used, gain > 0)
        if gain >= 0:
            self._vector, self._cost = vector, attempt.cost
        self._idle += 1
        if gain > 0:
            self._climbed, self._idle = self._climbed + self._idle, 0
        if attempt.cost > self._best[0]:
            self._best = attempt.cost, vector
            self._carried = [vector[stretch.start : stretch.stop] for stretch in limits.stretches]
        return attempt

    def _limits_of(self, env: Environment) -> Limits:
        """Made once for each shape: a large one has thousands of places."""
        fields = env.encoding.fields()
        if self._limits is None or self._limits[0] != fields:
            self._limits = fields, Limits(fields)
        return self._limits[1]

    def _next_vector(self, env: Environment, limits: Limits) -> tuple[Vector, list[int]]:
        """The vector to run, and the mutations it came about by."""
        if self._starts is None:
            first = _vector(env, env.random(self._rng))
            self._starts = [first, *limits.starts()[::-1], *limits.stretched(self._carried)]
        best = env.best
        if (
            best is not None
            and best.by != self.name
            and best.inputs is not None
            and best.cost > self._best[0]
        ):
            # Somebody else did better: climb on from there. Its cost is known, so only the change is run.
            self._vector, self._cost, self._idle = _vector(env, best.inputs), best.cost, 0
            self._best = best.cost, self._vector
        if self._starts:
            return self._starts.pop(), []
        if self._idle > max(200 + 20 * len(limits), self._climbed):
            return self._restart(env, limits), []
        return self._mutant(self._vector, limits, 1 + (self._rng.random() < 0.4) + (self._rng.random() < 0.1))

    def _restart(self, env: Environment, limits: Limits) -> Vector:
        self._idle = self._climbed = 0
        self._cost = -1
        if self._rng.random() < 0.5:
            return _vector(env, env.random(self._rng))
        return self._mutant(self._best[1], limits, 2 + self._rng.randrange(8))[0]

    def _mutant(self, parent: Vector, limits: Limits, changes: int) -> tuple[Vector, list[int]]:
        rng, vector, used = self._rng, list(parent), list[int]()
        for _ in range(20):
            stretch = rng.choice(limits.stretches)
            used += rng.choices(range(1 + _RENEW), self._pay)
            if used[-1] == _RENEW:
                place = rng.choice(stretch)
                vector[place] = limits.random_value(place, vector, rng)
            else:
                MUTATIONS[used[-1]](vector, stretch, rng)
            limits.clamp(vector, stretch)
            changes -= 1
            if changes <= 0 and vector != parent:
                break
        return vector, used

    def _settle_pay(self, used: list[int], won: bool) -> None:
        for number in used:
            self._pay[number] = max(_FLOOR, self._pay[number] * _FORGET + 0.5 * won)

    def offer(self, attempt: Attempt) -> None:
        """The environment's best is looked at before each step; nothing else is of use."""

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        return {
            "random": dump_random(self._rng),
            "pay": self._pay,
            "carried": self._carried,
            "starts": self._starts,
            "now": [self._vector, self._cost, list(self._best), self._idle, self._climbed],
        }

    def load(self, state: Json) -> None:
        pay = [float(number) for number in state["pay"]]
        if len(pay) != 1 + _RENEW:
            raise ValueError("a climber with other mutations")
        vector, cost, (best_cost, best_vector), idle, climbed = state["now"]
        starts = state["starts"]
        load_random(self._rng, state["random"])
        self._pay, self._carried = pay, [list(map(int, part)) for part in state["carried"]]
        self._starts = None if starts is None else [list(map(int, start)) for start in starts]
        self._vector, self._cost = list(map(int, vector)), int(cost)
        self._idle, self._climbed = int(idle), int(climbed)
        self._best = int(best_cost), list(map(int, best_vector))


def _vector(env: Environment, inputs: Inputs) -> Vector:
    return [ord(leaf) if isinstance(leaf, str) else int(leaf) for leaf in env.encoding.flatten(inputs)]
