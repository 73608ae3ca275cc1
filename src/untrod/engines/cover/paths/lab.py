"""What the rounds of a campaign share: who walks, which lines are open, what came near, and the books."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol, cast

from untrod.engines.cover.case import Arc, Input
from untrod.engines.cover.paths.atoms import Name, atom
from untrod.engines.cover.paths.frontier import Walked
from untrod.learn.pruning import Pruning
from untrod.symbolic.protocol import MeasuresShortfalls, PathResult, State
from untrod.symbolic.searchers.knowledge import Knowledge, Line, Nearness

if TYPE_CHECKING:
    from untrod.engines.cover.exploration import Exploration

TRIAL = 12
"""After so many paths it is clear whether an engine can do anything here."""
_BOOKS = ("paths", "infeasible", "unknown", "unsupported", "states", "dropped", "peak", "waited", "outages")


class Books(Protocol):
    """What is known about having walked all paths: see `proof.py`."""

    @property
    def is_complete(self) -> bool: ...

    def walked(self, result: PathResult) -> None: ...

    def broken(self) -> None: ...


class Walkers(Protocol):
    def for_input(self, given: Input) -> tuple[Walked, Any] | None:
        """Who walks the paths of this input, and the input as a template; None where nobody can."""
        ...

    def proof(self, template: Any) -> Books: ...


class LineMap(Protocol):
    """What the last real run has reached, in the searchers' terms."""

    @property
    def distances(self) -> Nearness: ...

    def of(self, taken: Mapping[str, Any]) -> set[Line]: ...

    def starting(self, arcs: Iterable[Arc]) -> set[Line]: ...


class Lab:
    """What all rounds of a campaign share."""

    def __init__(
        self,
        executors: Walkers,
        lines: LineMap,
        pruning: Pruning,
        seconds: float,
        name: Name = atom,
    ) -> None:
        """`name` gives a decision the name that it has in every round."""
        self.executors = executors
        self.name = name
        self.lines = lines
        self.pruning = pruning
        self.knowledge = Knowledge(lines.distances)
        self.numbers = count(1)
        self.seconds = seconds
        self.paths = self.infeasible = self.unknown = self.unsupported = self.dropped = 0
        self.states = self.peak = self.waited = self.outages = 0
        self._covered = -1
        self._drawn: Counter[str] = Counter()
        self._nearest: dict[Line, tuple[int, Input]] = {}
        self._started: Counter[Line] = Counter()
        self.undecided: set[tuple[str, int]] = set()
        """Lines at which the solver gave up."""
        self.refuted: Counter[tuple[str, int]] = Counter()
        """Lines at which a side was infeasible, and how often."""

    def count(self, state: State, result: PathResult) -> None:
        self.paths += 1
        self.outages += result.stats.outages
        location = state.location
        place = (location.unit, location.line) if location is not None else None
        if result.status == "infeasible":
            self.infeasible += 1
            self.refuted.update([place] if place else [])
        elif result.status in ("unknown", "limit"):
            self.unknown += 1
            self.undecided.update([place] if place else [])
        elif result.status in ("unsupported", "diverged"):
            self.unsupported += 1

    def in_turn(self, exploration: Exploration, count: int) -> list[str]:
        """The entries of which the fewest inputs were drawn so far, by us."""
        names = sorted(exploration.drawers, key=self._drawn.__getitem__)[:count]
        self._drawn.update(names)
        return names

    def note_open(self, exploration: Exploration) -> None:
        """For searchers: which lines have a branch left that nobody took?"""
        if self._covered != exploration.covered:
            self._covered = exploration.covered
            self.knowledge.open = self.lines.starting(exploration.subject.atlas.untaken(self._covered))

    def note_near(self, state: State, walked: Walked, result: PathResult) -> None:
        """For searchers: by how much did the path miss what nobody took at the lines it came by?"""
        if result.inputs is None or "shortfalls" not in walked.executor.capabilities:
            return
        places = [((one.location.unit, one.location.line), one) for one in result.branches]
        near = [(line, one) for line, one in places if line in self.knowledge.open]
        found: dict[Line, int] = {}
        offs = cast(MeasuresShortfalls, walked.executor).shortfalls([one for _, one in near], result.inputs)
        for (line, _), off in zip(near, offs, strict=True):
            if off is not None:
                found[line] = min(off, found.get(line, off))
        self.knowledge.tell_shortfalls(state, found)
        for line, off in found.items():
            if (
                line not in self._nearest or off <= self._nearest[line][0]
            ):  # of equals the newest: it is another
                self._nearest[line] = off, walked.template.input(result.inputs)

    def nearest(self, count: int) -> list[Input]:
        """What came nearest to a way that nobody took, at lines that take turns."""
        lines = sorted(self.knowledge.open & self._nearest.keys(), key=lambda one: (self._started[one], one))
        self._started.update(lines[:count])
        return [self._nearest[line][1] for line in lines[:count]]

    def note_live(self, new: int, live: int) -> None:
        """A path has left `new` states; `live` wait now, pruned ones not among them."""
        self.states += new
        self.peak = max(self.peak, live)
        self.waited += live

    @property
    def live(self) -> int:
        """States that wait, on average over the paths."""
        return round(self.waited / max(1, self.paths))

    @property
    def is_useless(self) -> bool:
        """Is most of what the code under test does beyond the engine?"""
        return self.paths >= TRIAL and self.unsupported * 2 > self.paths

    def books(self) -> dict[str, int]:
        """What was counted so far, for `reopen` by another process: a worker may have to be replaced."""
        return {name: getattr(self, name) for name in _BOOKS}

    def reopen(self, books: Mapping[str, int]) -> None:
        for name in _BOOKS:
            setattr(self, name, int(books.get(name, 0)))

    def counts(self) -> dict[str, int]:
        """For people."""
        return {name: getattr(self, name) for name in (*_BOOKS, "live") if name != "waited"}
