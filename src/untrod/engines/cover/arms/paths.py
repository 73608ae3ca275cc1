"""One arm for each searcher: a turn is a round of symbolic execution, with what the pruning has learned."""

from __future__ import annotations

from random import Random

from untrod.core.vocabulary import Json
from untrod.engines.cover.exploration import Exploration
from untrod.engines.cover.paths.executors import Engines, Executors
from untrod.engines.cover.paths.lab import Lab
from untrod.engines.cover.paths.lines import Lines
from untrod.engines.cover.paths.rounds import Round
from untrod.engines.cover.subject import Subject
from untrod.learn.pruning import Pruning
from untrod.learn.serialise import dump_random, load_random

ENDLESS = 40
"""Paths in a turn of a round that has no end."""
FIRST = 400
LONGEST_TURN = 5.0
"""Turns of the usual length that a round may cost, when time is what counts."""


class Shared:
    """The laboratory that all arms use, made when the first of them has a turn: solvers take time to load."""

    def __init__(self, pruning: Pruning, seconds: float, engines: Engines) -> None:
        self.pruning = pruning
        self._seconds = seconds
        self._engines: Engines = engines
        self.lab: Lab | None = None
        self._books: Json = None  # of the laboratory of a worker that this one has replaced

    def open(self, exploration: Exploration) -> Lab:
        if self.lab is None:
            self.lab = self._make(exploration)
            if self._books is not None:
                self.lab.reopen(self._books)
        return self.lab

    def state(self) -> Json:
        return {"pruning": self.pruning.state(), "books": self.lab.books() if self.lab else self._books}

    def load(self, state: Json, exploration: Exploration) -> None:
        """Of the same campaign: what was counted goes on."""
        self.pruning.load(state["pruning"])
        self._books = state["books"]
        if self._books is not None:
            self.open(exploration)

    def _make(self, exploration: Exploration) -> Lab:
        subject = exploration.subject
        assert isinstance(subject, Subject)
        executors = Executors(subject.atlas.files.values(), subject.entries, self._engines)
        return Lab(executors, Lines(subject.atlas), self.pruning, self._seconds)


class PathsArm:
    """`after`: it has nothing to do before that laboratory has walked `FIRST` paths, or is of no use."""

    is_dear = True

    def __init__(
        self, name: str, searcher: str, seed: int, shared: Shared, after: Shared | None = None
    ) -> None:
        self.name = name
        self._after = after
        self._searcher = searcher
        self._shared = shared
        self._rng = Random(seed)
        self._round: Round | None = None
        self._left = 0

    def ready(self, exploration: Exploration) -> bool:
        lab = self._shared.lab
        if self._after is not None:
            before = self._after.lab
            if before is None or (before.paths < FIRST and not before.is_useless):
                return False
        return exploration.is_dry and (lab is None or not lab.is_useless)

    def begin(self, exploration: Exploration) -> None:
        self._left = ENDLESS
        if self._round is None:
            self._round = Round(self._shared.open(exploration), self._searcher, self._rng.getrandbits(32))
        else:
            self._round.refresh(exploration)

    def step(self, exploration: Exploration) -> bool:
        assert self._round is not None
        self._left -= 1
        if not self._round.step(exploration):
            return False
        endless = self._round.plan.length is None
        return self._left > 0 if endless else exploration.turn_cost < LONGEST_TURN

    def end(self, exploration: Exploration) -> None:
        assert self._round is not None
        if self._round.plan.length is not None or not len(self._round.frontier):
            self._round.end(exploration)
            self._round = None

    def recall(self, state: Json) -> None:
        """Another campaign is to draw something else. What the pruning has learned is recalled once, for all
        arms, by whoever made them."""

    def state(self) -> Json:
        return dump_random(self._rng)

    def load(self, state: Json) -> None:
        load_random(self._rng, state)
        self._round = None
