"""Straight paths: one that takes the side True wherever it can, and one that takes False.

They need no practice, and often one of them is near the worst: a loop that never ends early, a queue that
always grows. But a long path takes long, and nobody knows beforehand how long it is or whether it is of use.
So it is walked in pieces, each twice as long as all before. A piece ends at a number of branches, and the
solver says for which input the function begins like that; the rest of its run is chance. That input is an
attempt like any other, and the next piece goes on where the last ended.

While the cost grows with the pieces, or beats what everybody else has found, the path has half of all effort.
Else it has what is hardly missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from untrod.core.vocabulary import Json
from untrod.engines.worst.arena import MAX_BRANCHES, Arena, Attempt
from untrod.engines.worst.policies.effort import effort
from untrod.symbolic.protocol import Branch, Condition, Location, State

FIRST = 100
"""Branches of the first piece."""
_GRANT = 100_000.0
"""Effort for the first pieces, about what loading the solver takes."""
_HARDLY, _HALF = 0.02, 0.5
_GROWS = 1.2
"""A piece that makes its path so many times as costly is worth another."""


class Always:
    """One side, wherever it is feasible."""

    def __init__(self, side: bool) -> None:
        self._side = side

    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        return self._side

    def feedback(self, branch: Branch, feasible: bool) -> None: ...


@dataclass
class Line:
    """One straight path at one size, as far as it has been walked."""

    side: bool
    bound: int = FIRST  # branches at which the next piece ends
    cost: int = 0
    price: float = 0.0  # effort of the last piece
    grows: bool = False
    ended: bool = False
    trail: tuple[Branch, ...] = ()  # not kept over a restart: the next piece then begins at the start

    def state(self) -> Json:
        return [self.side, self.bound, self.cost, self.price, self.grows, self.ended]


class Straight:
    """See the module's text. A scout: it says itself when it is due, and learns nothing from anybody."""

    name = "straight"

    def __init__(self) -> None:
        self._lines: dict[int, list[Line]] = {}
        self._size = 0
        self._spent = 0.0

    def grow(self, size: int) -> None:
        for line in self._open():
            line.trail = ()  # its conditions belong to an executor that may be gone when the hunt comes back
        self._size = size
        self._lines.setdefault(size, [Line(True), Line(False)])

    def due(self, spent: float) -> bool:
        """May it take a step, when all together have spent so much effort?"""
        line = self._next()
        if line is None:
            return False
        share = _HALF if line.grows else _HARDLY
        return self._spent + 2 * line.price <= _GRANT + share * spent

    def step(self, arena: Arena) -> Attempt | None:
        """The next piece. None: both paths have been walked to their ends, or cannot be."""
        line = self._next()
        if line is None or arena.executor is None:
            for line in self._open():
                line.ended = True
            return None
        engine = arena.executor.name
        attempt = replace(arena.walk(Always(line.side), _end_of(line), line.bound), by=self.name)
        line.price = effort(attempt)
        self._spent += line.price
        beaten = arena.best.cost if arena.best is not None else 0
        line.grows = attempt.cost > beaten or attempt.cost >= _GROWS * line.cost > 0
        line.cost = attempt.cost
        # Where another engine has taken over, the conditions of the first are of no use to it.
        lost = attempt.inputs is None or arena.executor.name != engine
        line.ended = lost or not attempt.cut or line.bound >= MAX_BRANCHES
        line.trail = () if line.ended else attempt.branches
        line.bound = min(2 * line.bound, MAX_BRANCHES)
        return attempt

    def _open(self) -> list[Line]:
        return [line for line in self._lines.get(self._size, ()) if not line.ended]

    def _next(self) -> Line | None:
        return min(self._open(), key=lambda line: (not line.grows, line.bound), default=None)

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        lines = [[size, [line.state() for line in pair]] for size, pair in self._lines.items()]
        return [lines, self._size, self._spent]

    def load(self, state: Json) -> None:
        lines, size, spent = state
        self._lines = {int(known): [_line(*body) for body in pair] for known, pair in lines}
        self._size, self._spent = int(size), float(spent)


def _line(side: Json, bound: Json, cost: Json, price: Json, grows: Json, ended: Json) -> Line:
    return Line(bool(side), int(bound), int(cost), float(price), bool(grows), bool(ended))


def _end_of(line: Line) -> State | None:
    """Where its last piece ended. A state stands for its trail with the last decision the other way."""
    if not line.trail:
        return None
    *before, last = line.trail
    trail = (*before, replace(last, taken=not last.taken))
    return State(-1, None, trail, len(trail), feasibility="sat")
