"""One-sided paths: one that takes the side True wherever it can, and one that takes False.

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
from untrod.engines.worst.policies.scheduler import estimated_micros
from untrod.engines.worst.protocol import MAX_BRANCHES, Attempt, Environment
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
class OneSidedPath:
    """One path at one size, as far as it has been walked."""

    side: bool
    bound: int = FIRST  # branches at which the next piece ends
    cost: int = 0
    price: float = 0.0  # effort of the last piece
    grows: bool = False
    ended: bool = False
    trail: tuple[Branch, ...] = ()  # not kept over a restart: the next piece then begins at the start

    def state(self) -> Json:
        return [self.side, self.bound, self.cost, self.price, self.grows, self.ended]


class OneSidedPaths:
    """See the module's text. It says itself when it is due, and learns nothing from anybody."""

    name = "straight"

    def __init__(self) -> None:
        self._paths: dict[int, list[OneSidedPath]] = {}
        self._size = 0
        self._spent = 0.0

    def grow(self, size: int) -> None:
        for path in self._open():
            path.trail = ()  # of an executor that may be gone when the search comes back
        self._size = size
        self._paths.setdefault(size, [OneSidedPath(True), OneSidedPath(False)])

    def due(self, spent: float) -> bool:
        """May it take a step, when all together have spent so much effort?"""
        path = self._next()
        if path is None:
            return False
        share = _HALF if path.grows else _HARDLY
        return self._spent + 2 * path.price <= _GRANT + share * spent

    def step(self, env: Environment) -> Attempt | None:
        """The next piece. None: both paths have been walked to their ends, or cannot be."""
        path = self._next()
        if path is None or env.executor is None:
            for path in self._open():
                path.ended = True
            return None
        engine = env.executor.name
        attempt = replace(env.walk(Always(path.side), _end_of(path), path.bound), by=self.name)
        path.price = estimated_micros(attempt)
        self._spent += path.price
        beaten = env.best.cost if env.best is not None else 0
        path.grows = attempt.cost > beaten or attempt.cost >= _GROWS * path.cost > 0
        path.cost = attempt.cost
        # Where another engine has taken over, the conditions of the first are of no use to it.
        lost = attempt.inputs is None or env.executor.name != engine
        path.ended = lost or not attempt.cut or path.bound >= MAX_BRANCHES
        path.trail = () if path.ended else attempt.branches
        path.bound = min(2 * path.bound, MAX_BRANCHES)
        return attempt

    def _open(self) -> list[OneSidedPath]:
        return [path for path in self._paths.get(self._size, ()) if not path.ended]

    def _next(self) -> OneSidedPath | None:
        return min(self._open(), key=lambda path: (not path.grows, path.bound), default=None)

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        paths = [[size, [path.state() for path in pair]] for size, pair in self._paths.items()]
        return [paths, self._size, self._spent]

    def load(self, state: Json) -> None:
        paths, size, spent = state
        self._paths = {int(known): [_path(*body) for body in pair] for known, pair in paths}
        self._size, self._spent = int(size), float(spent)


def _path(side: Json, bound: Json, cost: Json, price: Json, grows: Json, ended: Json) -> OneSidedPath:
    return OneSidedPath(bool(side), int(bound), int(cost), float(price), bool(grows), bool(ended))


def _end_of(path: OneSidedPath) -> State | None:
    """Where its last piece ended. A state stands for its trail with the last decision the other way."""
    if not path.trail:
        return None
    *before, last = path.trail
    trail = (*before, replace(last, taken=not last.taken))
    return State(-1, None, trail, len(trail), feasibility="sat")
